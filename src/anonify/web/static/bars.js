// A bar in pieces, with what it shows in words below.

import { h } from "./dom.js";

const kind = (name) => `is-${name.replaceAll(" ", "-")}`;

/** One bar of what is how far, with its numbers below. */
export function segments(bar, parts) {
  const total = parts.reduce((sum, [, count]) => sum + count, 0);
  const shown = parts.filter(([, count]) => count > 0);
  const text = shown.map(([name, count]) => `${count.toLocaleString()} ${name}`).join(", ");
  if (bar.getAttribute("aria-label") === text) return;
  bar.setAttribute("aria-label", text || "nothing yet");
  const pieces = shown.map(([name, count]) => {
    const piece = h("span", { class: `piece ${kind(name)}` });
    piece.style.flexGrow = String(count / total);
    return piece;
  });
  bar.replaceChildren(h("div", { class: "pieces" }, pieces),
    h("p", { class: "legend" }, shown.map(([name, count]) => h("span", { class: kind(name) }, h("b", {}, count.toLocaleString()), ` ${name}`))));
}
