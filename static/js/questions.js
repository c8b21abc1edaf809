// What is asked where rows in words tell too little: a tap tells the row in more detail, or who wins it.
"use strict";

class Questions {
  constructor(picker) {
    this.picker = picker;
  }

  // Whether a tap was for this part. htmx would send a button that was tapped with every later request: it loses its name.
  clicked(event, button) {
    const { name, value } = button;
    if (!button.closest(".asked") || !name) return false;
    event.preventDefault();
    button.removeAttribute("name");
    for (const other of button.closest(".ask, li").querySelectorAll("button")) other.disabled = true;
    if (name === "won") this.decide(value);
    else this.tell(name, value);
    return true;
  }

  // The next question comes with what the server says.
  tell(name, text) {
    const { picker } = this;
    const [pk, row] = name.split("-");
    picker.turnTo(pk);
    picker.isAttending = true;
    picker.change(() => picker.hand.read(row, text));
  }

  decide(answer) {
    const [row, a, b, , told] = JSON.parse(answer);
    this.picker.past.push([this.picker.active, null, JSON.stringify([row, a, b, null, told])]);
    this.picker.keeper.say(answer);
  }
}
