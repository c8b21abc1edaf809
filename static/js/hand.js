// One hand while it is laid: thirteen slots, the caret where the next card goes, and rows that are told in words.
"use strict";

const ROWS = { front: [0, 1, 2], middle: [3, 4, 5, 6, 7], back: [8, 9, 10, 11, 12] };
// The order in which slots are filled, by the row that people lay or reveal first.
const ORDERS = { front: Object.values(ROWS).flat(), back: [ROWS.back, ROWS.middle, ROWS.front].flat() };
const CARD = /(1\s*0|[2-9TJQKA])\s*([SHDC♠♥♦♣♤♡♢♧])[\ufe0e\ufe0f]?[\s,]*/iy;
const SIGNS = { "♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c" };

// The cards of a text in any spelling, as "Ts"; null where it is not cards throughout.
function readCards(text) {
  const cards = [];
  CARD.lastIndex = text.match(/^[\s,]*/)[0].length;
  while (CARD.lastIndex < text.length) {
    const found = CARD.exec(text);
    if (!found) return null;
    const rank = found[1].startsWith("1") ? "T" : found[1].toUpperCase();
    cards.push(rank + (SIGNS[found[2]] ?? found[2].toLowerCase()));
  }
  return cards;
}

class LaidHand {
  slots = Array(13).fill(null);
  words = { front: "", middle: "", back: "" }; // what a row holds that is not cards for its slots
  declare = "";
  natural = "";
  declared = "";
  caret = null;
  lifted = null; // a card just taken out of a slot: the next slot that is tapped takes it

  get count() {
    return Object.keys(ROWS).reduce((sum, row) => sum + this.countIn(row), 0);
  }

  get isFull() {
    return this.count >= 13;
  }

  get isEmpty() {
    return !this.count && !this.declare;
  }

  // Whether nothing is missing as far as the page can tell; the server has the last word.
  get isReady() {
    const isNamed = this.declare === "natural" && this.natural;
    return this.isFull || ["pao", "surrender"].includes(this.declare) || Boolean(isNamed);
  }

  countIn(row) {
    return this.words[row] ? ROWS[row].length : ROWS[row].filter((slot) => this.slots[slot]).length;
  }

  text(row) {
    return this.words[row] || ROWS[row].map((slot) => this.slots[slot]).filter(Boolean).join(" ");
  }

  // Take a row from a text. Cards that stand there already keep their slots.
  read(row, text) {
    if (text.trim() === this.text(row)) return;
    const cards = readCards(text);
    const fits = cards && cards.length <= ROWS[row].length && new Set(cards).size === cards.length;
    this.words[row] = fits ? "" : text.trim();
    ROWS[row].forEach((slot, place) => (this.slots[slot] = (fits && cards[place]) || null));
  }

  // The caret goes to the first free slot from `slot` on, in the order of laying, else to the first at all.
  moveCaret(order, slot = order[0]) {
    const start = order.indexOf(slot);
    const round = [...order.slice(start), ...order.slice(0, start)];
    this.caret = round.find((place) => this.isFree(place)) ?? null;
  }

  isFree(slot) {
    const row = Object.keys(ROWS).find((name) => ROWS[name].includes(slot));
    return !this.slots[slot] && !this.words[row];
  }

  // Lay a card at the caret; false where there is no room.
  lay(card, order) {
    if (this.caret === null || !this.isFree(this.caret)) this.moveCaret(order);
    if (this.caret === null) return false;
    this.slots[this.caret] = card;
    this.lifted = null;
    this.moveCaret(order, this.caret);
    return true;
  }

  takeOut(card) {
    this.caret = this.slots.indexOf(card);
    this.slots[this.caret] = null;
    this.lifted = null;
  }

  // A tap on a slot: its card comes out; the next slot that is tapped swaps with it. An empty slot takes the caret.
  tap(slot, order) {
    if (this.lifted) {
      const { card, from } = this.lifted;
      this.slots[from] = this.slots[slot];
      this.slots[slot] = card;
      this.lifted = null;
      this.moveCaret(order, from);
    } else if (this.slots[slot]) {
      const card = this.slots[slot];
      this.takeOut(card);
      this.lifted = { card, from: slot };
    } else this.caret = slot;
  }

  swapMiddleAndBack() {
    const { middle, back } = this.words;
    Object.assign(this.words, { middle: back, back: middle });
    ROWS.middle.forEach((slot, place) => {
      [this.slots[slot], this.slots[ROWS.back[place]]] = [this.slots[ROWS.back[place]], this.slots[slot]];
    });
    this.lifted = null;
  }

  clear() {
    Object.assign(this, new LaidHand());
  }

  // For taking a step back.
  snapshot() {
    const { slots, words, declare, natural, declared, caret } = this;
    return { slots: [...slots], words: { ...words }, declare, natural, declared, caret };
  }

  restore(snapshot) {
    Object.assign(this, snapshot, { lifted: null });
  }

  // The same text for the same hand: tells whether anything is different.
  get key() {
    return [...Object.keys(ROWS).map((row) => this.text(row)), this.declare, this.natural, this.declared].join("|");
  }
}
