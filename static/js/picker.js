// The card picker: what a tap and a key do. Hands are `LaidHand`s, drawn by `Table` and kept by `Keeper`. Nothing here waits
// for the network.
"use strict";

const PAUSE = 500; // the finished hand stays in sight before the next player's turn, in milliseconds
const BAR = 6000; // how long a step back is offered
const QUICK_ROW = /^(f|m|b|front|middle|back)[\s:]+(.+)$/i;
const QUICK_CARDS = /^([fmb])(.+)$/i;
const SETTINGS = "capsa-picker";

class Picker extends Table {
  constructor(root) {
    super(root);
    this.settings = { first: "front", advance: true, ...readSettings() };
    this.sheet = root.querySelector("dialog");
    this.quick = root.querySelector(".quick input");
    this.past = [];
    this.called = new Words(this);
    this.questions = new Questions(this);
    this.keeper = new Keeper(this.form, this.hands, {
      round: root.dataset.round,
      changed: () => this.heard(),
      kept: (state) => this.showKept(state),
    });
    // The answer to a form stands under the form's address; reloading it would send the form again.
    if (root.dataset.page) history.replaceState(null, "", root.dataset.page);
    this.listen();
    this.show();
    this.turnTo(this.firstWaiting() ?? [...this.hands.keys()][0]);
    this.heard();
  }

  get order() {
    return ORDERS[this.settings.first];
  }

  show() {
    this.root.hidden = false;
    document.body.classList.add("picking");
    for (const control of document.querySelectorAll(".to-cards, [data-do][hidden]:not([data-do='swap'])")) control.hidden = false;
    for (const control of document.querySelectorAll("[data-text-only]")) control.hidden = true;
    for (const fold of document.querySelectorAll("[data-into-sheet]")) this.sheet.querySelector("[data-more]").append(fold);
  }

  listen() {
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.pressed(event));
    this.sheet.addEventListener("change", (event) => event.target.matches("[data-advance]") && this.set({ advance: event.target.checked }));
    for (const area of [".deck", ".words", ".laying"]) rove(this.root.querySelector(area));
  }

  clicked(event) {
    if (event.target === this.sheet) this.closeSheet(); // beside the sheet
    const button = event.target.closest("button");
    if (!button) return;
    const { card, hand, do: what, declare, natural, bonus, order } = button.dataset;
    if (this.called.clicked(button) || this.questions.clicked(event, button)) return;
    if (card && this.root.contains(button)) this.tapCard(card);
    else if (hand) this.turnTo(hand);
    else if (button.matches(".said")) this.type(button.closest(".laid-row").dataset.row);
    else if (button.matches(".slot")) this.tapSlot(this.slots.indexOf(button));
    else if (button.matches(".layout")) this.takeLayout(event, button);
    else if (button.id === "score") this.score(event);
    else if (declare !== undefined) this.declare(declare, natural ?? "", button);
    else if (bonus) this.announce(bonus);
    else if (order) this.set({ first: order });
    else if (what) this.does[what].call(this);
  }

  does = {
    last: this.stepBack,
    more: this.openSheet,
    close: this.closeSheet,
    clear: this.clear,
    swap: this.swapRows,
    type: () => this.type(),
    cards: () => this.pick(),
    pick: () => this.pick(),
    called: () => this.layBy({ called: true }),
    deck: () => this.layBy({ called: false }),
  };

  // ---- laying

  tapCard(card) {
    const owner = this.owners().get(card);
    if (owner === this.active) return this.change(() => this.hand.takeOut(card));
    if (owner) return this.say(fill(this.words.taken, { card: this.face(card).textContent, player: this.name(owner) }));
    if (this.hand.isReady && this.pending) this.turnTo(this.nextWaiting());
    if (this.hand.isFull) return this.say(fill(this.words.full, { player: this.name(this.active) }));
    return this.change(() => this.hand.lay(card, this.order), { laid: true });
  }

  tapSlot(slot) {
    const moves = this.hand.lifted || this.hand.slots[slot];
    if (moves) return this.change(() => this.hand.tap(slot, this.order));
    this.hand.tap(slot, this.order);
    return this.draw();
  }

  // Every change passes here: it can be taken back, is drawn at once and kept by the way.
  change(how, { laid = false, declared = false, bar = "" } = {}) {
    const { active, hand } = this;
    const before = hand.snapshot();
    this.quiet();
    how();
    if (hand.caret === null || !hand.isFree(hand.caret)) hand.moveCaret(this.order);
    this.past.push([active, before]);
    this.keeper.keep(active, hand.isReady || this.isRowFinished(before, hand));
    this.draw();
    if (bar) this.offerWayBack(bar);
    if (hand.lifted) this.say(this.words.lifted);
    if (declared ? hand.isReady : laid && hand.isFull) this.moveOnSoon();
  }

  isRowFinished(before, hand) {
    return Object.keys(ROWS).some((row) => {
      const had = before.words[row] ? ROWS[row].length : ROWS[row].filter((slot) => before.slots[slot]).length;
      return hand.countIn(row) === ROWS[row].length && had < hand.countIn(row);
    });
  }

  stepBack() {
    this.quiet();
    const [pk, before, answer] = this.past.pop() ?? [this.active, this.withoutLast()];
    if (answer) this.keeper.say(answer);
    if (!before) return;
    this.turnTo(pk);
    this.hand.restore(before);
    this.keeper.keep(pk, true);
    this.draw();
  }

  // Without a memory of steps, as after a reload: the hand without its last card, or row told, in the order of laying.
  withoutLast() {
    const last = [...this.order].reverse().find((slot) => !this.hand.isFree(slot));
    if (last === undefined) return null;
    const before = this.hand.snapshot();
    before.slots[last] = null;
    before.words[rowOf(last)] = "";
    return { ...before, caret: last };
  }

  clear() {
    this.closeSheet();
    this.change(() => this.hand.clear(), { bar: fill(this.words.cleared, { player: this.name(this.active) }) });
  }

  swapRows() {
    const bar = fill(this.words.swapped, { player: this.name(this.active) });
    this.change(() => this.hand.swapMiddleAndBack(), { bar });
  }

  declare(declare, natural, button) {
    const state = button.querySelector("span")?.firstChild.textContent ?? button.textContent;
    this.closeSheet();
    this.change(() => Object.assign(this.hand, { declare, natural }), {
      declared: true,
      bar: fill(this.words.marked, { player: this.name(this.active), state: state.trim() }),
    });
  }

  announce(row) {
    const rows = new Set(this.hand.declared.split(" ").filter(Boolean));
    if (!rows.delete(row)) rows.add(row);
    this.change(() => (this.hand.declared = Object.keys(ROWS).filter((name) => rows.has(name)).join(" ")));
    this.drawSheet();
  }

  takeLayout(event, button) {
    event.preventDefault();
    const rows = button.value.split("/");
    button.removeAttribute("name"); // htmx would send the button that was clicked last with every request
    this.change(() => Object.keys(ROWS).forEach((row, place) => this.hand.read(row, rows[place])));
  }

  // ---- whose turn it is

  turnTo(pk) {
    clearTimeout(this.pending);
    this.pending = null;
    if (this.hand) this.hand.lifted = null;
    if (pk !== this.active) this.isPicking = false;
    this.isAttending = false;
    this.called.forget();
    this.active = pk;
    if (this.hand.caret === null) this.hand.moveCaret(this.order);
    this.say("");
    this.draw();
  }

  moveOnSoon() {
    if (!this.settings.advance || this.isTyping || this.nextWaiting() === this.active) return;
    this.pending = setTimeout(() => {
      // Rows out of order are worth a look first. The next card still goes to the next player.
      if (this.isAnswered(this.active) && this.note(this.active).dataset.swap) return;
      this.turnTo(this.nextWaiting());
      this.say(fill(this.words.turn, { player: this.name(this.active) }), true);
    }, PAUSE);
  }

  quiet() {
    clearTimeout(this.pending);
    this.pending = null;
    this.say("");
    document.querySelector("#notes .toast[data-step]")?.remove();
  }

  score(event) {
    const waiting = this.firstWaiting();
    if (waiting) {
      event.preventDefault();
      this.turnTo(waiting);
    } else if (!navigator.onLine) {
      event.preventDefault();
      this.showKept("offline");
    } else if (this.attention && !this.isAttending) {
      event.preventDefault();
      this.isAttending = true;
      this.draw();
    }
  }

  // ---- typing

  pressed(event) {
    const { key, target } = event;
    if (target === this.quick) return this.pressedQuick(event);
    if (target.matches("input, select, textarea") || this.sheet.open || event.altKey) return undefined;
    const isBack = key === "Backspace" || (key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey));
    if (isBack) {
      event.preventDefault();
      return this.stepBack();
    }
    if (key.length === 1 && key !== " " && !event.ctrlKey && !event.metaKey && !this.isTyping) this.quick.focus();
    return undefined;
  }

  pressedQuick(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      if (this.quick.value.trim() && this.layTyped(this.quick.value.trim())) this.quick.value = "";
    } else if (event.key === "Escape") this.quick.blur();
    else if (event.key === "Backspace" && !this.quick.value) this.stepBack();
  }

  // "b JsJhJd3c3d" sets a row, "AsKd" lays cards one after the other. False where something is wrong; it says what.
  layTyped(text) {
    if (this.hand.isReady && this.pending) this.turnTo(this.nextWaiting());
    const [letter, rest] = this.readQuick(text);
    const cards = readCards(rest);
    const taken = cards?.find((card) => (this.owners().get(card) ?? this.active) !== this.active);
    if (taken) return this.tapCard(taken), false;
    if (!letter && !cards) return this.say(fill(this.words.unread, { text })), false;
    if (letter) this.change(() => this.setRow(letter, rest, cards), { laid: true });
    else for (const card of cards) if (!this.hand.slots.includes(card)) this.tapCard(card);
    return true;
  }

  readQuick(text) {
    const whole = text.match(QUICK_ROW);
    if (whole) return [whole[1][0].toLowerCase(), whole[2]];
    const short = text.match(QUICK_CARDS);
    return short && readCards(short[2]) ? [short[1].toLowerCase(), short[2]] : ["", text];
  }

  setRow(letter, text, cards) {
    const row = Object.keys(ROWS).find((name) => name.startsWith(letter));
    for (const card of cards ?? []) if (this.hand.slots.includes(card)) this.hand.takeOut(card);
    this.hand.read(row, text);
  }

  type(row = "front") {
    this.closeSheet();
    document.body.classList.add("typing");
    this.draw();
    this.keeper.field(this.active, row).focus();
  }

  pick() {
    document.body.classList.remove("typing");
    this.isPicking = true;
    this.isAttending = false;
    this.hand.moveCaret(this.order);
    this.draw();
  }

  heard() {
    const conflict = [...this.keeper.held][0];
    if (conflict && !this.isTyping) {
      this.active = conflict;
      this.type();
    }
    if (this.hand.caret === null || !this.hand.isFree(this.hand.caret)) this.hand.moveCaret(this.order);
    if (this.attention !== this.heardOf) this.isAttending = true;
    this.heardOf = this.attention;
    this.draw();
  }

  showKept(state) {
    const line = document.querySelector("[data-kept]");
    if (line) line.textContent = state ? this.words[state] : "";
  }

  offerWayBack(text) {
    const bar = this.root.querySelector("[data-undo-bar]").content.firstElementChild.cloneNode(true);
    bar.dataset.step = "";
    bar.querySelector("span").textContent = text;
    document.querySelector("#notes").append(bar);
    setTimeout(() => bar.remove(), BAR);
  }

  // By cards or in words.
  layBy(settings) {
    this.closeSheet();
    this.called.forget();
    this.pick();
    this.set(settings);
  }

  // ---- the sheet

  openSheet() {
    this.drawSheet();
    for (const fold of this.sheet.querySelectorAll("details")) fold.open = false;
    this.sheet.showModal();
  }

  closeSheet() {
    this.sheet.close();
  }

  drawSheet() {
    const { hand, settings } = this;
    this.sheet.querySelector("h2").textContent = fill(this.words.handOf, { player: this.name(this.active) });
    this.sheet.querySelector("[data-back]").hidden = !hand.declare;
    this.sheet.querySelector('[data-do="called"]').hidden = this.called.isOn;
    this.sheet.querySelector('[data-do="deck"]').hidden = !this.called.isOn;
    for (const button of this.sheet.querySelectorAll("[data-bonus]"))
      button.setAttribute("aria-pressed", hand.declared.split(" ").includes(button.dataset.bonus));
    for (const button of this.sheet.querySelectorAll("[data-order]"))
      button.setAttribute("aria-pressed", button.dataset.order === settings.first);
    this.sheet.querySelector("[data-advance]").checked = settings.advance;
  }

  set(changed) {
    Object.assign(this.settings, changed);
    try {
      localStorage.setItem(SETTINGS, JSON.stringify(this.settings));
    } catch {
      // Then the setting holds for this page only.
    }
    this.hand.moveCaret(this.order);
    this.drawSheet();
    this.draw();
  }
}

function readSettings() {
  try {
    return JSON.parse(localStorage.getItem(SETTINGS));
  } catch {
    return null;
  }
}

for (const root of document.querySelectorAll("[data-picker]")) new Picker(root);
