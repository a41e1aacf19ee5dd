// The document: pages one below the other, each as its picture or as text, or a sheet's grid.

import { FlowPage, selectWord, selectedIn } from "./flow.js";
import { Grid } from "./grid.js";
import { units } from "./offsets.js";
import { Pages } from "./pages.js";
import { Act } from "./parts.js";
import { PicturePage } from "./picture.js";
import { html, still, useEffect, useRef, useState } from "./ui.js";
import { Virtual } from "./virtual.js";

const hitsOn = (desk, number) => (desk.tab.value === "search" ? (desk.found.value?.places ?? []).filter((hit) => hit.page === number && !hit.marked).map((hit) => ({ ...hit, status: "hit" })) : []);

const onlyPicture = (page) => page.needsOcr || page.spans.length === 0 || page.spans.every((span) => span.source === "ocr");

/** Whether a page is shown as a picture: every page of a PDF or a picture can be, of an Office file only those that are one. */
function pictured(desk, page) {
  if (!desk.outline.value.pictured || page.width === null || page.height === null) return false;
  return desk.picture.value && (["pdf", "image"].includes(desk.outline.value.kind) || onlyPicture(page));
}

function PageView({ desk, pages, number, width }) {
  const { page, marks, failed } = pages.of(number).value;
  const changed = desk.changed.value; // marks are asked for anew when this is raised
  useEffect(() => () => pages.leave(number), []);
  const total = desk.outline.value.pages;
  return html`<section class="page" aria-label=${`Page ${number} of ${total}`} data-changed=${changed}>
    <p class="page-name" aria-hidden="true">${number.toLocaleString()}</p>
    ${failed && html`<p class="notice bad">${failed}</p>`}
    ${!page ? html`<div class="page-wait"></div>` : pictured(desk, page)
      ? html`<${PicturePage} desk=${desk} page=${page} marks=${marks} hits=${hitsOn(desk, number)} width=${width} />`
      : html`<${FlowPage} desk=${desk} page=${page} marks=${marks} hits=${hitsOn(desk, number)} />`}
  </section>`;
}

/** What the mouse, a finger or Shift and arrows have selected in a page's text. */
function watchSelection(desk, pages) {
  const look = () => {
    const selection = getSelection();
    if (selection.rangeCount === 0 || document.activeElement?.closest(".choice-bar")) return;
    const flow = selection.anchorNode?.parentElement?.closest(".flow");
    if (!flow) return;
    const number = Number(flow.dataset.page);
    const { page } = pages.of(number).peek();
    const found = page && selectedIn(flow, page.text);
    if (!found) {
      if (!selection.isCollapsed && selection.focusNode?.parentElement?.closest(".flow") !== flow) desk.say("What is selected ends on another page. Select on one page at a time.");
      if (desk.choice.peek()?.start !== undefined) desk.choice.value = null;
      return;
    }
    const unit = units(page.text);
    desk.choice.value = { page: number, start: unit.from(found.from), end: unit.from(found.to), value: page.text.slice(found.from, found.to), screen: { left: found.box.left, top: found.box.top } };
  };
  document.addEventListener("selectionchange", look);
  return () => document.removeEventListener("selectionchange", look);
}

function Paged({ desk, first, count }) {
  const [pages] = useState(() => new Pages(desk));
  const [width, setWidth] = useState(Math.min(innerWidth, 900));
  const handle = useRef();
  const drawnWidth = Math.min(width - 32, 900);
  useEffect(() => watchSelection(desk, pages), []);
  useEffect(() => { desk.showPage = (number) => handle.current?.show(number - first, "start"); return () => { desk.showPage = null; }; }, [first]);
  const target = desk.target.value;
  useEffect(() => {
    if (!target?.page || target.page < first || target.page >= first + count) return undefined;
    const view = handle.current;
    let stop = false;
    let tries = 0;
    const drawn = () => document.querySelector(`.flow[data-page="${target.page}"], .picture[data-page="${target.page}"]`);
    const find = () => {
      if (stop) return;
      if (tries % 30 === 0 && !drawn()) view.show(target.page - first, "start"); // again: heights become known on the way
      const mark = document.querySelector(target.id ? `.paged [data-id="${target.id}"]` : ".paged .here");
      if (mark) mark.scrollIntoView({ block: "center", behavior: still.matches || tries > 3 ? "auto" : "smooth" });
      else if ((tries += 1) < 120) requestAnimationFrame(find);
    };
    find();
    return () => { stop = true; };
  }, [target]);
  const shape = pages.shape.value;
  const guess = shape?.width && pictured(desk, shape) ? drawnWidth * (shape.height / shape.width) + 24 : 700;
  const click = (event) => {
    const flow = event.target.closest?.(".flow");
    if (!flow || !getSelection().isCollapsed || event.target.closest("mark, button")) return;
    const { page } = pages.of(Number(flow.dataset.page)).peek();
    if (page) selectWord(event, page.text);
  };
  return html`<div class="paged" onClick=${click}><${Virtual} class="canvas-scroll" id="document" tabIndex=${0} role="region" label="The document" count=${count} gap=${16}
    keyOf=${(at) => `${first + at}${desk.picture.value ? "p" : "t"}`} estimate=${() => guess} version=${`${first} ${desk.picture.value} ${drawnWidth} ${guess}`}
    render=${(at) => html`<${PageView} desk=${desk} pages=${pages} number=${first + at} width=${drawnWidth} />`}
    onWidth=${setWidth} onSeen=${(at) => { desk.seen.value = first + at; }} handle=${(made) => { handle.current = made; }} /></div>`;
}

/** What can be done with what is pointed at: beside it, and by key. */
function ChoiceBar({ desk }) {
  const choice = desk.choice.value;
  const bar = useRef();
  useEffect(() => {
    if (!choice?.screen || !bar.current) return;
    const { left, top } = choice.screen ?? { left: 100, top: 100 };
    const box = bar.current.getBoundingClientRect();
    bar.current.style.left = `${Math.max(8, Math.min(left, innerWidth - box.width - 8))}px`;
    bar.current.style.top = `${Math.max(8, Math.min(top - box.height - 10, innerHeight - box.height - 8))}px`;
  }, [choice]);
  if (!choice?.screen) return null; // a cell gone to by keys can be redacted by key; a bar would hide its neighbours
  const keep = (event) => event.preventDefault(); // the selection must not be lost to the press
  const what = choice.value || choice.label || (choice.box ? "Region" : choice.column === undefined ? `Row ${choice.row}` : choice.row === undefined ? "Column" : "Cell");
  return html`<div class="choice-bar" role="toolbar" aria-label="Selected" ref=${bar} onPointerDown=${keep} onMouseDown=${keep}>
    <span class="choice-what">${what}</span>
    <${Act} desk=${desk} id="redact" primary>Redact<//>
    ${choice.value && html`<${Act} desk=${desk} id="everywhere">Everywhere<//>`}
    ${choice.box && html`<${Act} desk=${desk} id="every-page">Every page<//>`}
    ${choice.page !== undefined && html`<${Act} desk=${desk} id="keep-only">Keep only<//>`}
    <${Act} desk=${desk} id="close" label="Let go">✕<//>
  </div>`;
}

export function Canvas({ desk }) {
  const { pages, sheets } = desk.outline.value;
  const own = sheets.reduce((most, sheet) => Math.max(most, (sheet.firstPage ?? 1) + (sheet.pages ?? 0) - 1), 0);
  const rest = sheets.length ? pages - own : pages;
  const beside = desk.sheet.value >= sheets.length && sheets.length > 0;
  return html`<section class=${`canvas ${sheets.length && !beside ? "is-sheet" : ""}`} aria-label="Document">
    ${sheets.length > 0 && rest > 0 && html`<div class="tabs sheet-rest" role="group" aria-label="Parts of the file">
      <button type="button" class="tab" aria-pressed=${!beside} onClick=${() => { desk.sheet.value = 0; }}>Sheets</button>
      <button type="button" class="tab" aria-pressed=${beside} onClick=${() => { desk.sheet.value = sheets.length; }}>Comments, pictures and more</button></div>`}
    ${sheets.length && !beside ? html`<${Grid} desk=${desk} />` : pages ? html`<${Paged} key=${beside} desk=${desk} first=${beside ? own + 1 : 1} count=${beside ? rest : pages} />` : html`<p class="muted none">This document has no pages.</p>`}
    <${ChoiceBar} desk=${desk} />
  </section>`;
}
