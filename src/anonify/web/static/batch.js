// Many documents: where each has got to, and what is decided for all of them.

import { drawExport, leaveExport, openBatchExport } from "./batch-export.js";
import { drawRules, openRules } from "./batch-rules.js";
import { Failure, get } from "./api.js";
import { segments } from "./bars.js";
import { drawList } from "./batch-list.js";
import { $, announce, h, notice, plural, until } from "./dom.js";
import { shortfall } from "./notes.js";

const PAGE = 100; // documents shown at once: what a screen can hold, and quick to draw anew
const SOON = 2000;
const LATER = 15000;

let state = null;

function openBatch(id) {
  state = { id, offset: 0, show: "all", answer: null, lines: new Map(), parents: new Map(), timer: null, asked: 0 };
  $("batch-desk").hidden = true;
  $("batch-bar").replaceChildren();
  $("batch-title").textContent = "";
  $("batch-facts").textContent = "";
  for (const part of ["batch-list", "batch-notes"]) $(part).replaceChildren();
  document.title = "Batch · anonify";
  say(null);
  openRules({ id, changed, say });
  openBatchExport({ id, changed });
  load();
}

function closeBatch() {
  clearTimeout(state?.timer);
  leaveExport();
  state = null;
}

/** What is shown is not what is any more: ask at once. */
function changed() {
  if (state) load();
}

/** A line above everything, kept until the next act. */
function say(text) {
  $("batch-said").textContent = text ?? "";
  $("batch-said").hidden = !text;
  if (text) announce(text);
}

async function load() {
  const mine = state;
  clearTimeout(mine.timer);
  mine.asked += 1;
  const turn = mine.asked;
  let wait = SOON;
  try {
    const answer = await get(`/api/batches/${mine.id}?offset=${mine.offset}&limit=${PAGE}&show=${mine.show}`);
    if (state !== mine || mine.asked !== turn) return;
    const first = mine.answer === null;
    mine.answer = answer;
    draw();
    if (first) announce(`${plural(answer.counts.total, "document")}, ${answer.counts.ready.toLocaleString()} ready`);
    const moving = answer.counts.working + answer.counts.uploading > 0 || answer.rules.some((rule) => rule.pending > 0);
    wait = moving ? SOON : LATER;
  } catch (failure) {
    if (state !== mine || mine.asked !== turn) return;
    notice(failure.message);
    if (failure instanceof Failure && [404, 410].includes(failure.status)) return;
    wait = 5000;
  }
  mine.timer = setTimeout(load, document.hidden ? LATER : wait);
}

function draw() {
  const { answer } = state;
  $("batch-desk").hidden = false;
  head(answer);
  tabs(answer);
  short(answer);
  drawList(state, changed);
  drawRules(answer);
  drawExport(answer);
}

function head({ counts, documents, expiresAt }) {
  const tops = documents.filter((row) => !row.parentId);
  const whole = state.offset === 0 && state.show === "all" && documents.length === counts.total;
  if (tops.length === 1 && whole) state.title = tops[0].filename;
  $("batch-title").textContent = state.title ?? plural(counts.total, "document");
  document.title = `${$("batch-title").textContent} · anonify`;
  $("batch-facts").textContent = [state.title && plural(counts.total, "document"), `deleted in ${until(expiresAt)}`].filter(Boolean).join(" · ");
  segments($("batch-bar"), [["ready", counts.ready], ["opened", counts.expanded], ["working", counts.working], ["arriving", counts.uploading], ["failed", counts.failed]]);
}

/** Say out loud where the analysis of a shown document fell short. */
function short({ documents }) {
  const reasons = new Map();
  for (const row of documents) for (const reason of row.degraded) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const told = JSON.stringify([...reasons]);
  if (state.told === told) return;
  state.told = told;
  $("batch-notes").replaceChildren(...[...reasons].map(([reason, count]) => h("p", { class: "notice warn" }, `${shortfall(reason)} (${plural(count, "document")} below)`)));
}

function tabs({ counts, documents, matching }) {
  const numbers = { all: counts.total, failed: counts.failed, undecided: counts.undecided };
  for (const tab of $("batch-tabs").children) {
    tab.setAttribute("aria-pressed", String(tab.dataset.show === state.show));
    tab.dataset.count = (numbers[tab.dataset.show] ?? 0).toLocaleString();
  }
  const last = state.offset + documents.length;
  $("batch-range").textContent = matching > PAGE ? `${(state.offset + 1).toLocaleString()}–${last.toLocaleString()} of ${matching.toLocaleString()}` : "";
  for (const button of ["batch-previous", "batch-next"]) $(button).hidden = matching <= PAGE;
  $("batch-previous").disabled = state.offset === 0;
  $("batch-next").disabled = last >= matching;
}

function turn(offset) {
  state.offset = Math.max(0, offset);
  load();
  $("batch-list-title").scrollIntoView({ block: "nearest" });
}

$("batch-previous").addEventListener("click", () => turn(state.offset - PAGE));
$("batch-next").addEventListener("click", () => turn(state.offset + PAGE));
for (const tab of $("batch-tabs").children) {
  tab.addEventListener("click", () => { state.show = tab.dataset.show; turn(0); });
}
document.addEventListener("visibilitychange", () => { if (state && !document.hidden) load(); });

// The browser may keep the page for Back: without its stream while it is away, and anew when it returns.
addEventListener("pagehide", closeBatch);
addEventListener("pageshow", (event) => { if (event.persisted) openBatch(document.body.dataset.batch); });
openBatch(document.body.dataset.batch);
