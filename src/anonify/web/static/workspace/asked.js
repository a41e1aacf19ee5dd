// What search and rules share: how a value is looked for, how a place is shown, what a refusal means.

import { words } from "../dom.js";
import { Check, Choice } from "./parts.js";
import { clean, html, letters, useEffect, useRef } from "./ui.js";

/** What the page was given: `categories`, `methods` by category, `codes`. */
export const given = () => JSON.parse(document.getElementById("workspace").dataset.given);

export const LONGEST = 500; // code points of a value or a pattern

/** Whether there is enough to look for; a single character stands everywhere. */
export const enough = ({ kind, text }) => (kind === "regex" ? text.length > 0 : [...clean(text)].length > 1);

/** Why the server did not look, in words of what was typed. */
export function refused(failure, kind) {
  if (failure.body?.fields?.some((one) => one.rule === "not_usable")) {
    return kind === "regex" ? "This pattern cannot be used. Check its brackets; looking ahead or back and back-references are not known (RE2)." : "This cannot be looked for. Type more of it.";
  }
  return failure.message ?? String(failure);
}

/** Literal or pattern, match case, whole word. `change` gets what changed. */
export function Ways({ id, asked, change }) {
  return html`<div class="ways">
    <${Choice} id=${`${id}-kind`} label="Look for" value=${asked.kind} options=${[["literal", "text"], ["regex", "a pattern"]]} change=${(kind) => change({ kind })} hideLabel />
    <${Check} id=${`${id}-case`} label="Match case" checked=${asked.matchCase} change=${(matchCase) => change({ matchCase })} />
    <${Check} id=${`${id}-word`} label="Whole words" checked=${asked.wholeWord} change=${(wholeWord) => change({ wholeWord })} />
  </div>`;
}

export function Category({ id, value, change, none }) {
  const names = given().categories.map((name) => [name, words(name)]);
  return html`<${Choice} id=${id} label="Category" value=${value} options=${none ? [["", none], ...names] : names} change=${change} />`;
}

export function Code({ id, value, change }) {
  return html`<label class="choice" for=${id}><span>Reason or code</span><input id=${id} list="codes" maxlength="32" autocomplete="off" placeholder="none" value=${value} onInput=${(event) => change(event.target.value)} /></label>`;
}

/** A code as the server takes it: nothing for none. */
export const coded = (code) => (code.trim() ? { reason: code.trim() } : {});

const flat = (text) => text.replace(/[\s\u00ad\u200b-\u200f]+/g, " ");

/** A place with the text around it. Whole words only: a cut one reads like a mistake in the document. */
export function Around({ place }) {
  const before = flat(place.before).slice(-48).replace(/^\S*\s(?=.)/, "");
  const after = flat(place.after).slice(0, 48).replace(/(?<=.)\s\S*$/, "");
  return html`<span class="around">${before}<b>${flat(place.text)}</b>${after}</span>`;
}

/** Where a place is, for a person. */
export function spot(place, desk) {
  if (place.sheet === null || place.sheet === undefined) return `page ${place.page}`;
  const sheet = desk?.outline.value.sheets[place.sheet];
  const name = sheet && desk.outline.value.sheets.length > 1 ? `${sheet.name || `sheet ${place.sheet + 1}`}, ` : "";
  return `${name}${place.column ? letters(place.column) : "row "}${place.row ?? ""}`;
}

/** What the desk says and what it could not do since a dialog opened, told inside it: what lies behind one is not heard. */
export function Told({ desk }) {
  const before = useRef({ said: desk.said.peek(), notice: desk.notice.peek() }).current;
  const since = (name) => {
    if (desk[name].value !== before[name]) before[name] = ""; // the same words again are new ones
    return desk[name].value === before[name] ? "" : desk[name].value;
  };
  const [said, notice] = [since("said"), since("notice")];
  useEffect(() => () => { if (before.notice === "") desk.notice.value = null; }, []); // it has been read here
  return html`<div class="told"><p role="status" class="muted">${said}</p><p role="alert" class=${notice ? "notice bad" : ""}>${notice}</p></div>`;
}
