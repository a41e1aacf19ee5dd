// A document on its way to its review: the steps of its run with their counts, what it waits for, and why it failed.

import { call, follow, get, patiently, post } from "./api.js";
import { $, announce, bytes, h, notice, plural, words } from "./dom.js";
import { shortfall } from "./notes.js";
import { instead } from "./transfer.js";

const STEPS = [
  ["queued", "Wait for its turn"],
  ["extracting", "Check and seal the file"],
  ["normalizing", "Read its pages"],
  ["pictures", "Read its pictures"],
  ["analyzing", "Look for sensitive values"],
];
const NOW = { queued: "Waiting for its turn", extracting: "Checking and sealing the file", normalizing: "Reading its pages", pictures: "Reading its pictures", analyzing: "Looking for sensitive values" };
const ORDER = STEPS.map(([name]) => name);
const WORKING = new Set(["queued", "extracting", "normalizing", "analyzing"]);
const LOOK = 3000; // how often to ask for the place in line, and whether anybody works

/**
 * Show in `element` how far a document is. `onReady` is called once, with its summary, when it can be reviewed, a
 * document that failed after it was read included; `element` is empty and hidden by then. Returns a function that stops.
 */
export function processing(element, documentId, onReady) {
  const state = { element, id: documentId, onReady, row: null, at: "queued", counts: {}, reasons: new Set(), found: 0, inside: 0, lost: false, turn: null, over: false, stop: null, timer: null, shown: null };
  load(state);
  return () => end(state);
}

function end(state) {
  state.over = true;
  state.stop?.();
  clearTimeout(state.timer);
}

async function load(state) {
  try {
    const row = await get(`/api/documents/${state.id}`);
    if (!state.over) settle(state, row);
  } catch (failure) {
    if (state.over) return;
    if (failure.status === 404 || failure.status === 410) return gone(state, failure);
    notice(failure.message);
    state.timer = setTimeout(() => load(state), LOOK);
  }
}

/** What the document's state asks for. */
function settle(state, row) {
  notice(null);
  state.row = row;
  if (row.reviewable) return ready(state);
  if (row.status === "expanded" && row.batchId) return location.replace(`/batches/${row.batchId}`);
  if (row.status === "failed") return failed(state);
  if (row.status === "uploading") return incomplete(state);
  return run(state);
}

function ready(state) {
  const had = state.element.contains(document.activeElement);
  end(state);
  state.element.replaceChildren();
  state.element.hidden = true;
  if (had) $("main").focus();
  state.onReady(state.row);
}

function frame(state, ...children) {
  const { row } = state;
  const facts = [row.kind?.toUpperCase(), bytes(row.size), `looking for ${words(row.preset)}`];
  state.element.hidden = false;
  state.element.className = "processing";
  state.element.replaceChildren(
    h("p", { class: "trail" }, h("a", { class: "back", href: row.batchId ? `/batches/${row.batchId}` : "/documents" }, row.batchId ? "← Batch" : "← Documents")),
    h("h1", {}, row.filename),
    h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")),
    ...children);
}

// A run under way.

function run(state) {
  state.at = state.row.status;
  const parts = {
    stage: h("p", { class: "stage", id: "stage" }),
    bar: h("progress", { id: "progress", max: 100, value: state.row.progress, "aria-labelledby": "stage" }),
    detail: h("p", { class: "muted", id: "stage-detail" }),
    steps: new Map(STEPS.map(([name, label]) => [name, h("li", {}, h("span", {}, label), h("span", { class: "step-count" }))])),
    notes: h("div", { class: "processing-notes" }),
  };
  state.shown = parts;
  frame(state, h("div", { class: "working" }, parts.stage, parts.bar, parts.detail, h("ol", { class: "run-steps", "aria-label": "Steps" }, [...parts.steps.values()]), parts.notes),
    h("p", { class: "muted" }, "You can close this page: the work goes on, and its result waits in your documents."));
  draw(state);
  state.stop = follow(state.id, (event) => { if (!state.over) heard(state, event); }, () => { if (!state.over) { state.stop = null; clearTimeout(state.timer); load(state); } },
    (lost) => { if (!state.over && state.lost !== lost) { state.lost = lost; draw(state); } });
  look(state);
}

/** Ask where the document stands in line, and whether anybody works at all. */
async function look(state) {
  clearTimeout(state.timer);
  const turn = await get(`/api/documents/${state.id}/turn`).catch(() => null);
  if (state.over || !state.stop) return;
  if (turn) { state.turn = turn; draw(state); }
  state.timer = setTimeout(() => look(state), LOOK);
}

function heard(state, event) {
  const { done, total, count, reasons } = event.payload ?? {};
  if (typeof event.progress === "number") state.row.progress = event.progress;
  if (WORKING.has(event.status)) state.row.status = event.status;
  if (event.type === "document.ocr.progress") state.at = "pictures";
  else if (event.type === "document.ai.started" || event.type === "document.ai.progress") state.at = "analyzing";
  else if (ORDER.includes(event.status)) state.at = event.status;
  if (total) state.counts[state.at] = [done, total];
  if (event.type === "document.redaction.created") state.found += count ?? 0;
  if (event.type === "document.expanded") state.inside = count ?? 0;
  for (const reason of reasons ?? []) state.reasons.add(reason);
  draw(state);
}

const set = (element, text) => { if (element.textContent !== text) element.textContent = text; };

function draw(state) {
  const { shown, row, at, counts } = state;
  const here = ORDER.indexOf(at);
  if (shown.stage.textContent !== NOW[at]) { shown.stage.textContent = NOW[at]; announce(NOW[at]); }
  shown.bar.value = row.progress;
  set(shown.detail, detail(state));
  document.title = `${row.progress} % · ${row.filename} · anonify`;
  STEPS.forEach(([name], index) => {
    const line = shown.steps.get(name);
    const is = index < here ? "done" : index === here ? "now" : "later";
    if (line.className !== is) line.className = is;
    if (is === "now") line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
    line.hidden = name === "pictures" && !counts.pictures; // most documents have none
    const [done, total] = counts[name] ?? [];
    set(line.lastElementChild, total ? `${done.toLocaleString()} of ${total.toLocaleString()}` : is === "done" ? "done" : "");
  });
  const told = notes(state);
  const key = told.join("\n");
  if (state.told === key) return;
  state.told = key;
  shown.notes.replaceChildren(...told.map((text) => h("p", { class: "notice warn" }, text)));
  if (told.length) announce(told.at(-1));
}

/** The line below the bar: what the document waits for, or what has come out so far. */
function detail({ at, turn, found, inside }) {
  if (at === "queued" && turn?.waiting) {
    if (turn.ahead) return `${plural(turn.ahead, "document")} of yours ${turn.ahead === 1 ? "is" : "are"} before it${turn.others ? `, and ${turn.others.toLocaleString()} of others wait too` : ""}. ${turn.working.toLocaleString()} of yours ${turn.working === 1 ? "is" : "are"} being worked on, ${turn.slots.toLocaleString()} may be at once.`;
    if (turn.others) return `It is the first of yours. ${plural(turn.others, "document")} of others ${turn.others === 1 ? "waits" : "wait"} too; everybody has their turn.`;
    return turn.working >= turn.slots ? `It is next, as soon as one of your ${plural(turn.working, "document")} at work is done.` : "It is next.";
  }
  const parts = [inside && `${plural(inside, "document")} inside`, found && `${plural(found, "place")} found so far`].filter(Boolean);
  return parts.join(" · ");
}

function notes({ lost, turn, reasons }) {
  const told = [...reasons].map(shortfall);
  if (turn && !turn.worker) told.push("No worker has given a sign of life lately. Nothing is lost: the work goes on by itself when one starts. Tell the operator if it lasts.");
  if (lost) told.push("The connection is lost. The work goes on; this page catches up when it is back.");
  return told;
}

// No run: it failed, or not all of the file arrived, or there is nothing here any more.

function failed(state) {
  const { row } = state;
  document.title = `Failed · ${row.filename} · anonify`;
  const retry = row.retryable && h("button", { class: "button primary", type: "button", id: "retry" }, "Retry");
  if (retry) retry.addEventListener("click", () => again(state, retry));
  frame(state, h("section", { class: "working failed", "aria-labelledby": "refused-title" },
    h("h2", { id: "refused-title" }, "This file could not be read"),
    h("p", { id: "stage" }, row.error),
    !row.retryable && h("p", { class: "muted" }, "Trying again would end the same way, so there is no Retry."),
    h("p", { class: "failed-acts" }, retry, h("a", { class: retry ? "button" : "button primary", href: "/" }, "Add another file"), h("a", { class: "button", href: row.batchId ? `/batches/${row.batchId}` : "/documents" }, row.batchId ? "Back to the batch" : "Your documents")),
    h("p", { class: "muted" }, "For the operator: ", h("code", {}, row.errorCode))));
  announce(`This file could not be read. ${row.error}`);
}

async function again(state, button) {
  button.disabled = true;
  try {
    await patiently(() => post(`/api/documents/${state.id}/retry`));
    Object.assign(state, { counts: {}, reasons: new Set(), found: 0, inside: 0, told: null });
    $("main").focus();
    load(state);
  } catch (failure) {
    notice(failure.message);
    button.disabled = false;
  }
}

/** All may have arrived and only the start was lost; else another window may be sending it still. */
async function incomplete(state) {
  try {
    await call("POST", `/api/documents/${state.id}/process`);
    if (!state.over) load(state);
    return;
  } catch (failure) {
    if (state.over) return;
    if (failure.code !== "not-ready") notice(failure.message);
  }
  if (!state.element.querySelector("#again")) askAgain(state);
  if (!state.sending) state.timer = setTimeout(() => load(state), LOOK);
}

function askAgain(state) {
  const { row } = state;
  const said = h("p", { role: "status" }, "Not all of it has arrived. If another window is sending it, this page goes on by itself. If not, choose the file again.");
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Sending ${row.filename}`, hidden: true });
  const chooser = h("input", { class: "unseen", type: "file", id: "again" });
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files;
    if (!file) return;
    state.sending = true;
    clearTimeout(state.timer);
    bar.hidden = false;
    try {
      const hooks = { moved: (share) => { bar.value = share; }, lost: (is) => { said.textContent = is ? "The connection is lost. Sending goes on when it is back." : "Sending."; }, signal: new AbortController().signal };
      location.replace(`/documents/${await instead(row, file, hooks)}`);
    } catch (failure) {
      notice(failure.message);
      bar.hidden = true;
    }
  });
  frame(state, h("section", { class: "working", "aria-labelledby": "incomplete-title" },
    h("h2", { id: "incomplete-title" }, "This file has not arrived whole"), said, bar,
    h("p", { class: "failed-acts" }, chooser, h("label", { class: "button primary", for: "again" }, "Choose the file again"), h("a", { class: "button", href: "/documents" }, "Your documents"))));
}

function gone(state, failure) {
  end(state);
  state.element.hidden = false;
  state.element.className = "processing";
  state.element.replaceChildren(h("h1", {}, "This document is gone"), h("p", { class: "lead" }, failure.message), h("p", {}, h("a", { class: "button primary", href: "/documents" }, "Your documents")));
  announce(failure.message);
}
