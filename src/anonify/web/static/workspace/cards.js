// What else is in this file, why its analysis fell short, what lies in it and above it. One line until it is opened.

import { post } from "../api.js";
import { plural, words } from "../dom.js";
import { noted, shortfall } from "../notes.js";
import { Enclosed, Spent, Trail, above, below, cost, costLine } from "./kin.js";
import { Seeker, sought } from "./seek.js";
import { html, useEffect, useRef, useState } from "./ui.js";

const NAMED = 3; // kinds of hidden content that the line names

// Kinds whose identifiers do not say their names.
const KINDS = {
  "alternative-text": ["alternative text", "alternative texts"],
  "custom-xml": ["piece of custom XML", "pieces of custom XML"],
  "embedded-object": ["embedded object", "embedded objects"],
  form: ["form value", "form values"],
  "hidden-text": ["stretch of hidden text", "stretches of hidden text"],
  metadata: ["piece of metadata", "pieces of metadata"],
};

/** One of them is one of them: “1 comment”. */
function kindOf({ kind, count }) {
  const known = KINDS[kind];
  if (known) return known[count === 1 ? 0 : 1];
  return count === 1 ? words(kind).replace(/([^s])s$/, "$1") : words(kind);
}

/** “3 hidden sheets, 12 comments: all are part of this review”, or null where there is nothing hidden. */
export function hiddenLine(hidden) {
  if (!hidden.length) return null;
  const named = hidden.slice(0, NAMED).map((item) => `${item.count.toLocaleString()} ${kindOf(item)}`);
  const more = hidden.length - NAMED;
  return `${named.join(", ")}${more > 0 ? ` and ${plural(more, "other kind")}` : ""}: all are part of this review`;
}

// A browser may refuse to keep anything: then the choice holds as long as the page.
const kept = new Map();
const keep = (key, value) => {
  kept.set(key, value);
  try { sessionStorage.setItem(key, value); } catch { /* kept above */ }
};
const recall = (key) => {
  if (kept.has(key)) return kept.get(key);
  try { return sessionStorage.getItem(key); } catch { return null; }
};

function useKept(name, first) {
  const [value, set] = useState(() => recall(name) ?? first);
  return [value, (next) => { keep(name, next); set(next); }];
}

/** What the server has to be asked for; each comes when it comes. */
function useKin(row) {
  const [kin, setKin] = useState({ parents: [], enclosed: null, spent: null });
  useEffect(() => {
    let wanted = true;
    const take = (name) => (answer) => { if (wanted) setKin((last) => ({ ...last, [name]: answer })); };
    above(row).then(take("parents"));
    below(row).then(take("enclosed"));
    cost(row).then(take("spent"));
    return () => { wanted = false; };
  }, [row.id]);
  return kin;
}

function Hidden({ desk, hidden }) {
  const seeker = useRef();
  seeker.current ??= new Seeker(desk);
  const [told, setTold] = useState("");
  const [busy, setBusy] = useState(null);
  const seek = async (kind) => {
    setBusy(kind);
    setTold("");
    try {
      setTold(await seeker.current.next(kind) ?? "");
    } catch (failure) {
      desk.fail(failure);
    }
    setBusy(null);
  };
  return html`<section aria-labelledby="hidden-title"><h3 id="hidden-title">What else is in this file</h3>
    <ul class="chips">${hidden.map((item) => {
      const text = html`<b>${item.count.toLocaleString()}</b> ${kindOf(item)}`;
      return html`<li key=${item.kind}>${sought(item.kind, desk.outline.value) ? html`<button type="button" class="link" aria-busy=${busy === item.kind} disabled=${busy !== null} onClick=${() => seek(item.kind)}>${text}<span class="unseen">: show the next</span></button>` : text}</li>`;
    })}</ul>
    <p role="status" class="muted">${busy ? "Looking…" : told}</p>
    <p class="muted">A viewer does not show these. An accepted value is removed from them as well.</p></section>`;
}

function Failed({ row }) {
  const [failed, setFailed] = useState("");
  const retry = async () => {
    try {
      await post(`/api/documents/${row.id}/retry`);
      location.reload();
    } catch (failure) {
      setFailed(failure.message);
    }
  };
  return html`<div class="notice bad failed-card" role="alert"><p><b>The analysis did not end.</b> ${row.error} What was found until then is here; there is no export until it has ended.</p>
    ${row.retryable && html`<button type="button" class="button small" id="retry" onClick=${retry}>Retry</button>`}${failed && html`<p>${failed}</p>`}</div>`;
}

/** Everything but a failure, which is never put away. */
function About({ desk, kin, close }) {
  const { id } = desk.row.value;
  const [open, setOpen] = useKept(`cards-open-${id}`, "");
  const { hidden, notes, degraded } = desk.outline.value;
  const { parents, enclosed, spent } = kin;
  // Attachments that are documents of their own are told of once.
  const present = hidden.filter((item) => item.count > 0 && !(enclosed && item.kind === "attachments"));
  const told = notes.filter((note) => !degraded.includes(note)).map(noted).filter(Boolean);
  const line = [
    hiddenLine(present),
    enclosed && plural(enclosed.matching, "attachment"),
    told.length > 0 && plural(told.length, "remark"),
    spent && costLine(spent),
    parents.length > 0 && `in ${parents.at(-1).filename}`,
  ].filter(Boolean);
  if (!line.length && !degraded.length) return null;
  return html`${degraded.length > 0 && html`<div class="notice warn shortfalls">${degraded.length === 1 ? html`<p>${shortfall(degraded[0])}</p>` : html`<ul>${degraded.map((reason) => html`<li key=${reason}>${shortfall(reason)}</li>`)}</ul>`}</div>`}
    <div class="cards-line">
      ${line.length > 0 && html`<button type="button" class="cards-fold" aria-expanded=${open ? "true" : "false"} aria-controls="cards-body" onClick=${() => setOpen(open ? "" : "open")}><span>${line.join(" · ")}</span></button>`}
      <button type="button" class="button small" id="cards-close" aria-label="Put away what is said about this file" onClick=${close}>Put away</button></div>
    ${open && html`<div class="cards-body" id="cards-body" role="region" aria-label="About this file" tabindex="0">
      ${parents.length > 0 && html`<${Trail} row=${desk.row.value} parents=${parents} />`}
      ${present.length > 0 && html`<${Hidden} desk=${desk} hidden=${present} />`}
      ${told.length > 0 && html`<section aria-labelledby="remarks-title"><h3 id="remarks-title">About this file</h3><ul>${told.map((text) => html`<li key=${text}>${text}</li>`)}</ul></section>`}
      ${enclosed && html`<${Enclosed} answer=${enclosed} />`}
      ${spent && html`<${Spent} answer=${spent} />`}
    </div>`}`;
}

export function Cards({ desk }) {
  const row = desk.row.value;
  const kin = useKin(row);
  const [away, setAway] = useKept(`cards-away-${row.id}`, "");
  const failed = row.status === "failed";
  const close = () => {
    setAway("away");
    desk.say("Put away for this session.");
    document.querySelector(".inspector [tabindex='0'], .inspector button, .inspector input")?.focus();
  };
  if (away && !failed) return null;
  return html`<div class="cards">${failed && html`<${Failed} row=${row} />`}${!away && html`<${About} desk=${desk} kin=${kin} close=${close} />`}</div>`;
}
