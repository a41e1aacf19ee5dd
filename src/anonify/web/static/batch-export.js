// The export of a whole batch: start it or join it, watch it, stop it, take it away.

import { call, get, patiently, post } from "./api.js";
import { segments } from "./bars.js";
import { $, announce, h, notice, plural } from "./dom.js";

const NAMED = 300; // left-out documents named on the page; batch-report.json names all
const SHAPES = ["original", "processed", "both", "vaults"];
const ALLOWED = JSON.parse($("batch-method").dataset.allowed); // categories by method
const NOTES = {
  pseudonymize: "A stand-in like PERSON_0482131174, the same for a person in every document. Nobody can have the values back.",
  tokenize: "A stand-in like PERSON_0482131174, the same for a person in every document. A vault beside each file can put the values back.",
  encrypt: "Ciphertext. A vault beside each file holds the key that can put the values back.",
};
const ALWAYS = " Numbers of accounts and cards, keys, faces and signatures are masked all the same.";
const STAGES = { running: "Removing, then reading every result back…", done: "Verified: no accepted value is left in these files.", stopped: "Stopped. What was finished is kept.", failed: "The export ended early. What was finished is kept." };

let state = null;

export function openBatchExport({ id }) {
  state = { id, run: null, source: null, timer: null, joined: false };
  $("batch-export-run").hidden = true;
  $("batch-export-ask").hidden = false;
}

export function leaveExport() {
  if (!state) return;
  quiet();
  state = null;
}

function quiet() {
  clearTimeout(state.timer);
  state.source?.close();
  state.source = null;
}

/** The batch as it is now: what is undecided, and whether an export is under way that this page did not start. */
export function drawExport({ counts, suggestions, export: run }) {
  $("batch-export-undecided").hidden = !suggestions;
  $("batch-export-undecided").textContent = `${plural(suggestions, "suggestion")} ${suggestions === 1 ? "is" : "are"} undecided and will stay readable.`;
  $("batch-export-go").disabled = counts.ready === 0;
  if (run && !state.joined) { state.joined = true; look(); }
}

async function look() {
  const mine = state;
  clearTimeout(mine.timer);
  try {
    const run = await get(`/api/batches/${mine.id}/export`);
    if (state !== mine) return;
    drawRun(run);
    if (run.status === "running") follow();
  } catch (failure) {
    if (state === mine && failure.status !== 404) notice(failure.message);
  }
}

/** Hear the whole picture at every step; without a stream ask every five seconds. */
function follow() {
  const mine = state;
  if (mine.source) return;
  mine.source = new EventSource(`/api/batches/${mine.id}/export/stream`);
  mine.source.onmessage = (event) => { if (state === mine) drawRun(JSON.parse(event.data)); };
  mine.source.addEventListener("end", () => { if (state === mine) { quiet(); mine.timer = setTimeout(look, 250); } });
  mine.source.onerror = () => { if (state === mine) { quiet(); mine.timer = setTimeout(look, 5000); } };
}

function drawRun(run) {
  state.run = run;
  const over = run.status !== "running";
  const { counts } = run;
  $("batch-export-run").hidden = false;
  $("batch-export-ask").hidden = !over;
  $("batch-export-go").textContent = over ? "Export again" : "Export all";
  $("batch-export-stop").hidden = over;
  $("batch-export-stop").disabled = run.stopping === true;
  $("batch-export-stop").textContent = run.stopping ? "Stopping…" : "Stop";
  $("batch-export-stage").textContent = run.status === "done" && counts.exported === 0 ? "Nothing could be exported." : STAGES[run.status];
  segments($("batch-export-bar"), [["exported", counts.exported], ["failed", counts.failed], ["left out", counts.skipped + counts.stopped], ["waiting", counts.waiting]]);
  $("batch-downloads").hidden = !(over && run.downloadUrl);
  $("get-vaults").hidden = $("batch-vaults-note").hidden = !(over && run.downloadUrl && run.vaults);
  $("get-vaults").textContent = plural(run.vaults ?? 0, "vault");
  for (const shape of SHAPES) if (run.downloadUrl) $(`get-${shape}`).href = `${run.downloadUrl}&output=${shape}`;
  left(run.left ?? []);
}

function left(items) {
  $("batch-left").hidden = items.length === 0;
  $("batch-left-title").textContent = `${plural(items.length, "document")} left out`;
  const more = items.length - NAMED;
  $("batch-left-files").replaceChildren(...items.slice(0, NAMED).map((item) => h("li", {}, h("a", { href: `/documents/${item.documentId}` }, item.filename), h("span", {}, item.error))),
    ...(more > 0 ? [h("li", { class: "muted" }, `and ${more.toLocaleString()} more, all named in batch-report.json`)] : []));
}

/** The chosen method for every category that may have it. */
function chosen() {
  const method = $("batch-method").value;
  return Object.fromEntries((ALLOWED[method] ?? []).map((category) => [category, method]));
}

$("batch-method").addEventListener("change", () => {
  const note = NOTES[$("batch-method").value];
  $("batch-method-note").textContent = note ? note + ALWAYS : "";
  $("batch-method-note").hidden = !note;
});

$("batch-export-go").addEventListener("click", async () => {
  const mine = state;
  notice(null);
  mine.joined = true;
  try {
    await patiently(() => post(`/api/batches/${mine.id}/export`, { labels: $("batch-labels").checked, keepMetadata: $("batch-keep-metadata").checked, methods: chosen() }));
    if (state !== mine) return;
    announce("Export started");
    await look();
  } catch (failure) {
    if (state === mine) notice(failure.message);
  }
});

$("batch-export-stop").addEventListener("click", async () => {
  const mine = state;
  $("batch-export-stop").disabled = true;
  $("batch-export-stop").textContent = "Stopping…";
  try {
    await call("DELETE", `/api/batches/${mine.id}/export`);
  } catch (failure) {
    if (state === mine) notice(failure.message);
  }
  if (state === mine) look();
});

// A link opens for five minutes; the next click gets a fresh one.
for (const shape of SHAPES) {
  $(`get-${shape}`).addEventListener("click", () => { setTimeout(look, 0); });
}
