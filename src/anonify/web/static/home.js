// Choosing files, sending them, and the list of own documents.

import { call, get, patiently, upload } from "./api.js";
import { $, announce, bytes, h, length, notice, plural, until } from "./dom.js";
import { dropped, picked, sorted } from "./gather.js";
import { sendBatch } from "./sending.js";
import { drawSpent } from "./usage.js";

const WORKING = new Set(["queued", "extracting", "normalizing", "analyzing"]);
const SAID = { uploading: "not complete", queued: "waiting", extracting: "reading", normalizing: "reading", analyzing: "looking", ready: "ready", failed: "failed", expanded: "expanded" };

let timer;
let open = false;

export function openHome() {
  open = true;
  document.title = "anonify";
  refresh();
}

export function closeHome() {
  open = false;
  clearTimeout(timer);
}

async function refresh() {
  clearTimeout(timer);
  try {
    const [{ documents }, { batches }] = await Promise.all([get("/api/documents"), get("/api/batches")]);
    if (!open) return;
    show(documents, new Map(batches.map((each) => [each.id, each.counts])));
    drawSpent(documents.length > 0);
    if (documents.some((row) => WORKING.has(row.status)) || batches.some((each) => each.counts.working > 0)) timer = setTimeout(refresh, 1500);
  } catch (failure) {
    notice(failure.message);
    timer = setTimeout(refresh, 5000);
  }
}

function show(documents, tallies) {
  $("empty").hidden = documents.length > 0 || $("documents").querySelector(".sending") !== null;
  const sending = [...$("documents").querySelectorAll(".sending")];
  const batches = Map.groupBy(documents.filter((row) => row.batchId), (row) => row.batchId);
  const lines = documents.filter((row) => row.batchId ? batches.get(row.batchId)[0] === row : !row.parentId);
  $("documents").replaceChildren(...sending, ...lines.map((row) => line(row.batchId ? batches.get(row.batchId) : [row], tallies.get(row.batchId))));
}

/** A line of the list: a document, or the whole batch it is in. */
function line(rows, tally) {
  const tops = rows.filter((row) => !row.parentId);
  const [row] = tops.length ? tops : rows;
  if (rows.length > 1 || row.status === "expanded") return batch(row, tops, rows, tally);
  return item(row);
}

function batch(row, tops, rows, tally) {
  const names = tops.slice(0, 3).map((top) => top.filename.split("/").at(-1)).join(", ") + (tops.length > 3 ? " …" : "");
  const one = tops.length === 1;
  const facts = [one ? row.kind?.toUpperCase() : names, one && bytes(row.size), tally && tally.total > tops.length && plural(tally.total, "document"), `deleted in ${until(row.expiresAt)}`];
  const working = tally ? tally.working : rows.filter((each) => WORKING.has(each.status)).length;
  const failed = tally ? tally.failed : rows.filter((each) => each.status === "failed").length;
  const said = working ? `working on ${working.toLocaleString()}` : failed ? `${failed.toLocaleString()} failed` : "ready";
  const name = one ? row.filename : tops.length ? plural(tops.length, "file") : "Batch";
  return h("li", { class: "document" },
    h("div", { class: "document-name" }, h("a", { href: `#/b/${row.batchId}` }, name), h("p", { class: "muted" }, facts.filter(Boolean).join(" · "))),
    h("span", { class: `status ${working ? "" : failed ? "failed" : "ready"}` }, said),
    h("button", { class: "button small", type: "button", "aria-label": `Delete ${name}`, onclick: (event) => ask(event.target, name, `/api/batches/${row.batchId}`) }, "Delete"));
}

function item(row) {
  const facts = [row.kind?.toUpperCase(), length(row), bytes(row.size), row.uploadEncryption && "sealed in your browser", `deleted in ${until(row.expiresAt)}`];
  const opens = row.status !== "uploading" && row.status !== "expanded";
  return h("li", { class: "document" },
    h("div", { class: "document-name" },
      opens ? h("a", { href: `#/d/${row.id}` }, row.filename) : h("span", {}, row.filename),
      h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")),
      row.error && h("p", { class: "failed-line" }, row.error)),
    h("span", { class: `status ${row.status}` }, SAID[row.status] ?? row.status,
      WORKING.has(row.status) && h("progress", { max: 100, value: row.progress, "aria-label": `Progress of ${row.filename}` })),
    h("button", { class: "button small", type: "button", "aria-label": `Delete ${row.filename}`, onclick: (event) => ask(event.target, row.filename, `/api/documents/${row.id}`) }, "Delete"));
}

// A second press within three seconds, on the same place, instead of a dialog.
async function ask(button, name, path) {
  if (button.dataset.sure === undefined) {
    button.dataset.sure = "";
    button.textContent = "Sure?";
    announce(`Press again to delete ${name}`);
    setTimeout(() => { delete button.dataset.sure; button.textContent = "Delete"; }, 3000);
    return;
  }
  try {
    await patiently(() => call("DELETE", path));
    announce("Deleted");
  } catch (failure) {
    notice(failure.message);
  }
  refresh();
}

async function send(files) {
  notice(null);
  const options = { preset: $("preset").value, ttlSeconds: Number($("retention").value) };
  if (files.length === 1) return alone(files[0].file, options);
  try {
    await sendBatch(sorted(files), options, (id) => { location.hash = `#/b/${id}`; });
  } catch (failure) {
    notice(failure.message);
  }
  return open && refresh();
}

async function alone(file, options) {
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Sending ${file.name}` });
  const stage = h("span", {}, "sending");
  const line = h("li", { class: "document sending" }, h("div", { class: "document-name" }, h("span", {}, file.name), h("p", { class: "muted" }, bytes(file.size))), h("span", { class: "status" }, stage, bar));
  $("documents").prepend(line);
  $("empty").hidden = true;
  try {
    if (file.size > Number(document.body.dataset.maxBytes)) throw new Error("The file is larger than this installation allows.");
    const id = await upload(file, options, (doing, share) => { stage.textContent = doing; bar.value = share; });
    line.remove();
    announce(`${file.name} sent`);
    location.hash = `#/d/${id}`;
  } catch (failure) {
    line.remove();
    notice(`${file.name}: ${failure.message}`);
    refresh();
  }
}

for (const picker of ["files", "folder"]) {
  $(picker).addEventListener("change", (event) => {
    const files = picked(event.target.files);
    event.target.value = "";
    if (files.length) send(files);
  });
}
for (const name of ["dragenter", "dragover"]) {
  $("drop").addEventListener(name, (event) => { event.preventDefault(); $("drop").classList.add("over"); });
}
$("drop").addEventListener("dragleave", (event) => {
  if (!$("drop").contains(event.relatedTarget)) $("drop").classList.remove("over");
});
$("drop").addEventListener("drop", async (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  try {
    const files = await dropped(event.dataTransfer);
    if (files.length) send(files);
  } catch {
    notice("A file in what you dropped could not be read. Nothing was sent.");
  }
});
