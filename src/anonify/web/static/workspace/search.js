// Looking for a value or a pattern in the document, and redacting everything that is found.

import { post } from "../api.js";
import { plural } from "../dom.js";
import { Around, Category, Code, LONGEST, Ways, coded, enough, refused, spot } from "./asked.js";
import { openRules } from "./rule-draft.js";
import { clean, html, narrow, useEffect, useRef, useState } from "./ui.js";
import { Virtual } from "./virtual.js";

const WAIT = 250; // milliseconds after the last letter
const BLOCK = 200; // places asked for at once
const MARKED = { accepted: "accepted", suggested: "to decide", rejected: "ignored" };
const FRESH = { kind: "literal", matchCase: false, wholeWord: false };

const body = ({ query, kind, matchCase, wholeWord }) => ({ query: kind === "regex" ? query : clean(query), kind, matchCase, wholeWord });

/**
 * Ask for the places of a question. `desk.found` is the question with its answer, `total` null until that is here; an
 * answer to a question that stands there no more is dropped.
 */
async function ask(desk, question) {
  try {
    const answer = await post(`${desk.base}/search`, { ...body(question), limit: BLOCK });
    if (desk.found.value === question) desk.found.value = { ...question, ...answer };
  } catch (failure) {
    if (desk.found.value === question) desk.found.value = { ...question, total: null, places: [], failed: refused(failure, question.kind) };
  }
}

async function more(desk) {
  const found = desk.found.value;
  if (!found?.next || found.asking) return;
  found.asking = true;
  try {
    const answer = await post(`${desk.base}/search`, { ...body(found), limit: BLOCK, offset: found.next });
    if (desk.found.value === found) desk.found.value = { ...found, places: [...found.places, ...answer.places], next: answer.next, asking: false };
  } catch (failure) {
    found.asking = false;
    desk.fail(failure);
  }
}

/** Ask anew for what is shown: after a decision its places are marked otherwise. */
async function again(desk) {
  const found = desk.found.value;
  if (!found || found.total === null) return;
  const answer = await post(`${desk.base}/search`, { ...body(found), limit: Math.min(1000, Math.max(BLOCK, found.places.length)) }).catch(() => null);
  if (answer && desk.found.value === found) desk.found.value = { ...found, ...answer };
}

function count(found) {
  if (!found) return "Every way it may be written is found: with spaces, line breaks or signs between its parts.";
  if (found.failed) return "";
  if (!enough({ kind: found.kind, text: found.query })) return "Type one more letter.";
  if (found.total === null) return "Looking…";
  if (!found.total) return "Nothing found.";
  const pages = Object.keys(found.pages ?? {}).length;
  return `${plural(found.total, "place")}${pages > 1 ? ` on ${plural(pages, "page")}` : ""}`;
}

function Take({ desk, found }) {
  const [category, setCategory] = useState("");
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const take = async () => {
    setBusy(true);
    await desk.queue(async () => {
      const answer = await post(`${desk.base}/search/redact`, { ...body(found), ...(category ? { category } : {}), ...coded(code) });
      desk.answered(answer);
      await desk.refresh();
      desk.say(`Redacted: ${plural(answer.changed, "place")} changed.`);
    });
    setBusy(false);
  };
  const done = found.total > 0 && found.places.length === found.total && found.places.every(({ marked }) => marked === "accepted");
  const rule = () => openRules(desk, { kind: found.kind, pattern: body(found).query, matchCase: found.matchCase, wholeWord: found.wholeWord, ...(category ? { category } : {}), ...(code ? { reason: code } : {}) });
  return html`<div class="take">
    <${Category} id="search-category" value=${category} change=${setCategory} none="as found" />
    <${Code} id="search-code" value=${code} change=${setCode} />
    <button type="button" class="button small primary" id="search-redact" disabled=${busy || done || !found.total} onClick=${take}>${done ? "All are redacted" : `Redact all${found.total ? ` ${found.total.toLocaleString()}` : ""}`}</button>
    <button type="button" class="button small" id="search-rule" disabled=${!found.total} onClick=${rule}>Make it a rule…</button>
  </div>`;
}

function Hits({ desk, found, at, show }) {
  const handle = useRef();
  const box = useRef();
  const focus = (index) => {
    const to = Math.min(Math.max(0, index), found.places.length - 1);
    show(to);
    handle.current.show(to);
    requestAnimationFrame(() => box.current.querySelector(`[data-at="${to}"]`)?.focus({ preventScroll: true }));
  };
  useEffect(() => { if (at >= 0) handle.current.show(at); }, [at]);
  const keys = (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (!by) return;
    event.preventDefault();
    if (at + by < 0 && event.key === "ArrowUp") document.getElementById("search-query").focus();
    else focus(at + by);
  };
  const row = (index) => {
    const place = found.places[index];
    if (!place) return null;
    return html`<button type="button" class="hit" data-at=${index} aria-current=${index === at ? "true" : null} tabindex=${index === Math.max(0, at) ? 0 : -1} onClick=${() => show(index, true)}>
      <${Around} place=${place} /><span class="hit-facts">${spot(place, desk)}${place.marked && html` · <span class=${`is-${place.marked}`}>${MARKED[place.marked]}</span>`}</span></button>`;
  };
  return html`<div class="hits-frame" ref=${box} onKeyDown=${keys} data-own-arrows>
    <${Virtual} class="hits" id="hits" label="Places found" role="group" count=${found.places.length} version=${found} gap=${4} keep=${at} estimate=${() => 58} keyOf=${(index) => `${found.places[index]?.page} ${found.places[index]?.start}`}
      render=${row} onSeen=${(first, last) => { if (last >= found.places.length - 20) more(desk); }} handle=${(made) => { handle.current = made; }} /></div>`;
}

export function Search({ desk }) {
  const found = desk.found.value;
  const [at, setAt] = useState(-1);
  const timer = useRef();
  const drawn = useRef(desk.changed.value);
  const [ways, setWays] = useState(() => {
    const { kind, matchCase, wholeWord } = found ?? FRESH;
    return { kind, matchCase, wholeWord };
  });

  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (drawn.current === desk.changed.value) return;
    drawn.current = desk.changed.value;
    again(desk);
  }, [desk.changed.value]);

  const start = () => {
    clearTimeout(timer.current);
    timer.current = null;
    const question = desk.found.value;
    if (question && enough({ kind: question.kind, text: question.query })) ask(desk, question);
  };
  /** Put the question anew; the wish stands at once, its answer comes when the typing rests. */
  const change = (changes) => {
    clearTimeout(timer.current);
    timer.current = null;
    setAt(-1);
    const { query, ...how } = { query: found?.query ?? "", ...ways, ...changes };
    setWays(how);
    desk.found.value = query.trim() ? { query, ...how, total: null, places: [] } : null;
    if (desk.found.value) timer.current = setTimeout(start, WAIT);
  };
  /** Show a place; `turn` also turns a narrow screen to the document. */
  const show = (index, turn = false) => {
    const place = found.places[index];
    if (!place) return;
    setAt(index);
    desk.go(place);
    if (narrow.matches && turn) desk.pane.value = "document";
    desk.say(`Place ${index + 1} of ${found.total}, ${spot(place, desk)}${place.marked ? `, ${MARKED[place.marked]}` : ""}`);
  };
  const enter = (event) => {
    if (event.key === "ArrowDown" && found?.places.length) {
      event.preventDefault();
      show(Math.max(0, at));
      requestAnimationFrame(() => document.querySelector('#hits [aria-current="true"]')?.focus({ preventScroll: true }));
    }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (timer.current) start();
    else if (found?.places.length) show((event.shiftKey ? Math.max(at, 0) - 1 + found.places.length : at + 1) % found.places.length, true);
  };

  return html`<div class="search" role="search" aria-label="This document">
    <label class="unseen" for="search-query">Search this document</label>
    <input id="search-query" type="search" autocomplete="off" spellcheck=${false} maxlength=${LONGEST} value=${found?.query ?? ""} aria-describedby="search-count"
      placeholder=${ways.kind === "regex" ? "A pattern, such as [A-Z]{2}\\d{6}" : "A name, a number, a word…"} onInput=${(event) => change({ query: event.target.value })} onKeyDown=${enter} />
    <${Ways} id="search" asked=${ways} change=${change} />
    <p id="search-count" class="muted" role="status">${count(found)}</p>
    ${found?.failed && html`<p class="notice bad" role="alert">${found.failed}</p>`}
    ${found && !found.failed && html`<${Take} desk=${desk} found=${found} />`}
    ${found?.total > 0 && html`<${Hits} desk=${desk} found=${found} at=${at} show=${show} />`}
  </div>`;
}
