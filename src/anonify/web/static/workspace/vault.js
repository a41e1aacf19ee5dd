// The vault of an export: given once, kept nowhere, so it is saved here or lost.

import { html, useEffect, useState } from "./ui.js";

/** The vault of `artifact`. `saved` says whether it was taken; `save` is told when it is. */
export function Vault({ vault, artifact, saved, save }) {
  const [address, setAddress] = useState(null);
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([`${JSON.stringify(vault, null, 2)}\n`], { type: "application/json" }));
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [vault]);
  return html`<div class=${`vault notice ${saved ? "" : "warn"}`}>
    <p>${saved ? html`<b>The vault was saved.</b> Keep it apart from the file: whoever has both has the values.` : html`<b>Save the vault now.</b> It turns this file's surrogates back into values, and it is kept nowhere here: closed without saving, it is lost.`}</p>
    <p><a class=${`button ${saved ? "small" : "primary"}`} href=${address} download=${`${artifact.filename}.vault.json`} onClick=${save}>${saved ? "Save it again" : "Save the vault"}<span class="unseen"> of ${artifact.filename}</span></a></p>
  </div>`;
}

/** Asks the browser to hold the page while a vault is not saved. */
export function useHold(unsaved) {
  useEffect(() => {
    if (!unsaved) return undefined;
    const hold = (event) => event.preventDefault();
    addEventListener("beforeunload", hold);
    return () => removeEventListener("beforeunload", hold);
  }, [unsaved]);
}
