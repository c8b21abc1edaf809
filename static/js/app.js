// Small comforts. Every page works without this file; nothing here decides anything.
"use strict";

// Copy the text of the element named in data-copy. The clipboard is for https and localhost only; at home the site is
// mostly plain http, there the old command on a selection still works.
async function copyFrom(source) {
  const text = "value" in source ? source.value : source.innerText;
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  if ("select" in source) source.select();
  else window.getSelection().selectAllChildren(source);
  document.execCommand("copy");
}

function say(button, text) {
  const before = button.textContent;
  button.textContent = text;
  setTimeout(() => { button.textContent = before; }, 2000);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-share], [data-print], [data-dismiss]");
  if (!button) return;
  if (button.matches("[data-dismiss]")) button.closest(".toast").remove();
  else if (button.matches("[data-print]")) window.print();
  else if (button.matches("[data-copy]")) {
    await copyFrom(document.querySelector(button.dataset.copy));
    if (button.dataset.done) say(button, button.dataset.done);
  } else {
    // Closing the sheet of apps without choosing one is no error.
    const source = document.querySelector(button.dataset.share);
    await navigator.share({ text: source.value ?? source.innerText }).catch(() => {});
  }
});

// Buttons that need this file, or a browser that can share, are hidden in the page and shown here.
function reveal(root) {
  const shown = navigator.share ? "[data-share], [data-print], [data-dismiss], [data-copy]" : "[data-print], [data-dismiss], [data-copy]";
  for (const button of root.querySelectorAll(shown)) button.hidden = false;
}

// A second tap on a button that sends is swallowed until the answer is there. The server counts only one anyway.
function setBusy(form, busy, button) {
  form.toggleAttribute("data-busy", busy);
  for (const each of busy ? [button].filter(Boolean) : document.querySelectorAll("[aria-busy]")) {
    if (busy) each.setAttribute("aria-busy", "true");
    else if (each.form === form) each.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.hasAttribute("data-busy")) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else setBusy(form, true, event.submitter);
}, true);

// Back from the next page (kept in memory by the browser), or an answer by htmx: the form is free again.
window.addEventListener("pageshow", () => document.querySelectorAll("form[data-busy]").forEach((form) => setBusy(form, false)));
document.addEventListener("htmx:afterRequest", (event) => { if (event.target.matches("form")) setBusy(event.target, false); });
document.addEventListener("htmx:load", (event) => reveal(event.target));
document.addEventListener("DOMContentLoaded", () => reveal(document));
