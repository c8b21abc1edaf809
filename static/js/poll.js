// Pages that ask by themselves what is new: [data-poll]. They rest while nobody looks, and say when nobody answers.
"use strict";

const polls = () => document.querySelectorAll("[data-poll]");
const isPoll = (event) => event.target.matches("[data-poll]");

// What the page shows now; it is sent with the next question.
document.addEventListener("drawn", (event) => {
  event.target.querySelector("[name=v]").value = event.detail.v;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (isPoll(event) && document.hidden) event.preventDefault();
});

function ask() {
  if (!document.hidden) for (const poll of polls()) htmx.trigger(poll, "refresh");
}
document.addEventListener("visibilitychange", ask);
window.addEventListener("online", ask);
window.addEventListener("pageshow", (event) => event.persisted && ask());

function answered(event, isThere) {
  if (isPoll(event)) for (const note of event.target.querySelectorAll("[data-offline]")) note.hidden = isThere;
}
document.addEventListener("htmx:afterOnLoad", (event) => answered(event, event.detail.successful));
for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, (event) => {
    // What is not there any more, such as a round that was discarded elsewhere, says so as a page of its own.
    if (isPoll(event) && event.detail.xhr.status === 404) window.location.reload();
    else answered(event, false);
  });
}
