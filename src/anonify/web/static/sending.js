// Several files as one batch: a verdict for each, then their bytes. The panel stays above every screen until all is sent.

import { call, patiently, post, put } from "./api.js";
import { $, announce, bytes, h, plural } from "./dom.js";
import { outgoing, sealing } from "./seal.js";

const AT_ONCE = 3; // more would only share the same line
const SHOWN = 200; // refused files named; more are counted
const HELD = 256 << 20; // sealed bytes that wait beside each other: a browser may keep them in memory

let current = null;

addEventListener("beforeunload", (event) => { if (current && !current.over) event.preventDefault(); });

/** Reserve a batch and send its files; `reserved` is told its id once files may be sent. Resolves when all is done. */
export async function sendBatch({ wanted, litter }, options, reserved) {
  if (current && !current.over) throw new Error("Wait until the files before these are sent.");
  const room = Number(document.body.dataset.maxFiles);
  if (wanted.length > room) throw new Error(`A batch takes ${plural(room, "file")} at most; these are ${wanted.length.toLocaleString()}. Nothing was sent.`);
  const mine = { total: 0, done: 0, bytes: 0, sent: 0, held: 0, waiting: [], sealed: false, left: litter.map(({ path }) => [path, "left by the operating system, not sent"]), over: false };
  const most = Number(document.body.dataset.maxBytes);
  const fits = wanted.filter(({ file }) => file.size <= most);
  for (const item of wanted) if (item.file.size > most) mine.left.push([item.path, "larger than this installation allows"]);
  current = mine;
  draw();
  try {
    if (fits.length) await run(mine, fits, options, reserved);
  } finally {
    mine.over = true;
    draw();
  }
  announce(`${plural(mine.done, "file")} sent${mine.left.length ? `, ${mine.left.length.toLocaleString()} not taken` : ""}`);
}

async function run(mine, files, options, reserved) {
  const batch = await patiently(() => post("/api/batches", { files: files.map(({ file, path }) => ({ filename: path, size: file.size })), ...options, ...sealing() }));
  mine.sealed = batch.files.some((verdict) => verdict.uploadKey);
  const waiting = [];
  batch.files.forEach((verdict, index) => {
    if (verdict.accepted) waiting.push({ ...files[index], ...verdict });
    else mine.left.push([files[index].path, verdict.error]);
  });
  mine.total = waiting.length;
  mine.bytes = waiting.reduce((sum, item) => sum + item.file.size, 0);
  draw();
  if (!waiting.length) return;
  reserved(batch.id);
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await one(mine, item);
  }));
}

async function one(mine, item) {
  let before = 0;
  const moved = (share) => { mine.sent += share * item.file.size - before; before = share * item.file.size; draw(); };
  await hold(mine, item.file.size);
  try {
    const body = await outgoing(item.file, item);
    await patiently(() => put(item.pathname, body, moved));
    await patiently(() => post(`/api/documents/${item.id}/process`));
    mine.done += 1;
  } catch (failure) {
    mine.left.push([item.path, failure.message]);
    mine.total -= 1;
    await call("DELETE", `/api/documents/${item.id}`).catch(() => null);
  }
  release(mine, item.file.size);
  moved(1);
}

async function hold(mine, size) {
  while (mine.held > 0 && mine.held + size > HELD) await new Promise((resolve) => { mine.waiting.push(resolve); });
  mine.held += size;
}

function release(mine, size) {
  mine.held -= size;
  for (const resolve of mine.waiting.splice(0)) resolve();
}

function draw() {
  const { total, done, sent, sealed, left, over } = current;
  $("sending").hidden = over && left.length === 0;
  $("sending-title").textContent = over ? `${plural(done, "file")} sent` : total ? `Sending ${plural(total, "file")}` : "Asking whether the files can be taken";
  $("sending-bar").hidden = over;
  $("sending-bar").max = current.bytes || 1;
  $("sending-bar").value = sent;
  $("sending-count").textContent = over ? "" : `${done.toLocaleString()} of ${total.toLocaleString()} · ${bytes(sent)} of ${bytes(current.bytes)}${sealed ? " · sealed in your browser" : ""}`;
  $("sending-close").hidden = !over;
  $("sending-left").hidden = left.length === 0;
  if ($("sending-files").childElementCount === Math.min(left.length, SHOWN)) return;
  $("sending-left-title").textContent = `${plural(left.length, "file")} not taken`;
  $("sending-files").replaceChildren(...left.slice(0, SHOWN).map(([path, why]) => h("li", {}, h("b", {}, path), h("span", {}, why))));
}

$("sending-close").addEventListener("click", () => { $("sending").hidden = true; $("main").focus(); });
