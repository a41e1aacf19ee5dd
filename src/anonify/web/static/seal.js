// Seals a file before it leaves this browser: envelope v1 (docs/architecture.md), under a key that serves once.

const CHUNK = 1 << 20;
const FIXED = [0x41, 0x4e, 0x46, 0x59, 1, 20, 0, 0]; // "ANFY", version, chunk shift, two zeros
const HEADER = 16; // with the random beginning of every nonce

/** What to ask for with a reservation. Browsers lend their cipher to secure contexts only; elsewhere files go plain. */
export const sealing = () => (isSecureContext ? { uploadEncryption: "anfy1" } : {});

/** What is to be sent of a file: sealed where its reservation holds a key. `moved` is told the share sealed, 0 to 1. */
export async function outgoing(file, { uploadKey, uploadName }, moved = () => {}) {
  return uploadKey ? sealed(file, uploadKey, uploadName, moved) : file;
}

// A chunk at a time: the browser keeps the sealed parts, outside the page's own memory where it can.
async function sealed(file, uploadKey, name, moved) {
  const header = new Uint8Array(HEADER);
  header.set(FIXED);
  crypto.getRandomValues(header.subarray(FIXED.length));
  const key = await crypto.subtle.importKey("raw", decoded(uploadKey), "AES-GCM", false, ["encrypt"]);
  const nonce = new DataView(new ArrayBuffer(12));
  new Uint8Array(nonce.buffer).set(header.subarray(FIXED.length));
  const additionalData = joined(header, new TextEncoder().encode(name), [0]);
  const parts = [header];
  const last = Math.max(0, Math.ceil(file.size / CHUNK) - 1);
  for (let number = 0; number <= last; number += 1) {
    nonce.setUint32(8, number);
    additionalData[additionalData.length - 1] = number === last ? 1 : 0;
    const chunk = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce, additionalData }, key, await read(file, number * CHUNK));
    parts.push(new Blob([chunk]));
    moved((number + 1) / (last + 1));
  }
  return new Blob(parts);
}

async function read(file, start) {
  try {
    return await file.slice(start, start + CHUNK).arrayBuffer();
  } catch {
    throw new Error("The file could not be read. It may have been moved or changed since it was chosen.");
  }
}

function joined(...pieces) {
  const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) { all.set(piece, at); at += piece.length; }
  return all;
}

const decoded = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
