// The list of values: one decision for every place where a value stands.

import { plural, words } from "../dom.js";
import { clean, html, letters, useEffect, useRef, useState } from "./ui.js";
import { NO_FILTER, idOf, named } from "./desk.js";
import { given } from "./asked.js";
import { takeFocus } from "./focus.js";
import { METHODS, methodsOf, optionsOf } from "./methods.js";
import { Act, Choice } from "./parts.js";
import { Search } from "./search.js";
import { Virtual } from "./virtual.js";

const TABS = [["suggested", "To decide"], ["accepted", "Accepted"], ["rejected", "Ignored"]];
const SOURCES = { pattern: "patterns", "names-model": "names model", "context-model": "language model", vision: "pictures", person: "by hand", rule: "rules", expanded: "found again" };

function where(value) {
  const { page, sheet, row, column } = value.first;
  if (row === null && column !== null) return "the whole column";
  if (column === null && row !== null && value.value === null) return "the whole row";
  const places = plural(value.places, "place");
  if (sheet !== null && row !== null) return value.places === 1 ? `cell ${letters(column)}${row}` : places;
  if (!page) return places;
  return value.pages > 1 ? `${places}, ${value.pages} pages` : value.places === 1 ? `page ${page}` : `${places}, page ${page}`;
}

/** What becomes of a value, where that is not the usual. */
const methodOf = ({ method, category }) => (method !== "mask" && methodsOf(category).includes(method) ? METHODS[method].name : null);

const sure = (value) => ({ person: "by hand", rule: "by rule" })[value.source] ?? value.certainty ?? "";

function Context({ value }) {
  if (value.before === null || value.before === undefined) return null;
  // Whole words only: a cut one reads like a mistake in the document.
  const before = value.before.replace(/[\s\u00ad\u200b-\u200f]+/g, " ").slice(-40).replace(/^\S*\s(?=.)/, "");
  const after = (value.after ?? "").replace(/[\s\u00ad\u200b-\u200f]+/g, " ").slice(0, 40).replace(/(?<=.)\s\S*$/, "");
  return html`<p class="context">${before}<b>${clean(value.value ?? "")}</b>${after}</p>`;
}

/** The value in hand, with everything that can be done to it. */
function Hand({ desk, value }) {
  const { categories } = given();
  const methods = optionsOf(value.category);
  const [code, setCode] = useState(value.reason ?? "");
  useEffect(() => setCode(value.reason ?? ""), [idOf(value), value.reason]);
  // Asked when the field is left, by Enter too.
  const keepCode = () => { if (code !== (value.reason ?? "")) desk.change({ reason: code.trim() || null }); };
  return html`<div class="hand">
    <${Context} value=${value} />
    ${value.places > 1 && html`<p class="hand-places"><${Act} desk=${desk} id="previous-place" label="Previous place">‹<//> ${where(value)} <${Act} desk=${desk} id="next-place" label="Next place">›<//>
      ${value.status !== "accepted" && html`<${Act} desk=${desk} id="accept-here">Only here<//>`} ${value.status !== "rejected" && html`<${Act} desk=${desk} id="ignore-here">Not here<//>`}</p>`}
    <div class="hand-choices">
      <${Choice} id="hand-category" label="Category" value=${value.category} options=${categories.map((name) => [name, words(name)])} change=${(category) => desk.change({ category })} />
      ${methods.length > 1 && value.value && html`<${Choice} id="hand-method" label="Becomes" value=${methods.some(([name]) => name === value.method) ? value.method : "mask"} options=${methods} change=${(method) => desk.change({ method })} />`}
      <label class="choice" for="hand-code"><span>Reason or code</span><input id="hand-code" list="codes" maxlength="32" autocomplete="off" value=${code} placeholder="none"
        onInput=${(event) => setCode(event.target.value)} onChange=${keepCode} onKeyDown=${(event) => { if (event.key === "Enter") takeFocus(); }} /></label>
    </div>
    <p class="hand-acts">
      ${value.status !== "accepted" && html`<${Act} desk=${desk} id="accept" primary>Accept<//>`}
      ${value.status !== "rejected" && html`<${Act} desk=${desk} id=${value.status === "suggested" ? "ignore" : "back"}>${value.status === "suggested" ? "Ignore" : "Put back"}<//>`}
      ${value.status === "rejected" && html`<${Act} desk=${desk} id="back">Put back<//>`}
      ${value.value && html`<${Act} desk=${desk} id="wider">Wider…<//>`}
    </p>
  </div>`;
}

function Card({ desk, value, index }) {
  const id = idOf(value);
  const current = desk.current.value === id;
  const body = useRef();
  const facts = [where(value), words(value.category), sure(value), value.reason, methodOf(value)].filter(Boolean).join(" · ");
  return html`<article class=${`value ${value.status} ${current ? "current" : ""} ${value.personKey && value.personKey !== value.key ? "form" : ""}`} ref=${body} data-id=${id} tabindex=${current ? 0 : -1} aria-current=${current ? "true" : null}
      aria-label=${`${named(value)}, ${facts}`} onClick=${(event) => { if (!event.target.closest("button, select, input, label")) desk.takeUp(id); }} onFocus=${(event) => { if (event.target === body.current && !current) desk.takeUp(id); }}>
    <div class="value-line">
      <p class="value-name">${named(value)}</p>
      ${!current && value.status === "suggested" && html`<span class="value-acts">
        <button type="button" class="button small" tabindex="-1" aria-label=${`Accept ${named(value)}`} onClick=${() => desk.decide("accepted", id)}>Accept</button>
        <button type="button" class="button small" tabindex="-1" aria-label=${`Ignore ${named(value)}`} onClick=${() => desk.decide("rejected", id)}>Ignore</button></span>`}
      ${!current && value.status !== "suggested" && html`<button type="button" class="button small" tabindex="-1" aria-label=${`Put back ${named(value)}`} onClick=${() => desk.decide("suggested", id)}>Put back</button>`}
    </div>
    <p class="value-facts">${facts}</p>
    ${value.explanation && html`<p class="value-why">${value.explanation}</p>`}
    ${current && html`<${Hand} desk=${desk} value=${value} />`}
  </article>`;
}

function Filters({ desk }) {
  const filter = desk.filter.value;
  const facets = desk.facets.value;
  const options = (name, all, label) => [["", all], ...Object.entries(facets[name] ?? {}).map(([key, count]) => [key, `${label(key)} (${count.toLocaleString()})`])];
  const seen = desk.grid.value ? desk.sheet.value : desk.seen.value;
  const [all, setAll] = useState(false);
  const open = all || filter.source || filter.certainty || filter.page !== null;
  return html`<div class="filters" role="group" aria-label="Filter the list">
    <${Choice} id="filter-category" hideLabel label="Category" value=${filter.category} options=${options("category", "any category", words)} change=${(category) => desk.show(null, { category })} />
    <label class="choice bare" for="filter-q"><span class="unseen">Value contains</span><input id="filter-q" type="search" autocomplete="off" maxlength="200" placeholder="contains…" value=${filter.q}
      onInput=${(event) => { clearTimeout(desk.typing); const q = event.target.value; desk.typing = setTimeout(() => desk.show(null, { q }), 200); }} /></label>
    ${desk.filtered() ? html`<button type="button" class="button small" onClick=${() => { setAll(false); desk.show(null, NO_FILTER); }}>Clear</button>` : html`<button type="button" class="button small" aria-expanded=${String(open)} onClick=${() => setAll(!all)}>More</button>`}
    ${open && html`<${Choice} id="filter-source" hideLabel label="Source" value=${filter.source} options=${options("source", "any source", (key) => SOURCES[key] ?? words(key))} change=${(source) => desk.show(null, { source })} />
    <${Choice} id="filter-certainty" hideLabel label="Certainty" value=${filter.certainty} options=${options("certainty", "any certainty", words)} change=${(certainty) => desk.show(null, { certainty })} />
    <button type="button" class="button small" aria-pressed=${filter.page !== null} onClick=${() => desk.show(null, { page: filter.page === null ? seen : null })}>${desk.grid.value ? "Sheet" : filter.page === null ? "Page" : `Page ${filter.page}`}</button>`}
  </div>`;
}

const NONE = {
  suggested: (desk) => (desk.filtered() ? "Nothing that fits these filters is left to decide." : desk.decided.value.all ? "Everything is decided. Read through the document once more: what nobody has marked stays." : "Nothing was suggested. That does not say that nothing is there: read the document yourself."),
  accepted: () => "Nothing is accepted yet.",
  rejected: () => "Nothing is ignored.",
};

function Values({ desk }) {
  const list = desk.values.value;
  const handle = useRef();
  const index = desk.at.value;
  // The value in hand stays in view, and keeps the focus when its card was what had it.
  useEffect(() => {
    if (index >= 0) handle.current?.show(index);
    const focused = document.activeElement;
    if (index >= 0 && (focused === document.body || focused?.closest(".values"))) {
      requestAnimationFrame(() => document.querySelector(`.value[data-id="${CSS.escape(desk.current.value ?? "")}"]`)?.focus({ preventScroll: true }));
    }
  }, [desk.current.value]);
  if (!list.length) return html`<div class="values" tabindex="-1"><p class="none muted">${desk.loaded.value ? NONE[desk.status.value](desk) : "Looking…"}</p>
    ${desk.loaded.value && desk.status.value === "suggested" && desk.row.value.batchId && html`<p class="none"><${Act} desk=${desk} id="next-document">Next document<//></p>`}</div>`;
  return html`<${Virtual} class="values" id="values" label="Values" count=${list.length} version=${list} gap=${6} keep=${index}
    keyOf=${(at) => (list[at] ? idOf(list[at]) : at)} estimate=${(at) => (list[at]?.explanation ? 96 : 72)} render=${(at) => html`<${Card} desk=${desk} value=${list[at]} index=${at} />`}
    onSeen=${(first, last) => { if (last >= list.length - 20) desk.more(); }} handle=${(made) => { handle.current = made; }} />`;
}

function ByHand({ desk }) {
  const add = (event) => {
    event.preventDefault();
    const field = event.target.elements.value;
    const value = field.value.trim();
    if (!value) return;
    desk.mark({ value }, value).then((answer) => {
      if (!answer) return;
      if (field.value.trim() === value) field.value = ""; // the next one may be typed already
      desk.go(answer.redactions[0]);
    });
  };
  return html`<form class="by-hand" onSubmit=${add}><label class="unseen" for="by-hand-value">Value to redact everywhere in this document</label>
    <input id="by-hand-value" name="value" autocomplete="off" maxlength="1000" placeholder="Add a value by hand…" /><button class="button" type="submit">Redact all</button></form>`;
}

export function Inspector({ desk }) {
  const { decided, all } = desk.decided.value;
  const counts = desk.counts.value;
  const { values, places } = desk.total.value;
  const list = desk.tab.value === "values";
  return html`<section class="inspector" aria-labelledby="inspector-title">
    <div class="inspector-head"><h2 id="inspector-title">Found</h2>
      <p class="decided" id="decided">${all ? html`<b>${decided.toLocaleString()}</b> of <b>${all.toLocaleString()}</b> decided` : ""}</p></div>
    ${all > 0 && html`<progress class="decided-bar" max=${all} value=${decided} aria-label="Decided"></progress>`}
    <div class="tabs" role="group" aria-label="Show">
      ${TABS.map(([status, name]) => html`<button key=${status} type="button" class="tab" aria-pressed=${list && desk.status.value === status} data-count=${(counts[status] ?? 0).toLocaleString()} onClick=${() => desk.show(status)}>${name}</button>`)}
      <button type="button" class="tab" aria-pressed=${!list} onClick=${() => { desk.tab.value = "search"; }}>Search</button>
    </div>
    ${list ? html`<${Filters} desk=${desk} />
      ${values > 0 && html`<div class="bulk"><span class="muted">${plural(values, "value")}, ${plural(places, "place")}</span>
        ${desk.status.value !== "accepted" && html`<${Act} desk=${desk} id="accept-all">Accept all…<//>`}
        ${desk.status.value === "suggested" && html`<${Act} desk=${desk} id="ignore-all">Ignore all…<//>`}</div>`}
      <${Values} desk=${desk} />
      <${ByHand} desk=${desk} />` : html`<${Search} desk=${desk} />`}
  </section>`;
}
