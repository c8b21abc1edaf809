// Keeps what is laid: in the fields of the form, on the server while one plays, and on this phone until it is there.
"use strict";

const RETRY = [2000, 4000, 8000, 15000]; // milliseconds

class Keeper {
  // `hands` by their key; `changed` is called when an answer or another device changed what is known.
  constructor(form, hands, { round, changed, kept }) {
    Object.assign(this, { form, hands, changed, kept });
    this.store = `capsa-laid-${round}`;
    this.dirty = new Set(); // hands that the server may not have yet
    this.answers = new Set(); // who wins a row, likewise
    this.held = new Set(); // hands that another device changed as well: the host decides
    this.failures = 0;
    for (const pk of hands.keys()) this.begin(pk);
    this.bringBack();
    this.listen();
  }

  listen() {
    this.form.addEventListener("input", (event) => this.typed(event.target));
    this.form.addEventListener("htmx:configRequest", (event) => this.sending(event));
    this.form.addEventListener("htmx:afterRequest", (event) => this.answered(event.detail));
    this.form.addEventListener("submit", () => (this.leaving = true)); // it sends every hand itself
    this.form.addEventListener("click", (event) => event.target.closest("[data-forget]") && this.forget());
    for (const event of ["load", "online"]) window.addEventListener(event, () => this.sendAgain());
    window.addEventListener("pagehide", () => this.sendOff());
    window.addEventListener("pageshow", (event) => event.persisted && this.backAgain());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.sendOff() : this.sendAgain()));
  }

  begin(pk) {
    this.readFields(pk);
    if (!this.isConflict(pk)) return;
    this.held.add(pk);
    this.dirty.add(pk);
  }

  isConflict(pk) {
    return Boolean(document.getElementById(`note-${pk}`).dataset.stale);
  }

  // ---- the fields, which are what is sent

  // A button may send something of the same name in place of the field.
  field(pk, name) {
    return this.form.querySelector(`[name="${pk}-${name}"]:not(button)`);
  }

  announced(pk) {
    return [...this.form.querySelectorAll(`[name="${pk}-declared"]`)];
  }

  readFields(pk) {
    const hand = this.hands.get(pk);
    for (const row of Object.keys(ROWS)) hand.read(row, this.field(pk, row).value);
    hand.declare = this.field(pk, "declare").value;
    hand.natural = this.field(pk, "natural")?.value ?? "";
    hand.declared = this.announced(pk).filter((box) => box.checked).map((box) => box.value).join(" ");
  }

  writeFields(pk) {
    const hand = this.hands.get(pk);
    for (const row of Object.keys(ROWS)) this.field(pk, row).value = hand.text(row);
    this.field(pk, "declare").value = hand.declare;
    if (this.field(pk, "natural")) this.field(pk, "natural").value = hand.natural;
    for (const box of this.announced(pk)) box.checked = hand.declared.split(" ").includes(box.value);
  }

  // ---- keeping

  // The picker changed a hand. What is finished goes off at once, the rest as soon as one pauses.
  keep(pk, finished) {
    this.writeFields(pk);
    this.mark(pk);
    if (finished) htmx.trigger(this.form, "keep");
    else this.form.dispatchEvent(new Event("input"));
  }

  // The host said who wins a row; of several words about one row the last counts.
  say(answer) {
    this.answers.delete(answer);
    this.answers.add(answer);
    this.write();
    htmx.trigger(this.form, "keep");
  }

  typed(field) {
    const pk = field.closest?.("[data-fields]")?.dataset.fields;
    if (!pk) return;
    this.readFields(pk);
    this.mark(pk);
    this.changed();
  }

  mark(pk) {
    this.dirty.add(pk);
    this.write();
  }

  get isKept() {
    return !this.dirty.size && !this.answers.size;
  }

  // Only what changed here is sent: what others change on their own phones is none of this page's business. Returns it.
  // A server that keeps nothing is sent everything each time.
  leaveOutClean(formData) {
    formData.set("sent", Date.now()); // of two requests that overtake each other the later one counts
    const sent = new Map();
    for (const answer of this.answers) formData.append("won", answer);
    const isStateless = this.form.hasAttribute("data-stateless");
    for (const [pk, hand] of this.hands) {
      if (isStateless || this.dirty.has(pk)) sent.set(pk, hand.key);
      else for (const name of [...formData.keys()]) if (name.startsWith(`${pk}-`)) formData.delete(name);
    }
    return sent;
  }

  sending(event) {
    const sent = this.leaveOutClean(event.detail.formData);
    // What a pause in typing would have sent went off with a finished row.
    if (!sent.size && event.detail.triggeringEvent?.type === "input") event.preventDefault();
    else [this.sent, this.sentAnswers] = [sent, [...this.answers]];
  }

  answered({ successful, xhr }) {
    if (this.leaving) return undefined;
    if (!successful) return this.failed();
    // The round was scored elsewhere, say: another page is due. What is not kept waits on this phone.
    const isElsewhere = new URL(xhr.responseURL).pathname !== new URL(this.form.action).pathname;
    if (isElsewhere) window.location.assign(xhr.responseURL);
    if (!xhr.responseText.includes("data-typed")) return undefined;
    this.failures = 0;
    this.kept("");
    for (const pk of this.hands.keys()) this.take(pk);
    for (const answer of this.sentAnswers) this.answers.delete(answer);
    this.write();
    return this.changed();
  }

  // What the server says about a hand. It is taken over unless the hand was changed here since it was sent.
  take(pk) {
    const hand = this.hands.get(pk);
    const sent = this.sent.get(pk);
    if (this.isConflict(pk)) this.held.add(pk);
    else this.held.delete(pk);
    if (this.held.has(pk) || (this.dirty.has(pk) && sent !== hand.key)) return;
    this.dirty.delete(pk);
    const stands = this.stands(pk);
    if (stands.key === hand.key) return;
    hand.restore({ ...stands.snapshot(), caret: hand.caret });
    this.writeFields(pk);
    this.field(pk, "thirteen").value = ""; // cards pasted there stand in the rows now
  }

  // The hand as it stands on the server, by its last answer.
  stands(pk) {
    const stands = new LaidHand();
    for (const row of Object.keys(ROWS)) stands.read(row, document.getElementById(`told-${pk}-${row}`).dataset.typed);
    const { declare, natural, declared } = document.getElementById(`version-${pk}`).dataset;
    return Object.assign(stands, { declare, natural, declared });
  }

  // ---- without a connection

  failed() {
    this.kept("offline");
    clearTimeout(this.retry);
    this.retry = setTimeout(() => this.sendAgain(), RETRY[Math.min(this.failures, RETRY.length - 1)]);
    this.failures += 1;
  }

  sendAgain() {
    if (!this.isKept) htmx.trigger(this.form, "keep");
  }

  backAgain() {
    this.leaving = false;
    htmx.trigger(this.form, "keep");
  }

  // The page goes, or the phone falls asleep.
  sendOff() {
    if (this.isKept || this.leaving) return;
    const formData = new FormData(this.form);
    this.leaveOutClean(formData);
    navigator.sendBeacon(this.form.action, formData);
  }


  // ---- on this phone, until the server has it

  write() {
    const hands = {};
    for (const pk of this.dirty) {
      const { caret, ...laid } = this.hands.get(pk).snapshot();
      hands[pk] = { ...laid, version: this.field(pk, "version").value };
    }
    try {
      if (this.isKept) localStorage.removeItem(this.store);
      else localStorage.setItem(this.store, JSON.stringify({ editor: this.form.elements.editor.value, hands, answers: [...this.answers] }));
    } catch {
      // A full or forbidden store only means that nothing is kept here.
    }
  }

  // After a reload: what the server did not get before. Who took what stands there says so in the address as well: his
  // tap may have come before this script.
  bringBack() {
    if (new URLSearchParams(window.location.search).has("forget")) {
      window.history.replaceState(null, "", window.location.pathname);
      this.forget();
      return;
    }
    let left;
    try {
      left = JSON.parse(localStorage.getItem(this.store));
    } catch {
      return;
    }
    if (!left) return;
    this.answers = new Set(left.answers);
    for (const [pk, { version, ...laid }] of Object.entries(left.hands)) {
      const hand = this.hands.get(pk);
      if (!hand || Object.assign(new LaidHand(), laid).key === hand.key) continue;
      hand.restore(laid);
      this.writeFields(pk);
      this.field(pk, "version").value = version;
      this.form.elements.editor.value = left.editor;
      this.dirty.add(pk);
    }
    this.write();
  }

  forget() {
    this.dirty.clear();
    this.answers.clear();
    this.write();
  }
}
