// One file on its way: sent, sent again after a lost connection, and its run started.

import { call, Failure, patiently, post, put } from "./api.js";
import { outgoing, sealing } from "./seal.js";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 15000;
const PASSING = new Set(["network", "upload-under-way", "upload-too-slow"]); // the server has not heard yet that the line broke

/** Wait, but not beyond the moment the connection is back, or `signal` says stop. */
function rest(milliseconds, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}

/** Start the run; false when not all of the upload has arrived. */
async function started(id) {
  try {
    await patiently(() => post(`/api/documents/${id}/process`));
    return true;
  } catch (failure) {
    if (failure.code === "not-ready") return false;
    throw failure;
  }
}

/**
 * Send a reserved file `{ id, pathname, file }`, sealed where its reservation holds a key, and start its run, for as
 * long as it takes. `sealed` is told the share sealed and `moved` the share sent, 0 to 1; `lost` whether the connection
 * is lost just now. Rejects when the server refuses, or `signal` stops it.
 */
export async function deliver(item, { sealed, moved, lost, signal }) {
  const body = await outgoing(item.file, item, sealed);
  let wait = FIRST_WAIT;
  let check = false;
  for (;;) {
    if (signal.aborted) throw new Failure({ error: "Stopped before it was sent." }, 0);
    try {
      if (check && await started(item.id)) return lost(false);
      lost(false);
      await patiently(() => put(item.pathname, body, moved, signal));
      if (await started(item.id)) return undefined;
    } catch (failure) {
      if (failure.code === "already-uploaded" && !check) { check = true; continue; }
      if (signal.aborted || !PASSING.has(failure.code)) throw failure;
      check = true; // all of it may have arrived, and only the answer was lost
      moved(0);
      lost(failure.code === "network");
      await rest(wait, signal);
      wait = Math.min(wait * 2, LONGEST_WAIT);
    }
  }
}

/** Take a reservation back; nobody is told when that fails, it ends by itself. */
export const withdraw = (id) => call("DELETE", `/api/documents/${id}`).catch(() => null);

/** Reserve and send one file; its id. */
export async function alone(file, options, hooks) {
  const reserved = await patiently(() => post("/api/documents", { filename: file.name, size: file.size, ...options, ...sealing() }));
  try {
    await deliver({ ...reserved, file }, hooks);
  } catch (failure) {
    await withdraw(reserved.id);
    throw failure;
  }
  return reserved.id;
}

const HOUR = 3600;
const RETENTIONS = [HOUR, 6 * HOUR, 24 * HOUR, 72 * HOUR];

/** Send a file anew in place of a document of which not all arrived; the new id. */
export async function instead(row, file, hooks) {
  const kept = (row.expiresAt - row.createdAt) / 1000;
  const ttlSeconds = RETENTIONS.find((seconds) => seconds >= kept - 60) ?? RETENTIONS.at(-1);
  const id = await alone(file, { preset: row.preset, ttlSeconds }, hooks);
  await withdraw(row.id);
  return id;
}
