// The table as it is seen: tabs, rows, deck, and the button that scores. What the server says about a hand is filled in
// when it comes, and only while the hand is still the same.
"use strict";

const fill = (text, parts) => text.replace(/\{(\w+)\}/g, (_, name) => parts[name]);

class Table {
  constructor(root) {
    this.root = root;
    this.form = document.querySelector("#round-form");
    this.words = JSON.parse(root.dataset.words);
    this.tabs = new Map([...root.querySelectorAll(".hand-tab")].map((tab) => [tab.dataset.hand, tab]));
    this.hands = new Map([...this.tabs.keys()].map((pk) => [pk, new LaidHand()]));
    this.cards = new Map([...root.querySelectorAll(".pick")].map((pick) => [pick.dataset.card, pick]));
    this.slots = [...root.querySelectorAll(".slot:not(.said)")];
    this.rows = new Map([...root.querySelectorAll(".laid-row")].map((row) => [row.dataset.row, row]));
    this.remark = root.querySelector(".remark[role]");
    this.least = Number(root.dataset.least ?? this.hands.size); // hands that make a round
  }

  get hand() {
    return this.hands.get(this.active);
  }

  get isTyping() {
    return document.body.classList.contains("typing");
  }

  // ---- what is known of hands and cards

  name(pk) {
    return this.tabs.get(pk).querySelector("b").textContent;
  }

  face(card) {
    return this.cards.get(card).firstElementChild;
  }

  owners() {
    const owners = new Map();
    for (const [pk, hand] of this.hands) for (const card of hand.slots) if (card) owners.set(card, pk);
    return owners;
  }

  note(pk) {
    return document.getElementById(`note-${pk}`);
  }

  // Whether what the server said last is about the hand as it stands now.
  isAnswered(pk) {
    return this.keeper.stands(pk).key === this.hands.get(pk).key;
  }

  // What is said about the round as a whole and wants an answer.
  get attention() {
    return [...this.form.querySelectorAll("[data-attention]")].map((one) => one.textContent.trim()).join();
  }

  // Whoever the score waits for: a hand that was begun, or an empty one where more are needed.
  firstWaiting() {
    const waiting = [...this.hands].filter(([, hand]) => !hand.isReady);
    const isEnough = this.hands.size - waiting.length >= this.least;
    return waiting.find(([, hand]) => !isEnough || !hand.isEmpty)?.[0];
  }

  nextWaiting() {
    const keys = [...this.hands.keys()];
    const after = keys.indexOf(this.active) + 1;
    return [...keys.slice(after), ...keys.slice(0, after)].find((pk) => !this.hands.get(pk).isReady) ?? this.active;
  }

  // ---- drawing

  draw() {
    this.drawTabs();
    this.drawRows();
    this.drawDeck();
    this.called.draw();
    this.drawFields();
    this.drawScore();
  }

  drawTabs() {
    for (const [pk, tab] of this.tabs) {
      const hand = this.hands.get(pk);
      const state = this.state(pk, hand);
      tab.toggleAttribute("aria-current", pk === this.active);
      if (pk === this.active) tab.setAttribute("aria-current", "true");
      tab.dataset.state = state.kind;
      tab.querySelector("small").textContent = state.text;
      const bar = tab.querySelector("progress");
      bar.value = hand.count;
      bar.hidden = state.kind !== "laying" || !hand.count;
    }
  }

  state(pk, hand) {
    if (hand.isEmpty) return { kind: "empty", text: "0/13" };
    if (this.isAnswered(pk)) {
      const { status, ready } = document.getElementById(`state-${pk}`).dataset;
      const text = document.getElementById(`state-${pk}`).textContent.replace("✓", "").trim();
      return { kind: ready ? status : status === "incomplete" ? "laying" : "wrong", text };
    }
    if (hand.declare) return { kind: hand.declare, text: this.declaration(pk, hand) };
    return { kind: "laying", text: `${hand.count}/13` };
  }

  declaration(pk, hand) {
    const name = hand.natural ? "natural" : "declare";
    return this.keeper.field(pk, name).selectedOptions[0].textContent;
  }

  drawRows() {
    const { hand } = this;
    const answered = this.isAnswered(this.active);
    const { pao, swap } = this.note(this.active).dataset;
    const rowsOf = fill(this.words.rowsOf, { player: this.name(this.active) });
    this.root.querySelector(".laying").setAttribute("aria-label", rowsOf);
    for (const [name, row] of this.rows) this.drawRow(name, row, hand);
    const line = this.root.querySelector("[data-pao]");
    line.hidden = !(answered && pao);
    line.querySelector("span").textContent = pao;
    line.querySelector("button").hidden = !swap;
  }

  drawRow(name, row, hand) {
    const told = document.getElementById(`told-${this.active}-${name}`);
    const wrong = document.getElementById(`error-${this.active}-${name}`).textContent.trim();
    const stands = new LaidHand();
    stands.read(name, told.dataset.typed);
    const isTold = stands.text(name) === hand.text(name);
    const missing = ROWS[name].length - hand.countIn(name);
    const said = row.querySelector(".said");
    said.hidden = !hand.words[name];
    const text = this.called.name(hand.words[name]);
    said.textContent = text;
    said.setAttribute("aria-label", fill(this.words.toldRow, { row: row.ariaLabel, text }));
    row.classList.toggle("wrong", Boolean(isTold && wrong));
    row.querySelector(".told b").textContent = missing ? this.words.toGo[missing] : isTold ? wrong || (text === hand.words[name] ? told.dataset.told : "") : "";
    ROWS[name].forEach((slot, place) => this.drawSlot(slot, place + 1, row.ariaLabel, hand));
  }

  drawSlot(slot, place, row, hand) {
    const button = this.slots[slot];
    const card = hand.slots[slot];
    button.hidden = Boolean(hand.words[Object.keys(ROWS).find((name) => ROWS[name].includes(slot))]);
    button.className = card ? `slot c c-${card[1]}` : "slot slot-empty";
    button.classList.toggle("slot-next", slot === hand.caret && !card);
    button.classList.toggle("slot-lifted", hand.lifted?.from === slot);
    const shown = card ?? (hand.lifted?.from === slot ? hand.lifted.card : null);
    button.replaceChildren(...(shown ? [this.face(shown).cloneNode(true)] : []));
    const name = card && this.cards.get(card).dataset.name;
    const label = card ? this.words.filledSlot : this.words.emptySlot;
    button.setAttribute("aria-label", fill(label, { row, place, card: name }));
  }

  drawDeck() {
    const owners = this.owners();
    for (const [card, pick] of this.cards) {
      const owner = owners.get(card);
      const other = owner && owner !== this.active;
      pick.classList.toggle("pick-on", owner === this.active);
      pick.classList.toggle("pick-used", Boolean(other));
      pick.setAttribute("aria-pressed", owner === this.active);
      pick.setAttribute("aria-disabled", Boolean(other));
      pick.children[1].textContent = other ? this.tabs.get(owner).dataset.mark : "";
      const name = pick.dataset.name;
      const owned = other && fill(this.words.owned, { card: name, player: this.name(owner) });
      pick.lastElementChild.textContent = owned || name;
    }
  }

  // The fields of the hand that is being laid stand behind the deck; so do the choice for the last hand, and whatever
  // keeps a round whose hands are all there from being scored.
  drawFields() {
    for (const section of this.form.querySelectorAll("[data-fields]")) section.hidden = section.dataset.fields !== this.active;
    const last = this.form.querySelector("[data-last]");
    const offers = last?.dataset.last === this.active && this.hand.isEmpty && !this.isPicking;
    document.body.classList.toggle("offering", Boolean(offers) && !this.isTyping);
    document.body.classList.toggle("attending", this.isAttending && Boolean(this.attention) && !this.isTyping);
    if (last) last.hidden = !offers;
    for (const button of this.form.querySelectorAll("[data-do]")) button.hidden = false;
  }

  drawScore() {
    const score = document.querySelector("#score");
    if (!score) return;
    const waiting = this.firstWaiting();
    score.setAttribute("aria-disabled", Boolean(waiting));
    const answered = [...this.hands.keys()].every((pk) => this.isAnswered(pk));
    if (answered) return;
    score.classList.toggle("waits", Boolean(waiting));
    const missing = waiting && this.words.missing[13 - this.hands.get(waiting).count];
    const ready = this.hands.size === 1 ? this.state(this.active, this.hand).text : this.words.ready;
    score.querySelector("small").textContent = waiting ? fill(missing, { player: this.name(waiting) }) : ready;
  }

  // `silently`: for those who hear the page; the others see it anyway.
  say(text, silently = false) {
    this.remark.classList.toggle("vh", silently);
    this.remark.textContent = text;
  }
}
