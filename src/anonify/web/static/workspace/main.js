// The workspace: one document, from its reading to its export.

import { get } from "../api.js";
import { bytes, h, length, notice, plural, until, words } from "../dom.js";
import { processing } from "../processing.js";
import { Canvas } from "./canvas.js";
import { Cards } from "./cards.js";
import { Compare } from "./compare.js";
import { Desk, firstValues } from "./desk.js";
import { Export } from "./export.js";
import { keepFocus } from "./focus.js";
import { Inspector } from "./inspector.js";
import { listen } from "./keys.js";
import { Act, Modal } from "./parts.js";
import { Rail } from "./rail.js";
import { Rules } from "./rules.js";
import { Shortcuts } from "./shortcuts.js";
import { Wider } from "./wider.js";
import { html, render } from "./ui.js";

/** Whether what is in view can be a picture: of a workbook only what stands beside its sheets. */
const showsPictures = (desk) => desk.outline.value.pictured && (!desk.grid.value || desk.sheet.value >= desk.outline.value.sheets.length);

function Head({ desk }) {
  const row = desk.row.value;
  const facts = [row.kind?.toUpperCase(), length(row), bytes(row.size), `looked for ${words(row.preset)}`, `deleted in ${until(row.expiresAt)}`].filter(Boolean).join(" · ");
  return html`<div class="desk-head">
    <div class="desk-title"><a class="back" href=${row.batchId ? `/batches/${row.batchId}` : "/documents"}>← ${row.batchId ? "Batch" : "Documents"}</a><h1 id="workspace-title" title=${row.filename}>${row.filename}</h1><p class="muted">${facts}</p></div>
    <div class="desk-acts" role="toolbar" aria-label="Document">
      <${Act} desk=${desk} id="undo" disabled=${!desk.undoable.value.length}>Undo<//>
      <${Act} desk=${desk} id="redo" disabled=${!desk.redoable.value.length}>Redo<//>
      <${Act} desk=${desk} id="search">Search<//>
      <${Act} desk=${desk} id="rules">Rules<//>
      ${showsPictures(desk) && html`<${Act} desk=${desk} id="picture" pressed=${desk.picture.value}>Picture<//><button type="button" class="button small" aria-pressed=${desk.drawing.value} onClick=${() => { desk.drawing.value = !desk.drawing.value; }}>Draw</button>`}
      ${desk.exported.value.length > 0 && html`<${Act} desk=${desk} id="compare">Before and after<//>`}
      <${Act} desk=${desk} id="keys" label="Keys">?<//>
      <${Act} desk=${desk} id="export" primary small=${false}>Export…<//>
    </div></div>`;
}

function Pager({ desk }) {
  const { pages } = desk.outline.value;
  if (desk.grid.value || pages < 2) return null;
  return html`<div class="pager"><${Act} desk=${desk} id="previous-page" label="Previous page">‹<//>
    <label class="unseen" for="page-number">Page</label><input id="page-number" type="number" inputmode="numeric" min="1" max=${pages} value=${desk.seen.value} onChange=${(event) => desk.showPage?.(Math.min(pages, Math.max(1, Number(event.target.value) || 1)))} />
    <span class="muted">of ${pages.toLocaleString()}</span><${Act} desk=${desk} id="next-page" label="Next page">›<//></div>`;
}

function Learned({ desk }) {
  const offer = desk.learned.value;
  if (!offer) return null;
  const take = () => { desk.learned.value = null; desk.rule("document", "redact", offer.pattern, { kind: "regex", matchCase: true }); };
  return html`<p class="offer" role="status">You redacted three values like <b>${offer.like}</b>. There are ${offer.count.toLocaleString()} of this shape. <button type="button" class="button small primary" onClick=${take}>Redact all ${offer.count.toLocaleString()}</button> <button type="button" class="button small" onClick=${() => { desk.learned.value = null; }}>No</button></p>`;
}

function Confirm({ desk }) {
  const asked = desk.confirm.value;
  if (!asked) return null;
  const close = () => { desk.confirm.value = null; };
  return html`<${Modal} title=${asked.text} close=${close}><p class="dialog-acts"><button type="button" class="button primary" autofocus onClick=${() => { close(); asked.run(); }}>${asked.act}</button><button type="button" class="button" onClick=${close}>Cancel</button></p><//>`;
}

const DIALOGS = { rules: Rules, wider: Wider, export: Export, keys: Shortcuts, compare: Compare };

function Workspace({ desk }) {
  const Dialog = DIALOGS[desk.dialog.value];
  const pane = desk.pane.value;
  return html`<div class=${`workspace pane-${pane} ${desk.grid.value || desk.outline.value.pages < 2 ? "no-rail" : ""}`}>
    <${Head} desk=${desk} />
    <p class="unseen" role="status" aria-live="polite" id="said">${desk.said.value}</p>
    ${desk.notice.value && html`<p class="notice bad" role="alert">${desk.notice.value} <button type="button" class="button small" onClick=${() => { desk.notice.value = null; }}>Close</button></p>`}
    <${Cards} desk=${desk} /><${Learned} desk=${desk} />
    <div class="panes" role="group" aria-label="Show">
      <button type="button" class="tab" aria-pressed=${pane === "found"} onClick=${() => { desk.pane.value = "found"; }}>Found</button>
      <button type="button" class="tab" aria-pressed=${pane === "document"} onClick=${() => { desk.pane.value = "document"; }}>Document</button></div>
    <${Rail} desk=${desk} />
    <div class="desk-middle"><${Pager} desk=${desk} /><${Canvas} desk=${desk} /></div>
    <${Inspector} desk=${desk} />
    <p class="said-line" aria-hidden="true">${desk.said.value || "a accepts and goes on, x ignores and goes on, ? shows every key."}</p>
    ${Dialog && html`<${Dialog} desk=${desk} />`}
    <${Confirm} desk=${desk} />
  </div>`;
}

async function fillCodes() {
  const { sets } = await get("/api/codes");
  document.getElementById("codes").replaceChildren(...sets.flatMap(({ name, codes }) => codes.map(({ code, title }) => h("option", { value: code, label: `${name}: ${title}` }))));
}

async function open(root, row) {
  const { id } = row;
  const values = firstValues(id);
  values.catch(() => null); // told when it is waited for
  const outline = await get(`/api/documents/${id}/content?view=outline`);
  document.title = `${row.filename} · anonify`;
  const desk = new Desk(row, outline);
  render(html`<${Workspace} desk=${desk} />`, root);
  listen(desk);
  addEventListener("beforeunload", (event) => { if (desk.pending > 0) event.preventDefault(); });
  addEventListener("online", () => { desk.notice.value = null; desk.heard(); });
  keepFocus(desk);
  globalThis.dispatchEvent(new Event("workspace-ready"));
  desk.drawRail().catch(() => null);
  desk.recall();
  await desk.reload(values);
  if (desk.inHand.value) desk.go(desk.inHand.value.first);
  desk.say(`Ready. ${plural(desk.total.value.values, "value")} to decide.`);
  fillCodes().catch(() => null); // without them a code can be typed all the same
}

const root = document.getElementById("workspace");
const id = root.dataset.document;
let stop = () => {};

function start() {
  root.hidden = true;
  stop = processing(document.getElementById("processing"), id, (row) => {
    root.hidden = false;
    document.body.classList.add("at-work");
    open(root, row).catch((failure) => notice(failure.message));
  });
}

// The browser may keep the page for Back: without its stream while it is away, and anew when it returns.
addEventListener("pagehide", () => stop());
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
start();
