// A page's text with marks. The server counts code points, the browser UTF-16 units; both are translated here only.

import { h, words } from "./dom.js";

/** Translators for one text: code points to UTF-16 units and back. */
export function units(text) {
  if (!/[\ud800-\udfff]/.test(text)) return { to: (offset) => offset, from: (offset) => offset };
  const starts = [];
  for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) starts.push(at);
  starts.push(text.length);
  return {
    to: (offset) => starts[offset],
    from: (offset) => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (starts[middle] < offset) low = middle + 1; else high = middle;
      }
      return low;
    },
  };
}

/** Stretches of `[start, end)` of a text, split where marks begin and end; accepted wins over suggested. */
function pieces(start, end, marks) {
  const cuts = new Set([start, end]);
  for (const mark of marks) {
    if (mark.to > start && mark.from < end) { cuts.add(Math.max(start, mark.from)); cuts.add(Math.min(end, mark.to)); }
  }
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1];
    const over = marks.filter((mark) => mark.from <= from && mark.to >= to);
    return { from, to, mark: over.find((mark) => mark.status === "accepted") ?? over[0] };
  });
}

function stretch(text, piece, picked) {
  const shown = text.slice(piece.from, piece.to);
  if (!piece.mark) return h("span", { "data-start": String(piece.from) }, shown);
  return h("mark", {
    "data-start": String(piece.from), "data-id": piece.mark.id, class: piece.mark.status, title: `${piece.mark.explanation ?? words(piece.mark.category)}, ${piece.mark.status}`,
    onclick: () => picked(piece.mark.id),
  }, shown);
}

/** Styles by where their span starts. */
function styles(page, unit) {
  return new Map(page.spans.filter((span) => span.style).map((span) => [unit.to(span.start), span.style]));
}

/** Lines of a text that are paragraphs, each a block of its own. */
function paragraphs(text, start, end, styled, draw) {
  const blocks = [];
  for (let from = start; from < end;) {
    const found = text.indexOf("\n", from);
    const to = found < 0 || found > end ? end : found;
    const heading = /heading([1-6])?|title/.test(styled.get(from) ?? "");
    if (to > from) blocks.push(h("div", { class: heading ? "paragraph heading" : "paragraph" }, draw(from, to)));
    from = to + 1;
  }
  return blocks;
}

const UNSEEN = {
  "hidden-row": "in a hidden row", "no-height": "in a row without height", "hidden-column": "in a hidden column", "no-width": "in a column without width",
  "empty-format": "its format shows nothing", "same-colour": "in the colour of its ground", merged: "under a merged cell", "behind-drawing": "behind a drawing",
};

/** Why the sheet does not show a cell, or undefined. */
function unseen(marks, row, column) {
  const mark = marks.find((item) => item.firstRow <= row && row <= item.lastRow && item.firstColumn <= column && column <= item.lastColumn);
  return mark && `Not shown in the sheet: ${UNSEEN[mark.reason] ?? mark.reason}`;
}

/** The elements of a page: flowing text, or a table for rows of a sheet. `picked` is told the redaction of a clicked mark. */
export function pageElements(page, redactions, picked, { headerRow = null, flowing = false } = {}) {
  const { text } = page;
  const unit = units(text);
  const marks = redactions
    .filter((item) => item.page === page.number && item.start !== null && item.status !== "rejected")
    .map((item) => ({ ...item, from: unit.to(item.start), to: unit.to(item.end) }));
  const draw = (start, end) => pieces(start, end, marks.filter((mark) => mark.to > start && mark.from < end)).map((piece) => stretch(text, piece, picked));
  if (page.sheet === null) {
    const cuts = [...new Set([0, ...page.sections.map((part) => unit.to(part.start)), text.length])].sort((a, b) => a - b);
    const names = new Map(page.sections.map((part) => [unit.to(part.start), part.name]));
    const fill = flowing ? (start, end) => paragraphs(text, start, end, styles(page, unit), draw) : draw;
    return cuts.slice(0, -1).map((start, index) => {
      const name = names.get(start);
      return h("div", { class: "part" }, name && name.toLowerCase() !== "body" && h("p", { class: "part-name" }, words(name)), fill(start, cuts[index + 1]));
    });
  }
  const whole = new Map(redactions
    .filter((item) => item.sheet === page.sheet && item.start === null && item.status !== "rejected")
    .sort((a, b) => (a.status === "accepted") - (b.status === "accepted"))
    .map((item) => [`${item.row ?? ""}:${item.column ?? ""}`, item]));
  let at = 0;
  const numbers = page.rowNumbers;
  const rows = text.split("\n").map((line, index) => {
    const dim = (page.unseen ?? []).filter((item) => item.firstRow <= numbers[index] && numbers[index] <= item.lastRow);
    const cells = line.split("\t").map((cell, column) => {
      const start = at;
      at += cell.length + 1;
      const over = [`${numbers[index]}:${column + 1}`, `${numbers[index]}:`, `:${column + 1}`].map((key) => whole.get(key)).filter(Boolean);
      const mark = over.find((item) => item.status === "accepted") ?? over[0];
      const header = mark && mark.row === null && numbers[index] <= headerRow;
      const style = !mark || header ? {} : { class: mark.status === "accepted" ? "gone" : "hinted", onclick: () => picked(mark.id) };
      const why = cell && dim.length ? unseen(dim, numbers[index], column + 1) : undefined;
      if (why) Object.assign(style, { class: `${style.class ?? ""} not-shown`.trim(), title: why, "aria-description": why });
      return h("td", style, cell ? draw(start, start + cell.length) : "");
    });
    return h("tr", {}, h("th", { scope: "row" }, String(numbers[index] ?? "")), cells);
  });
  return [h("table", { class: "grid" }, h("tbody", {}, rows))];
}

/** The selected stretch of the page in code points, or null. */
export function selected(container, text) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!container.contains(range.startContainer) || !container.contains(range.endContainer)) return null;
  let start = null;
  let end = null;
  for (const element of container.querySelectorAll("[data-start]")) {
    if (!range.intersectsNode(element)) continue;
    const node = element.firstChild;
    const from = Number(element.dataset.start);
    const first = node === range.startContainer ? range.startOffset : 0;
    const last = node === range.endContainer ? range.endOffset : node.length;
    if (last <= first) continue;
    start ??= from + first;
    end = from + last;
  }
  if (start === null) return null;
  while (start < end && /\s/.test(text[start])) start += 1;
  while (end > start && /\s/.test(text[end - 1])) end -= 1;
  if (start === end) return null;
  const unit = units(text);
  return { start: unit.from(start), end: unit.from(end), box: range.getBoundingClientRect(), value: text.slice(start, end) };
}
