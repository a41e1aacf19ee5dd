// A verified file and how to take it away; and, where there is none, why not and what to do.

import { get } from "../api.js";
import { bytes, plural, words } from "../dom.js";
import { html, useEffect, useRef, useState } from "./ui.js";

const OPEN = 4 * 60 * 1000; // milliseconds a link is used for: the server opens it for five minutes

const FAULTS = {
  survivor: "An accepted value could still be read in the new file.",
  seen: "An accepted value could still be seen in the new file's pictures.",
  unread: "A page of the new file could not be read again, so nobody can say that no accepted value is seen on it.",
  opens: "The new file could not be opened again.",
  report: "The report would have quoted an accepted value.",
  stored: "What was stored was not what had been verified.",
};
const ADVICE = {
  survivor: "Put the values you added last back to “To decide”, one after the other, and export again: that shows which one cannot be removed. Then tell the operator.",
  stored: "Export again. If it happens twice, tell the operator.",
  other: "Put some decisions back to “To decide” and export again, or save the original anew in the program that made it and upload that. Tell the operator: this should not happen.",
};

const plain = (check) => FAULTS[check] ?? `The file does not keep the rules of its own kind (${words(check)}).`;

/** Why there is no file: for a refused one the check that failed, and what to do about it. */
export function Refusal({ desk, variant, failure }) {
  const { check, survivors } = failure.body ?? {};
  if (failure.code !== "verification-failed" || !check) return html`<div class="notice bad refusal" role="alert"><p>${failure.message}</p></div>`;
  return html`<div class="notice bad refusal" role="alert">
    <p><b>The file did not pass verification, so there is nothing to download.</b></p>
    <p>${plain(check)}${check === "survivor" && survivors > 0 ? ` ${plural(survivors, "finding")}.` : ""}</p>
    ${variant.keepMetadata && html`<p>Try first without keeping author, title and the like.</p>`}
    <p>${ADVICE[check] ?? ADVICE.other}</p>
    <p class="for-operator">For the operator's log: check <code>${check}</code>, ${plural(survivors, "finding")}, document <code>${desk.id}</code></p>
  </div>`;
}

/** The artifact with links that open: asked for anew before they close, and when one is pressed that has closed. */
function useLinks(desk, artifact, stale) {
  const [links, setLinks] = useState(artifact);
  const since = useRef(stale ? 0 : Date.now());
  const alive = useRef(true);
  const renew = async () => {
    const { artifacts } = await get(`/api/documents/${desk.id}`);
    const fresh = artifacts?.find((one) => one.id === artifact.id);
    if (!fresh) throw new Error("This file is no longer kept. Export again.");
    since.current = Date.now();
    if (alive.current) setLinks(fresh);
    return fresh;
  };
  useEffect(() => {
    if (stale) renew().catch(() => null); // a press asks again, and says why not
    const timer = setInterval(() => renew().catch(() => null), OPEN);
    return () => { alive.current = false; clearInterval(timer); };
  }, []);
  const pressed = (field) => async (event) => {
    if (Date.now() - since.current < OPEN) return;
    event.preventDefault();
    const { download } = event.currentTarget;
    try {
      const fresh = await renew();
      Object.assign(document.createElement("a"), { href: fresh[field], download }).click();
    } catch (failure) {
      desk.fail(failure);
    }
  };
  return [links, pressed];
}

/** One verified file. `stale`: it was made earlier, so its links have closed. */
export function Artifact({ desk, artifact, name, stale, first }) {
  const [links, pressed] = useLinks(desk, artifact, stale);
  return html`<div class="artifact">
    ${!stale && html`<p class="verified"><span aria-hidden="true">✓</span> Verified: no accepted value is left in the file.</p>`}
    <p>${name && html`<b>${name}</b>`}<span class="muted">${name ? " · " : ""}${artifact.filename} · ${bytes(artifact.size)}</span></p>
    <p class="downloads">
      <a class=${`button ${stale ? "small" : "primary"}`} data-first=${first ? "" : null} href=${links.downloadUrl} download=${artifact.filename} onClick=${pressed("downloadUrl")}>Download<span class="unseen"> ${name ?? artifact.filename}</span></a>
      <a class=${`button ${stale ? "small" : ""}`} href=${links.reportUrl} download=${`${artifact.filename}.report.json`} onClick=${pressed("reportUrl")}>Report<span class="unseen"> of ${name ?? artifact.filename}</span></a>
      ${links.vaultUrl && html`<a class=${`button ${stale ? "small" : ""}`} href=${links.vaultUrl} download=${`${artifact.filename}.vault.json`} onClick=${pressed("vaultUrl")}>Vault<span class="unseen"> of ${name ?? artifact.filename}</span></a>`}
    </p>
    <p class="muted checksum">SHA-256 <code>${artifact.sha256}</code></p>
  </div>`;
}
