// Making a rule, with what it would do told while it is typed.

import { post } from "../api.js";
import { plural } from "../dom.js";
import { Around, Category, Code, LONGEST, Ways, coded, enough, refused, spot } from "./asked.js";
import { methodsOf, optionsOf } from "./methods.js";
import { Choice } from "./parts.js";
import { clean, html, useEffect, useRef, useState } from "./ui.js";

const WAIT = 300; // milliseconds after the last letter
const BLANK = { kind: "literal", pattern: "", matchCase: false, wholeWord: true, action: "redact", category: "other", method: "mask", reason: "", scope: "document" };

const where = (desk, scope) => ({ document: desk.base, batch: `/api/batches/${desk.row.value.batchId}`, global: "/api" })[scope];

/** The rule as the server takes it. */
const asRule = ({ kind, pattern, matchCase, wholeWord, action }) => ({ kind, pattern: kind === "regex" ? pattern : clean(pattern), matchCase, wholeWord, action });

/** The rule's method, if its category may have it. */
const methodOf = ({ method, category }) => (methodsOf(category).includes(method) ? method : "mask");

/** What a rule would do now: { count, documents, first, … }. */
export const preview = (desk, scope, rule) => post(`${where(desk, scope)}/rules/preview`, rule);

/** Scopes a rule can have from this document, with their names. */
export function scopes(desk) {
  const all = [["document", "this document"], ["batch", "the whole batch"], ["global", "always"]];
  return desk.row.value.batchId ? all : all.filter(([scope]) => scope !== "batch");
}

/** What `count` places in `documents` are called, in a sentence. */
export const reached = ({ count, documents }, scope) => `${plural(count, "place")}${scope === "document" ? "" : ` in ${plural(documents, "document")}`}`;

/** What a preview could not see, said plainly, or null. */
export function unseen({ refused: many, searched, documentsInAll }) {
  const said = [];
  if (many) said.push(`It matches too much in ${plural(many, "document")}: such a rule is not taken. Make it narrower.`);
  if (searched < documentsInAll) said.push(`${searched.toLocaleString()} of ${plural(documentsInAll, "document")} were looked at so far. The rule reaches all of them.`);
  return said.length ? said.join(" ") : null;
}

function name(rule, tried) {
  if (!tried) return rule.action === "keep" ? "Make the rule" : "Redact";
  if (!tried.count) return "Make the rule all the same";
  return rule.action === "keep" ? `Hold back ${reached(tried, rule.scope)}` : `Redact ${reached(tried, rule.scope)}`;
}

function said(rule, tried, waiting) {
  if (!enough({ kind: rule.kind, text: rule.pattern })) return rule.pattern ? "Type one more letter." : "";
  if (waiting || !tried) return "Looking…";
  if (!tried.count) return rule.action === "keep" ? "Nothing undecided matches now. The rule works on what is found later." : "Nothing matches now.";
  return rule.action === "keep" ? `Would hold back ${reached(tried, rule.scope)} that nobody has decided.` : `Matches ${reached(tried, rule.scope)}.`;
}

/** Asks, a little after the rule was last changed, what it would do; a late answer to another rule is dropped. */
function usePreview(desk, rule) {
  const [state, setState] = useState({ tried: null, failed: null, waiting: false });
  const asked = useRef(null);
  const key = JSON.stringify([asRule(rule), rule.scope]);
  useEffect(() => {
    asked.current = key;
    if (!enough({ kind: rule.kind, text: rule.pattern })) {
      setState({ tried: null, failed: null, waiting: false });
      return undefined;
    }
    setState((last) => ({ ...last, failed: null, waiting: true }));
    const timer = setTimeout(async () => {
      let next;
      try {
        next = { tried: await preview(desk, rule.scope, asRule(rule)), failed: null, waiting: false };
      } catch (failure) {
        next = { tried: null, failed: refused(failure, rule.kind), waiting: false };
      }
      if (asked.current === key) setState(next);
    }, WAIT);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => () => { asked.current = null; }, []);
  return state;
}

function First({ desk, tried, scope }) {
  if (!tried?.first.length) return null;
  return html`<ul class="rule-first" aria-label="First places" tabindex="0">${tried.first.map((place) => html`<li key=${`${place.documentId} ${place.page} ${place.start}`}>
    <${Around} place=${place} /><span class="hit-facts">${scope === "document" ? "" : `${place.filename}, `}${spot(place, place.documentId === desk.id ? desk : null)}</span></li>`)}</ul>`;
}

/** `begun` fills the form in; `made` is told that there is a rule more. */
export function RuleForm({ desk, begun, made }) {
  const [rule, setRule] = useState({ ...BLANK, ...begun });
  const [busy, setBusy] = useState(false);
  const { tried, failed, waiting } = usePreview(desk, rule);
  const change = (changes) => setRule((last) => ({ ...last, ...changes }));
  const ready = enough({ kind: rule.kind, text: rule.pattern }) && !failed && !busy;
  const blind = tried && unseen(tried);
  const make = async (event) => {
    event.preventDefault();
    if (!ready) return;
    setBusy(true);
    desk.notice.value = null;
    const { pattern, action, ...how } = asRule(rule);
    const answer = await desk.rule(rule.scope, action, pattern, { ...how, category: rule.category, method: methodOf(rule), ...coded(rule.reason) });
    setBusy(false);
    if (!answer) return;
    change({ pattern: "", reason: "" });
    made(answer);
    document.getElementById("rule-pattern")?.focus();
  };
  return html`<form class="rule-form" onSubmit=${make}>
    <h3 id="rule-form-title">A new rule</h3>
    <label class="choice" for="rule-pattern"><span>${rule.kind === "regex" ? "Pattern (RE2)" : "Text"}</span>
      <input id="rule-pattern" autofocus autocomplete="off" spellcheck=${false} maxlength=${LONGEST} value=${rule.pattern} aria-describedby="rule-said" aria-invalid=${failed ? "true" : null} onInput=${(event) => change({ pattern: event.target.value })} /></label>
    <${Ways} id="rule" asked=${rule} change=${change} />
    <div class="rule-choices">
      <${Choice} id="rule-action" label="What it does" value=${rule.action} options=${[["redact", "redact it"], ["keep", "never suggest it"]]} change=${(action) => change({ action })} />
      <${Choice} id="rule-scope" label="Where" value=${rule.scope} options=${scopes(desk)} change=${(scope) => change({ scope })} />
      ${rule.action === "redact" && html`<${Category} id="rule-category" value=${rule.category} change=${(category) => change({ category })} />
      ${optionsOf(rule.category).length > 1 && html`<${Choice} id="rule-method" label="Becomes" value=${methodOf(rule)} options=${optionsOf(rule.category)} change=${(method) => change({ method })} />`}
      <${Code} id="rule-code" value=${rule.reason} change=${(reason) => change({ reason })} />`}
    </div>
    <p id="rule-said" class="muted" role="status">${failed ? "" : said(rule, tried, waiting)}</p>
    ${failed && html`<p class="notice bad" role="alert">${failed}</p>`}
    ${!waiting && blind && html`<p class="notice warn">${blind}</p>`}
    <${First} desk=${desk} tried=${tried} scope=${rule.scope} />
    <p class="dialog-foot"><button type="submit" class="button primary" id="rule-make" disabled=${!ready || waiting}>${busy ? "Working…" : name(rule, waiting ? null : tried)}</button></p>
  </form>`;
}
