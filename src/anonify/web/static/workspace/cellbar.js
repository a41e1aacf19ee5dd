// The whole text of the active cell, below the sheet: its marks, and the selection of a part of it.

import { words } from "../dom.js";
import { inPage } from "./blocks.js";
import { idOf } from "./desk.js";
import { marked, selectedIn, selectWord } from "./flow.js";
import { html, useEffect, useRef } from "./ui.js";

const WORD = /\S+/g;

/** Select UTF-16 units `[from, to)` of an element drawn by `marked`. */
function select(element, from, to) {
  const spot = (offset, atEnd) => {
    for (const holder of element.querySelectorAll("[data-start]")) {
      const begins = Number(holder.dataset.start);
      const ends = begins + holder.textContent.length;
      if (atEnd ? offset <= ends : offset < ends) return [holder.firstChild, offset - begins];
    }
    return null;
  };
  const [first, last] = [spot(from, false), spot(to, true)];
  if (first && last) getSelection().setBaseAndExtent(...first, ...last);
}

/** Words by the arrow keys, more of them with Shift: what a mouse selects, without one. */
function byWords(event, element, text, span) {
  if (!["ArrowLeft", "ArrowRight"].includes(event.key) || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const all = [...text.matchAll(WORD)];
  if (!all.length) return;
  const by = event.key === "ArrowRight" ? 1 : -1;
  const known = span.current?.text === text ? span.current : null;
  const to = Math.min(Math.max(0, known ? known.to + by : 0), all.length - 1);
  const from = known && event.shiftKey ? known.from : to;
  span.current = { text, from, to };
  const [low, high] = [all[Math.min(from, to)], all[Math.max(from, to)]];
  select(element, low.index, high.index + high[0].length);
}

function Whole({ desk, mark, name }) {
  return html`<button type="button" class=${`button small whole ${mark.status} ${idOf(mark) === desk.current.value ? "of-hand" : ""}`} onClick=${() => desk.pick(mark)}>${name}: ${words(mark.category)}, ${mark.status}</button>`;
}

/**
 * `row` is a row of the sheet or null while it is not here, `marks` those of the cell's text, `whole` the marks
 * { cell, row, column } over all of it, `unseen` why the sheet does not show it. `leave` gives the focus back to the sheet.
 */
export function CellBar({ desk, name, title, row, column, marks, whole, unseen, leave }) {
  const body = useRef();
  const span = useRef(null);
  const held = useRef(false);
  const text = row?.cells[column - 1] ?? "";

  const choose = () => {
    const found = body.current && !held.current ? selectedIn(body.current, text) : null;
    if (!found) return;
    const { from, to, box } = found;
    desk.choice.value = { ...inPage(row, column, from, to), value: text.slice(from, to), screen: { left: box.left, top: box.top } };
  };
  useEffect(() => {
    const released = () => { if (held.current) { held.current = false; setTimeout(choose); } };
    document.addEventListener("selectionchange", choose);
    addEventListener("pointerup", released);
    addEventListener("pointercancel", released);
    return () => {
      document.removeEventListener("selectionchange", choose);
      removeEventListener("pointerup", released);
      removeEventListener("pointercancel", released);
    };
  }, [row, column, text]);

  const key = (event) => {
    if (event.key !== "Escape") {
      byWords(event, body.current, text, span);
      return choose(); // the browser tells of a selection later than the next key may come
    }
    event.preventDefault();
    getSelection().removeAllRanges();
    desk.choice.value = null;
    return leave();
  };
  const click = (event) => { if (getSelection().isCollapsed && event.target.tagName !== "MARK") selectWord(event, text); };
  return html`<section class="cell-bar" aria-label=${`Cell ${name}`}>
    <p class="cell-name"><b>${name}</b>${title && html`<span class="title">${title}</span>`}${Object.entries(whole).map(([kind, mark]) => mark && html`<${Whole} key=${kind} desk=${desk} mark=${mark} name=${`Whole ${kind}`} />`)}${unseen && html`<i>${unseen}</i>`}</p>
    <div class="cell-text" id="cell-text" ref=${body} tabindex="0" role="group" aria-label="Text of the cell. Left and right select words, Shift selects more." data-own-arrows
      onKeyDown=${key} onPointerDown=${() => { held.current = true; }} onClick=${click}>${row === null ? html`<span class="muted">Loading…</span>` : text ? marked(text, 0, text.length, marks, desk) : html`<span class="muted">empty</span>`}</div>
  </section>`;
}
