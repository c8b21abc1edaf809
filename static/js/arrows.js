// Ways through many buttons for the keyboard.
"use strict";

// One stop for the tab key in an area; the arrow keys go on to the nearest button in their direction.
function rove(area) {
  const buttons = () => [...area.querySelectorAll("button")].filter((button) => button.offsetParent);
  const only = (chosen) => buttons().forEach((button) => (button.tabIndex = button === chosen ? 0 : -1));
  area.addEventListener("focusin", (event) => only(event.target.closest("button")));
  area.addEventListener("keydown", (event) => {
    const to = nearest(buttons(), event.target, event.key);
    if (!to) return;
    event.preventDefault();
    to.focus();
  });
  area.querySelectorAll("button").forEach((button, place) => (button.tabIndex = place ? -1 : 0));
}

// Where the button that had the stop is hidden now, the first one to be seen takes it.
function keepStop(area) {
  const seen = [...area.querySelectorAll("button")].filter((button) => button.offsetParent);
  if (seen.length && seen.every((button) => button.tabIndex)) seen[0].tabIndex = 0;
}

function nearest(buttons, from, key) {
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  if (!x && !y) return null;
  const here = from.getBoundingClientRect();
  const distance = (button) => {
    const there = button.getBoundingClientRect();
    const [right, down] = [there.left - here.left, there.top - here.top];
    const along = x * right + y * down;
    return along > 1 ? along + 4 * Math.abs(x ? down : right) : Infinity;
  };
  const best = buttons.reduce((one, other) => (distance(other) < distance(one) ? other : one));
  return distance(best) < Infinity ? best : null;
}
