// Choosing files, sending them, and the list of own documents.

import { call, get, upload } from "./api.js";
import { $, announce, bytes, h, length, notice, until } from "./dom.js";

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
    const { documents } = await get("/api/documents");
    if (!open) return;
    show(documents);
    if (documents.some((row) => WORKING.has(row.status))) timer = setTimeout(refresh, 1500);
  } catch (failure) {
    notice(failure.message);
    timer = setTimeout(refresh, 5000);
  }
}

function show(documents) {
  $("empty").hidden = documents.length > 0 || $("documents").querySelector(".sending") !== null;
  const sending = [...$("documents").querySelectorAll(".sending")];
  $("documents").replaceChildren(...sending, ...documents.map(item));
}

function item(row) {
  const facts = [row.kind?.toUpperCase(), length(row), bytes(row.size), `deleted in ${until(row.expiresAt)}`];
  const opens = row.status !== "uploading" && row.status !== "expanded";
  return h("li", { class: "document" },
    h("div", { class: "document-name" },
      opens ? h("a", { href: `#/d/${row.id}` }, row.filename) : h("span", {}, row.filename),
      h("p", { class: "muted" }, facts.filter(Boolean).join(" · ")),
      row.error && h("p", { class: "failed-line" }, row.error)),
    h("span", { class: `status ${row.status}` }, SAID[row.status] ?? row.status,
      WORKING.has(row.status) && h("progress", { max: 100, value: row.progress, "aria-label": `Progress of ${row.filename}` })),
    h("button", { class: "button small", type: "button", "aria-label": `Delete ${row.filename}`, onclick: (event) => ask(event.target, row) }, "Delete"));
}

// A second press within three seconds, on the same place, instead of a dialog.
async function ask(button, row) {
  if (button.dataset.sure === undefined) {
    button.dataset.sure = "";
    button.textContent = "Sure?";
    announce(`Press again to delete ${row.filename}`);
    setTimeout(() => { delete button.dataset.sure; button.textContent = "Delete"; }, 3000);
    return;
  }
  try {
    await call("DELETE", `/api/documents/${row.id}`);
    announce("Deleted");
  } catch (failure) {
    notice(failure.message);
  }
  refresh();
}

async function send(files) {
  notice(null);
  const options = { preset: $("preset").value, ttlSeconds: Number($("retention").value) };
  const sent = [];
  for (const file of files) {
    const bar = h("progress", { max: 1, value: 0, "aria-label": `Sending ${file.name}` });
    const line = h("li", { class: "document sending" }, h("div", { class: "document-name" }, h("span", {}, file.name), h("p", { class: "muted" }, bytes(file.size))), h("span", { class: "status" }, "sending", bar));
    $("documents").prepend(line);
    $("empty").hidden = true;
    try {
      if (file.size > Number(document.body.dataset.maxBytes)) throw new Error("The file is larger than this installation allows.");
      sent.push(await upload(file, options, (share) => { bar.value = share; }));
      line.remove();
      announce(`${file.name} sent`);
    } catch (failure) {
      line.remove();
      notice(`${file.name}: ${failure.message}`);
    }
  }
  if (files.length === 1 && sent.length === 1) location.hash = `#/d/${sent[0]}`;
  else refresh();
}

$("files").addEventListener("change", (event) => {
  const files = [...event.target.files];
  event.target.value = "";
  if (files.length) send(files);
});
for (const name of ["dragenter", "dragover"]) {
  $("drop").addEventListener(name, (event) => { event.preventDefault(); $("drop").classList.add("over"); });
}
$("drop").addEventListener("dragleave", (event) => {
  if (!$("drop").contains(event.relatedTarget)) $("drop").classList.remove("over");
});
$("drop").addEventListener("drop", (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  send([...event.dataTransfer.files]);
});
