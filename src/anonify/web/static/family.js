// Where a document came from, and what came out of it.

import { get } from "./api.js";
import { $, h, plural } from "./dom.js";

const FARTHEST = 10; // containers in containers; the server opens fewer

/** Fill the line above the title: the batch and the documents this one lies in. `current` says whether it is still wanted. */
export async function drawTrail(row, current) {
  const back = $("review-back");
  back.setAttribute("href", row.batchId ? `/batches/${row.batchId}` : "/documents");
  back.textContent = row.batchId ? "← Batch" : "← Documents";
  $("crumbs").replaceChildren();
  const above = [];
  for (let id = row.parentId; id && above.length < FARTHEST;) {
    const parent = await get(`/api/documents/${id}`).catch(() => null);
    if (!parent || !current()) return;
    above.unshift(parent);
    id = parent.parentId;
  }
  $("crumbs").replaceChildren(...above.flatMap((parent) => [h("span", { class: "muted" }, "in "), parent.status === "expanded" ? h("b", {}, parent.filename) : h("a", { href: `/documents/${parent.id}` }, parent.filename)]));
}

const SAID = { ready: "ready", failed: "could not be read", expanded: "opened" };

/** Make a card of a document's attachments, if it has any, and hand it to `shown`. */
export async function enclosed(row, shown) {
  if (!row.batchId) return;
  const answer = await get(`/api/batches/${row.batchId}?parent=${row.id}&limit=200`).catch(() => null);
  if (!answer?.documents.length) return;
  const more = answer.matching - answer.documents.length;
  shown(h("section", { class: "card", "aria-labelledby": "enclosed-title" },
    h("h2", { id: "enclosed-title" }, plural(answer.matching, "attachment")),
    h("ul", { class: "enclosed" }, answer.documents.map((part) => h("li", {},
      h("a", { href: `/documents/${part.id}` }, part.filename),
      h("span", { class: "muted" }, part.status === "ready" && part.suggested ? ` ${part.suggested.toLocaleString()} to decide` : ` ${SAID[part.status] ?? "being read"}`),
      part.error && h("p", { class: "failed-line" }, part.error))),
    more > 0 && h("li", { class: "muted" }, `and ${more.toLocaleString()} more, in the batch`)),
    h("p", { class: "muted" }, "Each is a document of its own: what is accepted in one is removed from the message and from all its attachments.")));
}
