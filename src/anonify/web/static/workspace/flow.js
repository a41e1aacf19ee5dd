// A page as running text, with its marks, its named parts, and what a person selects.

import { words } from "../dom.js";
import { pieces, units, wordAt } from "./offsets.js";
import { idOf } from "./desk.js";
import { html, useState } from "./ui.js";

const FOLDED = /^(headers?|source|quoted|signature|alternative)/i;

/** Marks and hits of a page with their UTF-16 places. */
export function placed(page, marks, hits) {
  const unit = units(page.text);
  return [...marks, ...hits].filter((mark) => mark.start !== null && mark.start !== undefined)
    .map((mark) => ({ ...mark, from: unit.to(mark.start), to: unit.to(mark.end) })).sort((a, b) => a.from - b.from);
}

function Stretch({ text, piece, desk, shift }) {
  const { mark } = piece;
  const shown = text.slice(piece.from, piece.to);
  const start = piece.from + (shift ?? 0);
  if (!mark) return html`<span data-start=${start}>${shown}</span>`;
  const target = desk.target.value;
  const here = target && (mark.id ? mark.id === target.id : mark.start === target.start && mark.end === target.end && mark.page === target.page);
  return html`<mark data-start=${start} data-id=${mark.id} class=${`${mark.status} ${idOf(mark) === desk.current.value ? "of-hand" : ""} ${here ? "here" : ""}`}
    title=${mark.status === "hit" ? "found by the search" : `${words(mark.category)}, ${mark.status}${mark.reason ? `, ${mark.reason}` : ""}`}
    onClick=${() => desk.pick(mark)}>${shown}</mark>`;
}

/** A stretch of text with the marks in it. */
export const marked = (text, start, end, marks, desk) => pieces(start, end, marks).map((piece) => html`<${Stretch} key=${piece.from} text=${text} piece=${piece} desk=${desk} />`);

function paragraphs(text, start, end, styles, draw) {
  const blocks = [];
  for (let from = start; from < end;) {
    const found = text.indexOf("\n", from);
    const to = found < 0 || found > end ? end : found;
    const heading = /heading([1-6])?|title/.test(styles.get(from) ?? "");
    if (to > from) blocks.push(html`<div key=${from} class=${heading ? "paragraph heading" : "paragraph"}>${draw(from, to)}</div>`);
    from = to + 1;
  }
  return blocks;
}

function Part({ name, open: first, undecided, children }) {
  const [open, setOpen] = useState(first);
  const shown = open || undecided > 0; // a fold never hides what nobody has decided
  if (!name) return html`<div class="part">${children}</div>`;
  return html`<div class="part"><p class="part-name"><button type="button" class="fold" aria-expanded=${String(shown)} disabled=${undecided > 0 && !open} onClick=${() => setOpen(!open)}>${words(name)}${undecided ? ` · ${undecided} to decide` : ""}</button></p>${shown && children}</div>`;
}

export function FlowPage({ desk, page, marks, hits }) {
  const { text } = page;
  if (!text.trim()) return html`<p class="muted empty-page">${page.needsOcr ? "No text could be read on this page. It may be a picture: look at it before you release the file." : "This page has no text."}</p>`;
  const unit = units(text);
  const all = placed(page, marks, hits);
  const starts = page.sections.map((part) => unit.to(part.start));
  const cuts = [...new Set([0, ...starts, text.length])].sort((a, b) => a - b);
  const names = new Map(page.sections.map((part, at) => [starts[at], part.name]));
  const draw = (start, end) => marked(text, start, end, all, desk);
  const flowing = ["docx", "rtf", "pptx"].includes(desk.outline.value.kind);
  const styles = flowing ? new Map(page.spans.filter((span) => span.style).map((span) => [unit.to(span.start), span.style])) : null;
  return html`<div class="flow" data-page=${page.number}>${cuts.slice(0, -1).map((start, at) => {
    const end = cuts[at + 1];
    const name = names.get(start);
    const titled = name && name.toLowerCase() !== "body" ? name : null;
    const undecided = all.filter((mark) => mark.status === "suggested" && mark.to > start && mark.from < end).length;
    return html`<${Part} key=${start} name=${titled} open=${!FOLDED.test(name ?? "")} undecided=${undecided}>${flowing ? paragraphs(text, start, end, styles, draw) : draw(start, end)}<//>`;
  })}</div>`;
}

/** The selected stretch inside an element whose text is `text`, in UTF-16 units, or null. */
export function selectedIn(container, text) {
  const selection = getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  if (!container.contains(range.startContainer) || !container.contains(range.endContainer)) return null;
  let [from, to] = [null, null];
  for (const element of container.querySelectorAll("[data-start]")) {
    if (!range.intersectsNode(element)) continue;
    const node = element.firstChild;
    const begins = Number(element.dataset.start);
    const first = node === range.startContainer ? range.startOffset : 0;
    const last = node === range.endContainer ? range.endOffset : node.length;
    if (last <= first) continue;
    from ??= begins + first;
    to = begins + last;
  }
  if (from === null) return null;
  while (from < to && /\s/.test(text[from])) from += 1;
  while (to > from && /\s/.test(text[to - 1])) to -= 1;
  return from === to ? null : { from, to, box: range.getBoundingClientRect() };
}

/** Select the word at a click, so that one click and one key redact it. */
export function selectWord(event, text) {
  const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  const range = caret ? null : document.caretRangeFromPoint?.(event.clientX, event.clientY);
  const [node, offset] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset];
  const holder = node?.parentElement;
  if (!holder?.dataset?.start || holder.tagName === "MARK") return;
  const begins = Number(holder.dataset.start);
  const word = wordAt(text, begins + offset);
  if (!word) return;
  const from = Math.max(0, word[0] - begins);
  const to = Math.min(node.length, word[1] - begins);
  if (to > from) getSelection().setBaseAndExtent(node, from, node, to);
}
