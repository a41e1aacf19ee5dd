// What is left of a day's allowances, in a line with a bar for each that is bounded.

import { h, until } from "./dom.js";

const UNITS = { pages: "pages", cells: "table cells", slides: "slides", kib: "KiB of text" };

/** Fill `element` from the answer of /api/limits. */
export function drawLeft(element, { quota }) {
  const bounded = Object.entries(quota).filter(([, each]) => each.allowance !== null);
  if (!bounded.length) return element.replaceChildren("no daily limit on this installation");
  const [, { resetsAt }] = bounded[0];
  return element.replaceChildren(
    h("ul", { class: "left" }, bounded.map(([unit, each]) => h("li", {},
      h("span", {}, h("b", {}, each.left.toLocaleString()), ` of ${each.allowance.toLocaleString()} ${UNITS[unit] ?? unit}`),
      h("progress", { max: Math.max(1, each.allowance), value: each.left, "aria-hidden": "true" })))),
    h("span", { class: "muted" }, `anew in ${until(resetsAt)}`));
}
