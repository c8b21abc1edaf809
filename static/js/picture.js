// The picture of an evening as PNG, which apps for messages take: the browser paints what the server drew.
"use strict";

const SHARPNESS = 2; // pixels to a unit of the drawing

async function paint(picture) {
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = picture.width * SHARPNESS;
  canvas.height = picture.height * SHARPNESS;
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], picture.dataset.name, { type: "image/png" });
}

function keep(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function preparePicture() {
  const picture = document.getElementById("picture");
  if (!picture) return;
  const file = await paint(picture); // before any tap: a browser shares only what is ready
  for (const button of document.querySelectorAll("[data-picture]")) {
    const shares = button.dataset.picture === "share";
    button.hidden = shares && !navigator.canShare?.({ files: [file] });
    button.addEventListener("click", () => (shares ? navigator.share({ files: [file] }).catch(() => {}) : keep(file)));
  }
}
preparePicture();
