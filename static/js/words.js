// Rows told by tapping what was called. The keys stand in place of the deck; the picker asks here which row they are for.
"use strict";

// What people lay most often in a row: each of these is one tap. The others take a tap on their category first.
const LIKELY = {
  front: ["high_card", "pair", "three_of_a_kind"],
  middle: ["pair", "two_pair", "three_of_a_kind"],
  back: ["straight", "flush", "full_house"],
};

class Words {
  constructor(picker) {
    this.picker = picker;
    this.root = picker.root.querySelector(".words");
    this.keys = [...this.root.querySelectorAll("[data-called]")];
    this.names = new Map(this.keys.map((key) => [key.dataset.called, key.lastElementChild.textContent]));
    this.forget();
  }

  // `row` was chosen to be told anew; `category` is shown alone, without the others.
  forget() {
    this.row = null;
    this.category = null;
  }

  get isOn() {
    return Boolean(this.picker.settings.called) && !this.picker.isTyping;
  }

  // The row that the next key tells; null where every row of the hand is told.
  get next() {
    const { hand, order, pending } = this.picker;
    if (this.row) return this.row;
    if (hand.caret !== null && hand.isFree(hand.caret)) return rowOf(hand.caret);
    return pending ? rowOf(order[0]) : null; // the next player's turn is about to begin
  }

  // Whether a tap was for this part.
  clicked(button) {
    const { called, unfold } = button.dataset;
    if (called) this.tell(called);
    else if (unfold) this.unfold(unfold);
    else if (this.isOn && button.matches(".slot")) this.choose(button.closest(".laid-row").dataset.row);
    else return false;
    return true;
  }

  choose(row) {
    this.category = null;
    this.row = row === this.row ? null : row;
    this.picker.isAttending = false;
    this.picker.draw();
  }

  tell(text) {
    const { picker } = this;
    if (!this.row && picker.hand.isReady && picker.pending) picker.turnTo(picker.nextWaiting());
    const row = this.next;
    if (!row) return;
    this.forget();
    picker.change(() => picker.hand.read(row, text), { laid: true });
  }

  unfold(category) {
    this.category = this.category === category ? null : category;
    this.draw();
    if (this.category) this.root.querySelector(`[data-category="${category}"] button:not([hidden])`).focus();
  }

  // What a row that was told here is called in the language of the page.
  name(text) {
    return this.names.get(text) ?? text;
  }

  draw() {
    const row = this.isOn ? this.next : null;
    const shown = this.category ? [this.category] : LIKELY[row] ?? [];
    document.body.classList.toggle("in-words", this.isOn);
    this.root.hidden = !this.isOn;
    this.root.dataset.row = row ?? "";
    for (const key of this.root.querySelectorAll("[data-rows]")) key.hidden = !key.dataset.rows.split(" ").includes(row);
    for (const group of this.root.querySelectorAll("[data-category]")) group.hidden = !shown.includes(group.dataset.category);
    for (const other of this.root.querySelectorAll("[data-unfold]")) {
      const { unfold } = other.dataset;
      other.hidden ||= !this.category && shown.includes(unfold);
      other.setAttribute("aria-expanded", unfold === this.category);
    }
    this.root.querySelector(".meta").hidden = Boolean(row);
    for (const [name, element] of this.picker.rows) element.classList.toggle("telling", name === row);
    for (const area of [this.root, this.picker.root.querySelector(".laying")]) keepStop(area);
  }
}

const rowOf = (slot) => Object.keys(ROWS).find((row) => ROWS[row].includes(slot));
