// The export dialog: what is undecided, how the files should look, the work, and a verified result for each.

import { post } from "../api.js";
import { plural } from "../dom.js";
import { Artifact, Refusal } from "./artifact.js";
import { Told, given } from "./asked.js";
import { NO_FILTER } from "./desk.js";
import { Modal } from "./parts.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./ui.js";
import { Vault, useHold } from "./vault.js";
import { MOST, Variant, another, asRequest, nameOf } from "./variants.js";

function Standing({ desk, close }) {
  const { accepted = 0, suggested = 0, rejected = 0 } = desk.counts.value;
  const through = () => {
    close();
    desk.pane.value = "found";
    desk.show("suggested", NO_FILTER);
  };
  return html`<div class="standing">
    <p>${accepted ? `${plural(accepted, "accepted place")} will be removed. The original is not changed.` : "Nothing is accepted: the export only cleans what no viewer shows. The original is not changed."}</p>
    ${suggested > 0 && html`<p class="notice warn" id="export-undecided">${plural(suggested, "suggestion")} ${suggested === 1 ? "is" : "are"} undecided and will stay readable.${" "}
      <button type="button" class="link" id="go-through" onClick=${through}>Go through them</button></p>`}
    ${rejected > 0 && html`<p class="muted">${plural(rejected, "ignored place")} will stay readable.</p>`}
  </div>`;
}

/** What was exported before: what has been decided since is not in it. */
function Earlier({ desk }) {
  const [shown] = useState(() => {
    const here = desk.exported.peek();
    return [...(desk.row.peek().artifacts ?? []).filter((old) => !here.some(({ id }) => id === old.id)), ...here];
  });
  if (!shown.length) return null;
  return html`<details class="earlier"><summary>${plural(shown.length, "file")} exported before</summary>
    <p class="muted">What was decided since then is not in ${shown.length === 1 ? "it" : "them"}.</p>
    ${shown.map((artifact) => html`<${Artifact} key=${artifact.id} desk=${desk} artifact=${artifact} name=${artifact.name} stale />`)}</details>`;
}

function Ask({ desk, variants, setVariants, go, close }) {
  const form = useRef();
  const names = variants.map(nameOf);
  const repeats = (at) => names.indexOf(names[at]) < at;
  const change = (id, changes) => setVariants((all) => all.map((one) => (one.id === id ? { ...one, ...changes } : one)));
  const add = () => {
    const fresh = another(variants);
    setVariants([...variants, fresh]);
    requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`variant-${fresh.id}-labels`)?.focus()));
  };
  const remove = (id) => {
    setVariants(variants.filter((one) => one.id !== id));
    form.current.querySelector("#variant-add, #export-go")?.focus();
  };
  const start = (event) => {
    event.preventDefault();
    go();
  };
  return html`<form class="export-ask" ref=${form} onSubmit=${start}>
    <${Standing} desk=${desk} close=${close} />
    ${variants.map((variant, at) => html`<${Variant} key=${variant.id} variant=${variant} pictured=${desk.outline.value.pictured} given=${given()} same=${repeats(at)} only=${variants.length === 1}
      change=${(changes) => change(variant.id, changes)} remove=${variants.length > 1 ? () => remove(variant.id) : null} />`)}
    ${variants.length < MOST && html`<p><button type="button" class="button small" id="variant-add" onClick=${add}>Add a variant</button>${" "}
      <span class="muted">The same decisions, another look: a file of its own.</span></p>`}
    <${Earlier} desk=${desk} />
    <p class="dialog-foot"><button type="submit" class="button primary" id="export-go" disabled=${variants.some((_, at) => repeats(at))}>${variants.length === 1 ? "Export" : `Export ${variants.length} files`}</button></p>
  </form>`;
}

function Result({ desk, variant, result, name, save }) {
  if (result?.artifact) return html`<${Artifact} desk=${desk} artifact=${result.artifact} name=${name} first />
    ${result.vault && html`<${Vault} vault=${result.vault} artifact=${result.artifact} saved=${result.saved} save=${save} />`}`;
  if (result?.failure) return html`<div class="artifact">${name && html`<p><b>${name}</b></p>`}<${Refusal} desk=${desk} variant=${variant} failure=${result.failure} /></div>`;
  return html`<div class="artifact">${name && html`<p><b>${name}</b></p>`}
    ${result ? html`<p class="stage">Removing, then reading the result back with two readers…</p><progress aria-label="Export in progress"></progress>` : html`<p class="muted">Waits for its turn.</p>`}</div>`;
}

function told(variants, results) {
  const all = variants.map(({ id }) => results[id]);
  const done = all.filter((one) => one?.artifact).length;
  const failed = all.filter((one) => one?.failure).length;
  if (done + failed < all.length) return all.length === 1 ? "Exporting…" : `Exporting ${done + failed + 1} of ${all.length}…`;
  if (!failed) return all.length === 1 ? "Verified. The file can be downloaded." : `${all.length === 2 ? "Both" : `All ${all.length}`} files are verified and can be downloaded.`;
  return all.length === 1 ? "There is no file." : `${done} of ${all.length} files are verified; ${failed} could not be made.`;
}

/** Exports the variants one after the other. Closing ends it after the file in hand. */
async function work(desk, variants, alive, tell) {
  for (const variant of variants) {
    if (!alive.current) return;
    tell(variant.id, { working: true });
    try {
      const { artifact, vault } = await post(`${desk.base}/export`, asRequest(variant));
      desk.exported.value = [...desk.exported.value, { ...artifact, name: nameOf(variant) }];
      tell(variant.id, { artifact, vault });
      if (!alive.current) desk.say("Verified. The file is among those exported before.");
    } catch (failure) {
      tell(variant.id, { failure });
      if (!alive.current) desk.fail(failure);
    }
  }
}

export function Export({ desk }) {
  const [variants, setVariants] = useState(() => [another()]);
  const [results, setResults] = useState(null);
  const alive = useRef(true);
  const body = useRef();
  useEffect(() => () => { alive.current = false; }, []);
  const unsaved = results === null ? 0 : Object.values(results).filter((one) => one.vault && !one.saved).length;
  const [leaving, setLeaving] = useState(false);
  useHold(unsaved > 0);
  const leave = (dialog) => {
    if (unsaved && !leaving) setLeaving(true);
    else desk.dialog.value = dialog;
  };
  const close = () => leave(null);
  const save = (id) => {
    setResults((all) => ({ ...all, [id]: { ...all[id], saved: true } }));
    setLeaving(false);
  };
  const over = results !== null && variants.every(({ id }) => results[id]?.artifact || results[id]?.failure);
  const some = over && variants.some(({ id }) => results[id].artifact);
  const going = useRef(false);
  const go = async () => {
    if (going.current) return; // pressed twice while decisions are still on their way
    going.current = true;
    const before = desk.failures;
    await desk.tail;
    going.current = false;
    if (desk.failures !== before) return; // what failed is told above; a file without that decision is not what was asked for
    setResults({});
    work(desk, variants, alive, (id, result) => { if (alive.current) setResults((all) => ({ ...all, [id]: result })); });
  };
  useLayoutEffect(() => { if (over) (body.current.querySelector("[data-first]") ?? body.current.querySelector("#export-again"))?.focus(); }, [over]);
  return html`<${Modal} title=${some ? "Verified export" : "Export"} close=${close}>
    <div class="export" ref=${body}>
      <${Told} desk=${desk} />
      <p class="unseen" role="status">${results ? told(variants, results) : ""}</p>
      ${results === null ? html`<${Ask} desk=${desk} variants=${variants} setVariants=${setVariants} go=${go} close=${close} />`
        : html`${variants.length > 1 && html`<p class="muted" aria-hidden="true">${told(variants, results)}</p>`}
          ${variants.map((variant) => html`<${Result} key=${variant.id} desk=${desk} variant=${variant} result=${results[variant.id]} name=${variants.length > 1 ? nameOf(variant) : null} save=${() => save(variant.id)} />`)}
          ${leaving && unsaved > 0 && html`<p class="notice bad" role="alert" id="vault-unsaved">${plural(unsaved, "vault")} ${unsaved === 1 ? "is" : "are"} not saved. Without ${unsaved === 1 ? "it" : "them"} nobody can turn the surrogates back. Press Close once more to leave all the same.</p>`}
          <p class="dialog-foot">
            ${some && html`<button type="button" class="button" id="export-compare" onClick=${() => leave("compare")}>Before and after</button>`}
            ${over && html`<button type="button" class="button" id="export-again" disabled=${unsaved > 0} onClick=${() => setResults(null)}>${some ? "Export another way" : "Back"}</button>`}
            <button type="button" class="button" onClick=${close}>Close</button></p>`}
    </div>
  <//>`;
}
