// Documents and batches as one list: how far each is, when it is deleted, and delete now.

import { call, get, patiently, post } from "./api.js";
import { $, announce, bytes, h, length, notice, plural, until } from "./dom.js";
import { instead } from "./transfer.js";
import { drawSpent } from "./usage.js";

const WORKING = new Set(["queued", "extracting", "normalizing", "analyzing"]);
const SAID = { uploading: "not complete", queued: "waiting", extracting: "reading", normalizing: "reading", analyzing: "looking", ready: "ready", failed: "failed", expanded: "opened" };
const SOON = 1500;
const AFTER_FAILURE = 5000;

/**
 * Keep `#documents` as the server's list is. `wanted()` says which stretch: `{ show, q, offset, limit }`; `drawn` is told
 * each answer. Returns a function that asks anew.
 */
export function worklist(wanted, drawn) {
  const state = { lines: new Map(), timer: null, turn: 0 };
  const refresh = () => load(state, wanted, drawn);
  state.refresh = refresh;
  document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
  addEventListener("pageshow", (event) => { if (event.persisted) refresh(); });
  refresh();
  return refresh;
}

async function load(state, wanted, drawn) {
  clearTimeout(state.timer);
  state.turn += 1;
  const { turn } = state;
  let wait = null;
  try {
    const answer = await asked(wanted());
    if (state.turn !== turn) return;
    draw(state, answer.items);
    drawn(answer);
    if (answer.counts.working > 0) wait = SOON;
    if (state.total !== answer.total) drawSpent(answer.total > 0); // models are asked when documents come
    state.total = answer.total;
  } catch (failure) {
    if (state.turn !== turn) return;
    notice(failure.message);
    wait = AFTER_FAILURE;
  }
  if (wait !== null && !document.hidden) state.timer = setTimeout(state.refresh, wait);
}

/** A part of a name stands in no address, for addresses are logged. */
const asked = ({ q, ...stretch }) => (q ? post("/api/work", { q, ...stretch }) : get(`/api/work?${new URLSearchParams(stretch)}`));

/** A line that says what it said is left alone, and so is one that asks whether to delete: the focus stays where it is. */
function draw(state, items) {
  const fresh = new Map();
  for (const item of items) {
    const key = (item.document ?? item.batch).id;
    const told = JSON.stringify(item) + Math.floor(Date.now() / 60000); // what is left of its time is told in minutes
    const old = state.lines.get(key);
    fresh.set(key, old && (old.told === told || old.element.classList.contains("asking")) ? old : { told, element: line(state, item) });
  }
  state.lines = fresh;
  const list = $("documents");
  const focused = list.contains(document.activeElement) ? document.activeElement.closest("li")?.dataset.id : null;
  const elements = [...fresh.values()].map((each) => each.element);
  if (elements.length === list.children.length && elements.every((element, at) => list.children[at] === element)) return;
  list.replaceChildren(...elements);
  if (focused && !list.contains(document.activeElement)) fresh.get(focused)?.element.querySelector("a, button")?.focus({ preventScroll: true });
}

const line = (state, { document: row, batch }) => (row ? single(state, row) : many(state, batch));

function assemble(state, { id, path, name, link, facts, expiresAt, status, error, extra }) {
  const when = new Date(expiresAt).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  const remove = h("button", { class: "button small", type: "button", "aria-label": `Delete ${name}` }, "Delete");
  const element = h("li", { class: "document", "data-id": id },
    h("div", { class: "document-name" },
      link ? h("a", { href: link }, name) : h("span", {}, name),
      h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")),
      error && h("p", { class: "failed-line" }, error), extra),
    status,
    h("span", { class: "expires" }, "deleted in ", h("time", { datetime: new Date(expiresAt).toISOString(), title: when }, until(expiresAt))),
    h("div", { class: "document-acts" }, remove));
  remove.addEventListener("click", () => ask(state, element, remove, name, path));
  return element;
}

function single(state, row) {
  const incomplete = row.status === "uploading";
  return assemble(state, {
    id: row.id,
    path: `/api/documents/${row.id}`,
    name: row.filename,
    link: row.status === "expanded" ? null : `/documents/${row.id}`,
    facts: [row.kind?.toUpperCase(), length(row), bytes(row.size), row.uploadEncryption && "sealed in your browser"],
    expiresAt: row.expiresAt,
    status: h("span", { class: `status ${row.status}` }, h("span", { class: "chip" }, SAID[row.status] ?? row.status),
      WORKING.has(row.status) && h("progress", { max: 100, value: row.progress, "aria-label": `Progress of ${row.filename}` })),
    error: row.error,
    extra: incomplete && again(state, row),
  });
}

function many(state, batch) {
  const { counts } = batch;
  const one = batch.files === 1;
  const name = one ? batch.names[0] : plural(batch.files, "file");
  const said = counts.working ? `working on ${counts.working.toLocaleString()}` : counts.failed ? `${counts.failed.toLocaleString()} failed` : counts.uploading ? "not complete" : "ready";
  const over = counts.ready + counts.failed + counts.expanded;
  return assemble(state, {
    id: batch.id,
    path: `/api/batches/${batch.id}`,
    name,
    link: `/batches/${batch.id}`,
    facts: [one ? "opened" : batch.names.map((each) => each.split("/").at(-1)).join(", ") + (batch.files > batch.names.length ? " …" : ""), counts.total > batch.files && plural(counts.total, "document")],
    expiresAt: batch.expiresAt,
    status: h("span", { class: `status ${counts.working ? "working" : counts.failed ? "failed" : counts.uploading ? "uploading" : "ready"}` }, h("span", { class: "chip" }, said),
      counts.working > 0 && h("progress", { max: counts.total, value: over, "aria-label": `Progress of ${name}` })),
  });
}

/** Not all of a file arrived: choose it again, and it is sent in place of what did. */
function again(state, row) {
  const said = h("span", { class: "muted" }, "Not all of it arrived. If it is not being sent just now, send it again.");
  const chooser = h("input", { class: "unseen", type: "file", id: `again-${row.id}` });
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files;
    if (!file) return;
    try {
      const id = await instead(row, file, { moved: (share) => { said.textContent = `sending, ${Math.round(share * 100)} %`; }, lost: (is) => { if (is) said.textContent = "connection lost, trying again"; }, signal: new AbortController().signal });
      location.assign(`/documents/${id}`);
    } catch (failure) {
      notice(`${row.filename}: ${failure.message}`);
      state.refresh();
    }
  });
  return h("p", { class: "again" }, said, " ", chooser, h("label", { class: "button small", for: `again-${row.id}` }, "Choose it again"));
}

/** Ask in the line itself; Escape or Keep takes it back, and nothing has happened. */
function ask(state, element, button, name, path) {
  const acts = button.parentElement;
  const keep = h("button", { class: "button small", type: "button" }, "Keep");
  const sure = h("button", { class: "button small danger", type: "button" }, "Delete now");
  const group = h("div", { class: "sure", role: "group", "aria-label": `Delete ${name}?` }, h("span", {}, "With everything made from it?"), keep, sure);
  const back = () => { element.classList.remove("asking"); acts.replaceChildren(button); button.focus(); };
  keep.addEventListener("click", back);
  group.addEventListener("keydown", (event) => { if (event.key === "Escape") back(); });
  sure.addEventListener("click", async () => {
    sure.disabled = true;
    try {
      await patiently(() => call("DELETE", path));
      const next = element.nextElementSibling ?? element.previousElementSibling;
      element.remove();
      state.lines.delete(element.dataset.id);
      (next?.querySelector("a, button") ?? $("main")).focus();
      announce(`${name} deleted`);
    } catch (failure) {
      notice(failure.message);
      back();
    }
    state.refresh();
  });
  element.classList.add("asking");
  acts.replaceChildren(group);
  keep.focus();
  announce(`Delete ${name} with everything made from it?`);
}
