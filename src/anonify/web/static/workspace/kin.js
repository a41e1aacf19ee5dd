// Where a document came from, what came out of it, and what its analysis cost.

import { get } from "../api.js";
import { plural } from "../dom.js";
import { ASKED, LEFT_OUT, line, money } from "../usage.js";
import { html } from "./ui.js";

const FARTHEST = 10; // containers in containers; the server opens fewer
const SAID = { ready: "ready", failed: "could not be read", expanded: "opened" };

/** The documents that this one lies in, the outermost first. */
export async function above(row) {
  const found = [];
  for (let id = row.parentId; id && found.length < FARTHEST;) {
    const parent = await get(`/api/documents/${id}`).catch(() => null);
    if (!parent) break;
    found.unshift(parent);
    id = parent.parentId;
  }
  return found;
}

/** The attachments of a document: { documents, matching }, or null. */
export async function below(row) {
  if (!row.batchId) return null;
  const answer = await get(`/api/batches/${row.batchId}?parent=${row.id}&limit=200`).catch(() => null);
  return answer?.documents.length ? answer : null;
}

/** What a language model was asked about a document, or null where none was asked or left out. */
export async function cost(row) {
  const answer = await get(`/api/documents/${row.id}/usage`).catch(() => null);
  return answer && (answer.total.calls > 0 || answer.skipped.length > 0) ? answer : null;
}

export const costLine = ({ total }) => `language model: ${total.calls ? `${plural(total.calls, "call")}, ${money(total.dollars)}` : "nothing was asked"}`;

export function Trail({ row, parents }) {
  return html`<nav class="trail" aria-label="Where this document is">
    ${row.batchId && html`<a href=${`/batches/${row.batchId}`}>Batch</a>`}
    ${parents.map((parent) => html`<span key=${parent.id}><span class="muted">› </span>${parent.status === "expanded" ? html`<b>${parent.filename}</b>` : html`<a href=${`/documents/${parent.id}`}>${parent.filename}</a>`}</span>`)}
    <span aria-current="page"><span class="muted">› </span>${row.filename}</span></nav>`;
}

export function Enclosed({ answer }) {
  const more = answer.matching - answer.documents.length;
  return html`<section aria-labelledby="enclosed-title"><h3 id="enclosed-title">${plural(answer.matching, "attachment")}</h3>
    <ul class="enclosed">${answer.documents.map((part) => html`<li key=${part.id}><a href=${`/documents/${part.id}`}>${part.filename}</a>
      <span class="muted"> ${part.status === "ready" && part.suggested ? `${part.suggested.toLocaleString()} to decide` : SAID[part.status] ?? "being read"}</span>
      ${part.error && html`<p class="failed-line">${part.error}</p>`}</li>`)}
      ${more > 0 && html`<li class="muted">and ${more.toLocaleString()} more, in the batch</li>`}</ul>
    <p class="muted">Each is a document of its own: what is accepted in one is removed from the message and from all its attachments.</p></section>`;
}

export function Spent({ answer }) {
  const most = Math.max(1, ...answer.tasks.map(({ spent }) => spent.inputTokens + spent.outputTokens));
  return html`<section class="usage" aria-labelledby="spent-title"><h3 id="spent-title">Language model</h3>
    <p class="muted">${answer.total.calls ? line(answer.total) : "Nothing was asked."}</p>
    ${answer.tasks.length > 0 && html`<ul>${answer.tasks.map(({ task, spent, model }) => html`<li key=${`${task} ${model}`}><span>Asked ${ASKED[task] ?? task}</span>
      <progress aria-hidden="true" max=${most} value=${spent.inputTokens + spent.outputTokens}></progress>
      <span class="muted">${plural(spent.calls, "call")}, ${money(spent.dollars)}, ${model}</span></li>`)}</ul>`}
    ${answer.skipped.length > 0 && html`<ul class="skipped">${answer.skipped.map(({ task, reason, calls }) => html`<li key=${`${task} ${reason}`}>Not asked ${ASKED[task] ?? task}: ${LEFT_OUT[reason] ?? reason} (${plural(calls, "call")})</li>`)}</ul>`}
  </section>`;
}
