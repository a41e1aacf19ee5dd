// Rules of this document, of its batch, and of everything: what they do, how far they reach, and making one.

import { get, post } from "../api.js";
import { plural, words } from "../dom.js";
import { Told } from "./asked.js";
import { Modal } from "./parts.js";
import { takeDraft } from "./rule-draft.js";
import { RuleForm } from "./rule-form.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "./ui.js";

const AGAIN = 2000; // milliseconds between looks while a rule is still at work
const LARGEST = 1 << 20; // bytes of a file of rules; 200 of them are far less
const NAMES = { document: "In this document", batch: "In the whole batch", global: "Always" };

const paths = (desk) => ({
  document: `${desk.base}/rules`,
  ...(desk.row.value.batchId ? { batch: `/api/batches/${desk.row.value.batchId}/rules` } : {}),
  global: "/api/rules",
});

async function load(desk) {
  const entries = await Promise.all(Object.entries(paths(desk)).map(async ([scope, path]) => [scope, (await get(path)).rules]));
  return Object.fromEntries(entries);
}

const named = (rule) => (rule.kind === "regex" ? `/${rule.pattern}/` : rule.pattern);

function effect(rule) {
  if (!rule.enabled) return [rule.action === "keep" ? "never suggested" : words(rule.category), "off"];
  const where = rule.places ? `${plural(rule.places, "place")}${rule.scope === "document" ? "" : ` in ${plural(rule.documents, "document")}`}` : "stands nowhere yet";
  const how = [rule.matchCase && "same case", !rule.wholeWord && "also inside words"].filter(Boolean);
  if (rule.action === "keep") return ["never suggested", ...how, rule.places ? `${where} held back` : null, rule.pending && `${plural(rule.pending, "document")} to go`];
  return [words(rule.category), rule.reason, ...how, where, rule.pending && `${plural(rule.pending, "document")} to go`];
}

function Row({ desk, rule, here, done }) {
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const off = useRef();
  const act = async (what) => {
    setBusy(true);
    desk.notice.value = null;
    await what();
    await done();
    setBusy(false);
  };
  const remove = () => act(async () => {
    await desk.dropRule(rule);
    document.getElementById("rules-list")?.focus();
  });
  useLayoutEffect(() => { if (sure) off.current?.focus(); }, [sure]);
  return html`<li class=${rule.enabled ? "" : "off"} aria-busy=${busy}>
    <label class="check"><input type="checkbox" checked=${rule.enabled} disabled=${busy} onChange=${(event) => act(() => desk.switchRule(rule, event.target.checked))} />
      <span><b>${named(rule)}</b><span class="muted">${effect(rule).filter(Boolean).join(" · ")}</span></span></label>
    <span class="rule-acts">
      ${here && rule.enabled && html`<button type="button" class="button small" disabled=${busy} onClick=${() => act(() => desk.switchRule(here, !here.enabled))}>${here.enabled ? "Not in this document" : "Also in this document"}<span class="unseen">: ${named(rule)}</span></button>`}
      ${sure ? html`<span class="rule-sure"><span>Remove it${rule.places ? ` and what it decided` : ""}?</span>
        <button type="button" class="button small" ref=${off} disabled=${busy} onClick=${remove}>Remove<span class="unseen"> the rule ${named(rule)}</span></button>
        <button type="button" class="button small" onClick=${() => setSure(false)}>Keep it</button></span>`
        : html`<button type="button" class="button small" disabled=${busy} aria-label=${`Remove the rule ${named(rule)}…`} onClick=${() => setSure(true)}>Remove…</button>`}
    </span></li>`;
}

function List({ desk, rules, done }) {
  // The document's own list holds a copy of every wider rule that reached it: it is shown with that rule.
  const copies = new Map(rules.document.filter((rule) => rule.sourceRuleId).map((rule) => [rule.sourceRuleId, rule]));
  const shown = Object.keys(NAMES).map((scope) => [scope, (rules[scope] ?? []).filter((rule) => !rule.sourceRuleId)]).filter(([, list]) => list.length);
  if (!shown.length) return html`<p class="muted none">No rules yet. A rule decides on a text or a pattern wherever it stands.</p>`;
  return shown.map(([scope, list]) => html`<section key=${scope} aria-label=${NAMES[scope]}><h3>${NAMES[scope]}</h3>
    <ul class="rules-of">${list.map((rule) => html`<${Row} key=${rule.id} desk=${desk} rule=${rule} here=${copies.get(rule.id)} done=${done} />`)}</ul></section>`);
}

const NOT_RULES = "This is not a file of rules.";

/** What was wrong with a rule of a file: a field's name, or that it was none. */
const wrong = (why) => (why.includes("-") ? words(why) : `its ${why.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`);

/** Reads a file of rules and hands it on; says what became of it. */
async function bring(file) {
  if (file.size > LARGEST) throw new Error(NOT_RULES);
  let rules;
  try {
    rules = JSON.parse(await file.text());
  } catch {
    throw new Error(NOT_RULES);
  }
  const { added, switchedOn, already, refused } = await post("/api/rules/import", rules).catch((failure) => { throw failure.code === "invalid-request" ? new Error(NOT_RULES) : failure; });
  const left = refused.length ? ` Not taken: ${refused.map(({ index, why }) => `number ${index + 1} (${wrong(why)})`).join(", ")}.` : "";
  return `${plural(added, "rule")} added${switchedOn ? `, ${switchedOn.toLocaleString()} switched on again` : ""}${already ? `, ${already.toLocaleString()} there already` : ""}.${left}`;
}

function Files({ desk, rules, done }) {
  const input = useRef();
  const take = async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    desk.notice.value = null;
    try {
      desk.say(await bring(file));
      await done();
      desk.refresh();
    } catch (failure) {
      desk.fail(failure);
    }
  };
  return html`<p class="rule-files"><span class="muted">Rules that hold always, as a file:</span>
    ${rules.global.length > 0 && html`<a class="button small" id="rules-export" href="/api/rules/export" download="anonify-rules.json">Save them</a>`}
    <button type="button" class="button small" id="rules-import" onClick=${() => input.current.click()}>Add from a file…</button>
    <input type="file" accept=".json,application/json" hidden ref=${input} aria-label="File of rules" onChange=${take} /></p>`;
}

export function Rules({ desk }) {
  const [begun] = useState(takeDraft);
  const [rules, setRules] = useState(null);
  const alive = useRef(true);
  const latest = useRef(null);
  const done = async () => {
    const mine = (latest.current = {});
    try {
      const answer = await load(desk);
      if (alive.current && latest.current === mine) setRules(answer);
    } catch (failure) {
      if (alive.current) desk.fail(failure);
    }
  };
  useEffect(() => {
    done();
    return () => { alive.current = false; };
  }, []);
  const pending = rules !== null && Object.values(rules).flat().some((rule) => rule.enabled && rule.pending > 0);
  useEffect(() => {
    if (!pending) return undefined;
    const timer = setTimeout(done, AGAIN);
    return () => clearTimeout(timer);
  }, [rules, pending]);
  return html`<${Modal} title="Rules" wide close=${() => { desk.dialog.value = null; }}>
    <${Told} desk=${desk} />
    <div class="rules-dialog">
      <${RuleForm} desk=${desk} begun=${begun} made=${done} />
      <div class="rules-list" id="rules-list" tabindex="-1" aria-label="Rules" role="region">
        ${rules === null ? html`<p class="muted none">Looking…</p>` : html`<${List} desk=${desk} rules=${rules} done=${done} /><${Files} desk=${desk} rules=${rules} done=${done} />`}
      </div>
    </div>
  <//>`;
}
