// Small comforts. Every page works without this file; nothing here decides anything.
"use strict";

// The clipboard is for https and localhost only. At home the site is mostly plain http: there the old command still works.
async function copyFrom(source) {
  const text = source.value ?? source.innerText;
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  if (source.select) source.select();
  else window.getSelection().selectAllChildren(source);
  document.execCommand("copy");
}

// Says "Copied" in the button itself, where the finger is.
function confirmIn(button) {
  if (button.dataset.done === button.textContent) return;
  const before = [...button.childNodes];
  button.replaceChildren(button.dataset.done);
  setTimeout(() => button.replaceChildren(...before), 2000);
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy], [data-share], [data-print], [data-dismiss]");
  if (!button) return;
  const { copy, share, print, dismiss } = button.dataset;
  if (dismiss !== undefined) button.closest(".toast").remove();
  if (print !== undefined) window.print();
  if (copy) {
    await copyFrom(document.querySelector(copy));
    confirmIn(button);
  }
  if (share) {
    const source = document.querySelector(share);
    // Closing the sheet of apps without choosing one rejects as well; there is nothing to say then.
    await navigator.share({ text: source.value ?? source.innerText }).catch(() => {});
  }
});

// What needs this file, or a browser that can share, stands hidden in the page and is shown here.
function reveal(root) {
  const useful = ["[data-copy]", "[data-print]", "[data-dismiss]", ...(navigator.share ? ["[data-share]"] : [])];
  for (const button of root.querySelectorAll(useful.join())) button.hidden = false;
}
reveal(document); // the script is deferred: the page is complete
document.addEventListener("htmx:load", (event) => reveal(event.target));

// A second tap is swallowed until the answer is there. The server counts only one anyway.
function sendOnce(event) {
  const form = event.target;
  if (form.method !== "post") return;
  if (form.dataset.busy) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  form.dataset.busy = "true";
  event.submitter?.setAttribute("aria-busy", "true");
}
document.addEventListener("submit", sendOnce, true); // before htmx sees it

function release(form) {
  delete form.dataset.busy;
  for (const control of form.elements) control.removeAttribute("aria-busy"); // the dock's buttons are among them
}
// htmx keeps the page as it is where no answer comes, or one that is an error: then at least it is said.
function tellFailure() {
  const notes = document.getElementById("notes");
  const toast = document.createElement("div");
  toast.className = "toast toast-warn";
  toast.textContent = notes.dataset.failed;
  notes.replaceChildren(toast);
}
document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.target;
  if (!form.matches("form")) return;
  if (form.dataset.busy && !event.detail.successful) tellFailure();
  release(form);
});
// Back from the next page: the browser shows this one again as it was left, still busy.
window.addEventListener("pageshow", () => document.querySelectorAll("form[data-busy]").forEach(release));
