// The documents of a batch as a tree, a stretch of it at a time.

import { patiently, post } from "./api.js";
import { $, bytes, h, length, notice } from "./dom.js";

const STAGES = { uploading: "arriving", queued: "waiting", extracting: "reading", normalizing: "reading", analyzing: "looking", expanded: "opened" };
const RESTING = new Set(["ready", "failed", "expanded", "uploading"]);
const DEEPEST = 4; // steps the eye still tells apart

/** How deep in the tree: counted through the parents that have been seen, those of earlier pages included. */
function depth(row, parents) {
  let deep = 0;
  for (let id = row.parentId; id && deep < DEEPEST; id = parents.get(id)?.parentId) deep += 1;
  return deep;
}

/** A part's path for people: messages by number, attachments as such. */
function place(row) {
  const message = /^msg-(\d+)$/.exec(row.partPath ?? "");
  if (message && /^message-\d+\.eml$/.test(row.filename)) return null; // the name says it
  if (message) return `message ${Number(message[1]).toLocaleString()}`;
  return row.parentId && (row.parentKind === "zip" ? row.partPath : "attachment");
}

function said(row) {
  if (row.status === "failed") return "failed";
  if (row.status !== "ready") return STAGES[row.status] ?? row.status;
  if (row.suggested) return `${row.suggested.toLocaleString()} to decide`;
  return row.accepted ? `${row.accepted.toLocaleString()} accepted` : "nothing found";
}

function line(row, state, changed) {
  const parent = state.parents.get(row.parentId);
  const facts = [place(row), row.kind?.toUpperCase(), (row.rows !== null || row.pages > 1) && length(row), row.size && bytes(row.size), state.show !== "all" && parent && `in ${parent.filename}`,
    row.status === "ready" && row.suggested > 0 && row.accepted > 0 && `${row.accepted.toLocaleString()} accepted`];
  const opens = row.status !== "uploading" && row.status !== "expanded";
  return h("li", { class: `document deep-${state.show === "all" ? depth(row, state.parents) : 0}`, "data-id": row.id },
    h("div", { class: "document-name" },
      opens ? h("a", { href: `/documents/${row.id}` }, row.filename) : h("b", {}, row.filename),
      h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")),
      row.error && h("p", { class: "failed-line" }, row.error, row.retryable && h("button", { class: "button small", type: "button", "aria-label": `Retry ${row.filename}`, onclick: () => again(row, changed) }, "Retry"))),
    h("span", { class: `status ${row.status} ${row.suggested ? "undecided" : ""}` }, said(row),
      !RESTING.has(row.status) && h("progress", { max: 100, value: row.progress, "aria-label": `Progress of ${row.filename}` })));
}

async function again(row, changed) {
  try {
    await patiently(() => post(`/api/documents/${row.id}/retry`));
  } catch (failure) {
    notice(failure.message);
  }
  changed();
}

const NONE = { all: "No documents.", undecided: "Nothing is left to decide. What was not found is still there: read the documents before you release them.", failed: "Nothing failed." };

/** Draw the list; a line that says what it said is left alone, and the focus stays where it is. */
export function drawList(state, changed) {
  const { documents } = state.answer;
  for (const row of documents) state.parents.set(row.id, row);
  const lines = documents.map((row) => {
    const told = JSON.stringify([row, state.show, state.parents.get(row.parentId)?.filename]);
    const old = state.lines.get(row.id);
    return old?.said === told ? [row.id, old] : [row.id, { said: told, element: line(row, state, changed) }];
  });
  const focused = document.activeElement?.closest?.("#batch-list [data-id]")?.dataset.id;
  state.lines = new Map(lines);
  const elements = lines.map(([, { element }]) => element);
  const list = $("batch-list");
  if (elements.length !== list.children.length || elements.some((element, at) => list.children[at] !== element)) {
    list.replaceChildren(...(elements.length ? elements : [h("li", { class: "muted none" }, NONE[state.show])]));
    if (focused && document.activeElement === document.body) state.lines.get(focused)?.element.querySelector("a, button")?.focus({ preventScroll: true });
  }
}
