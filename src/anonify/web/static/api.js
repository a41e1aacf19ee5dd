// Everything that goes over the wire.

/** A failure with the server's own sentence. */
export class Failure extends Error {
  constructor(body, status) {
    super(body?.error ?? "The server did not answer. Check the connection and try again.");
    this.code = body?.code ?? "network";
    this.body = body ?? {};
    this.status = status;
  }
}

export async function call(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Failure(null, 0);
  }
  if (response.status === 204) return null;
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Failure(answer, response.status);
  return answer;
}

export const get = (path) => call("GET", path);
export const post = (path, body) => call("POST", path, body);

/** Call again, as long as it takes, when the server asks to slow down. */
export async function patiently(act) {
  for (;;) {
    try {
      return await act();
    } catch (failure) {
      if (failure.code !== "rate-limited") throw failure;
      await new Promise((resolve) => { setTimeout(resolve, 1000 * (failure.body.retryAfterSeconds || 1)); });
    }
  }
}

/** PUT a file; `moved` is told the share sent, 0 to 1; `signal` stops it. */
export function put(path, file, moved, signal) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", path);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = (event) => moved(event.total ? event.loaded / event.total : 0);
    request.onerror = () => reject(new Failure(null, 0));
    request.onabort = request.onerror;
    signal?.addEventListener("abort", () => request.abort());
    request.onload = () => {
      if (request.status < 300) return resolve();
      let body = null;
      try { body = JSON.parse(request.responseText); } catch { /* not ours */ }
      return reject(new Failure(body, request.status));
    };
    request.send(file);
  });
}

/**
 * Follow a document's events. Reconnects from the last index with back-off; `finished` is called once the stream has
 * ended for good, `lost` with whether the connection is gone just now. Returns a function that stops.
 */
export function follow(id, heard, finished, lost = () => {}) {
  let next = 0;
  let wait = 1000;
  let source;
  let timer;
  let stopped = false;
  const stop = () => { stopped = true; clearTimeout(timer); source?.close(); };
  const again = () => {
    source.close();
    if (stopped) return;
    timer = setTimeout(connect, wait);
    wait = Math.min(wait * 2, 15000);
  };
  const connect = () => {
    source = new EventSource(`/api/documents/${id}/stream?startIndex=${next}`);
    source.onopen = () => { lost(false); };
    source.onmessage = (event) => {
      wait = 1000;
      next = Number(event.lastEventId) + 1;
      heard(JSON.parse(event.data));
    };
    source.addEventListener("end", () => { stop(); finished(); });
    // A refusal (gone, expired) also lands here: the row knows better than the stream.
    source.onerror = async () => {
      again();
      try {
        const row = await get(`/api/documents/${id}`);
        if (!stopped && ["ready", "failed", "expanded"].includes(row.status)) { stop(); finished(); }
      } catch (failure) {
        if (failure.status === 404 || failure.status === 410) { stop(); finished(); }
        else if (!stopped) lost(true);
      }
    };
  };
  connect();
  return stop;
}
