// What is being sent from this page: a verdict for each file, then its bytes, then how far its run has got.

import { get, patiently, post } from "./api.js";
import { $, announce, bytes, h, plural } from "./dom.js";
import { sealing } from "./seal.js";
import { alone, deliver, withdraw } from "./transfer.js";

const AT_ONCE = 3; // more would only share the same line
const SHOWN = 200; // refused files named; more are counted
const HELD = 256 << 20; // sealed bytes that wait beside each other: a browser may keep them in memory
const LOOK = 3000;
const RUN = { queued: "sent, waiting", extracting: "reading", normalizing: "reading", analyzing: "looking for values", ready: "ready", expanded: "opened", failed: "could not be read" };

let current = null;

addEventListener("beforeunload", (event) => { if (current && !current.over) event.preventDefault(); });

function begin(total, left) {
  if (current && !current.over) throw new Error("Wait until the files before these are sent.");
  current = { total, done: 0, bytes: 0, sent: 0, held: 0, waiting: [], left, over: false, lost: new Set(), rows: new Map(), batch: null, stop: new AbortController() };
  $("sending-rows").replaceChildren();
  $("sending-open").hidden = true;
  return current;
}

/** Send files: one as a document, several as a batch. Resolves with where to go on, or null where something is left to tell. */
export async function send({ wanted, litter }, options) {
  const room = Number(document.body.dataset.maxFiles);
  if (wanted.length > room) throw new Error(`A batch takes ${plural(room, "file")} at most; these are ${wanted.length.toLocaleString()}. Nothing was sent.`);
  const most = Number(document.body.dataset.maxBytes);
  const fits = wanted.filter(({ file }) => file.size <= most);
  const mine = begin(fits.length, litter.map(({ path }) => [path, "left by the operating system, not sent"]));
  for (const item of wanted) if (item.file.size > most) mine.left.push([item.path, "larger than this installation allows"]);
  draw();
  try {
    if (wanted.length === 1 && fits.length === 1) return await single(mine, fits[0], options);
    if (fits.length) await many(mine, fits, options);
  } finally {
    mine.over = true;
    draw();
  }
  announce(`${plural(mine.done, "file")} sent${mine.left.length ? `, ${mine.left.length.toLocaleString()} not taken` : ""}`);
  return mine.left.length === 0 && mine.batch ? `/batches/${mine.batch}` : null;
}

async function single(mine, item, options) {
  mine.bytes = item.file.size;
  const row = lineOf(mine, item);
  try {
    const id = await alone(item.file, options, hooks(mine, item, row));
    mine.done = 1;
    announce(`${item.file.name} sent`);
    return mine.left.length ? null : `/documents/${id}`;
  } catch (failure) {
    mine.total = 0;
    mine.left.push([item.path, failure.message]);
    return null;
  }
}

async function many(mine, files, options) {
  const batch = await patiently(() => post("/api/batches", { files: files.map(({ file, path }) => ({ filename: path, size: file.size })), ...options, ...sealing() }));
  const waiting = [];
  batch.files.forEach((verdict, index) => {
    if (verdict.accepted) waiting.push({ ...files[index], ...verdict });
    else mine.left.push([files[index].path, verdict.error]);
  });
  mine.total = waiting.length;
  mine.bytes = waiting.reduce((sum, item) => sum + item.file.size, 0);
  if (!waiting.length) return;
  mine.batch = batch.id;
  for (const item of waiting) lineOf(mine, item);
  $("sending-open").href = `/batches/${batch.id}`;
  $("sending-open").hidden = false;
  draw();
  watch(mine);
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await one(mine, item);
  }));
}

async function one(mine, item) {
  const row = mine.rows.get(item.id);
  await hold(mine, item.file.size);
  try {
    await deliver(item, hooks(mine, item, row));
    mine.done += 1;
    row.tell("sent, waiting", 0);
  } catch (failure) {
    mine.left.push([item.path, failure.message]);
    mine.total -= 1;
    row.element.remove();
    mine.rows.delete(item.id);
    await withdraw(item.id);
  }
  release(mine, item.file.size);
}

async function hold(mine, size) {
  while (mine.held > 0 && mine.held + size > HELD) await new Promise((resolve) => { mine.waiting.push(resolve); });
  mine.held += size;
}

function release(mine, size) {
  mine.held -= size;
  for (const resolve of mine.waiting.splice(0)) resolve();
}

/** What a transfer tells while it goes on. */
function hooks(mine, item, row) {
  let before = 0;
  const moved = (share) => {
    mine.sent += share * item.file.size - before;
    before = share * item.file.size;
    row.tell(share < 1 ? `sending, ${Math.round(share * 100)} %` : "sent", share);
    draw();
  };
  const lost = (is) => {
    mine.lost[is ? "add" : "delete"](item.path);
    if (is) row.tell("connection lost", 0);
    draw();
  };
  const sealed = (share) => row.tell(`sealing in your browser, ${Math.round(share * 100)} %`, 0);
  return { sealed, moved, lost, signal: mine.stop.signal };
}

/** A file's line in the panel. */
function lineOf(mine, item) {
  const said = h("span", { class: "status" }, "waiting");
  const bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${item.path}` });
  const element = h("li", {}, h("span", { class: "sending-name" }, item.path), said, bar);
  const row = { element, tell: (text, share) => { if (said.textContent !== text) said.textContent = text; bar.value = share; } };
  mine.rows.set(item.id ?? item.path, row);
  $("sending-rows").append(element);
  return row;
}

/** After the bytes the run: how far each file of the batch has got, for as long as this page is open. */
async function watch(mine) {
  while (current === mine && !$("sending").hidden) {
    await new Promise((resolve) => { setTimeout(resolve, LOOK); });
    const answer = await get(`/api/batches/${mine.batch}?limit=1000`).catch(() => null);
    if (!answer) continue;
    for (const document of answer.documents) if (RUN[document.status]) mine.rows.get(document.id)?.tell(RUN[document.status], document.progress / 100);
    if (mine.over && answer.counts.working + answer.counts.uploading === 0) return;
  }
}

function draw() {
  const { total, done, sent, left, over, lost } = current;
  $("sending").hidden = over && left.length === 0;
  $("sending-title").textContent = over ? `${plural(done, "file")} sent` : current.rows.size ? `Sending ${plural(total, "file")}` : "Asking whether the files can be taken";
  $("sending-bar").hidden = over;
  $("sending-bar").max = current.bytes || 1;
  $("sending-bar").value = sent;
  $("sending-count").textContent = over ? "" : `${done.toLocaleString()} of ${total.toLocaleString()} · ${bytes(sent)} of ${bytes(current.bytes)}`;
  $("sending-lost").hidden = lost.size === 0 || over;
  $("sending-stop").hidden = over;
  $("sending-close").hidden = !over;
  $("sending-rows").hidden = current.rows.size === 0 || (over && done === 0);
  $("sending-left").hidden = left.length === 0;
  if ($("sending-files").childElementCount === Math.min(left.length, SHOWN)) return;
  $("sending-left-title").textContent = `${plural(left.length, "file")} not taken`;
  $("sending-files").replaceChildren(...left.slice(0, SHOWN).map(([path, why]) => h("li", {}, h("b", {}, path), h("span", {}, why))));
}

$("sending-stop").addEventListener("click", () => { current?.stop.abort(); $("main").focus(); });
$("sending-close").addEventListener("click", () => { $("sending").hidden = true; $("main").focus(); });
