// The arrow keys turn the pages of a replay. Each is a link on the page as well.
"use strict";

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = rel && document.querySelector(`a[rel="${rel}"]`);
  if (!link || event.target.closest(".scroll, input, select, textarea")) return;
  event.preventDefault();
  link.click();
});
