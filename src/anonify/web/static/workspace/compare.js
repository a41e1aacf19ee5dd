// Before and after, side by side: the original's page beside the verified file's.

import { get } from "../api.js";
import { plural } from "../dom.js";
import { Modal, Choice } from "./parts.js";
import { html, useEffect, useRef, useState } from "./ui.js";

/** Lines of two texts that differ in more than spaces at their end, each with the part that does: { line, before: [head, middle, tail], after: … }. */
export function differences(before, after) {
  const [left, right] = [before.split("\n"), after.split("\n")];
  if (left.length !== right.length) return null;
  const found = [];
  left.forEach((whole, at) => {
    const [line, other] = [whole.trimEnd(), right[at].trimEnd()];
    if (line === other) return;
    let head = 0;
    while (head < line.length && line[head] === other[head]) head += 1;
    let tail = 0;
    while (tail < Math.min(line.length, other.length) - head && line.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
    const cut = (text) => [text.slice(0, head), text.slice(head, text.length - tail), text.slice(text.length - tail)];
    found.push({ line: at, before: cut(line), after: cut(other) });
  });
  return found;
}

function Text({ text, changed, side }) {
  if (!changed?.length) return text;
  const by = new Map(changed.map((one) => [one.line, one[side]]));
  return text.split("\n").map((line, at) => {
    const parts = by.get(at);
    return html`<span key=${at} data-line=${at}>${parts ? html`${parts[0]}<mark class=${side === "before" ? "was" : "now"}>${parts[1] || " "}</mark>${parts[2]}` : line}${"\n"}</span>`;
  });
}

function Side({ title, picture, text, changed, side, hold, scrolled }) {
  return html`<section class="side" aria-label=${title}><h3>${title}</h3><div class="side-body" ref=${hold} tabindex="0" role="group" aria-label=${`Page, ${title.toLowerCase()}`} onScroll=${scrolled}>
    ${picture ? html`<img src=${picture} alt=${`${title}: the page as a picture`} />` : html`<div class="flow">${text === null ? "…" : html`<${Text} text=${text} changed=${changed} side=${side} />`}</div>`}</div></section>`;
}

export function Compare({ desk }) {
  const made = desk.exported.value;
  const [which, choose] = useState(made.at(-1)?.id ?? "");
  const [page, turn] = useState(desk.grid.value ? 1 : desk.seen.value);
  const [texts, setTexts] = useState({ before: null, after: null, failed: null, pictured: false });
  const [left, right] = [useRef(), useRef()];
  const lead = useRef(null);
  const { pages, pictured } = desk.outline.value;
  useEffect(() => {
    if (!which) return undefined;
    let gone = false;
    setTexts((known) => ({ ...known, before: null, after: null, failed: null }));
    Promise.all([get(`${desk.base}/content?page=${page}`), get(`${desk.base}/artifacts/${which}/content?page=${page}`)])
      .then(([before, after]) => { if (!gone) setTexts({ before: before.text, after: after.text, failed: null, pictured: pictured && before.width !== null }); })
      .catch((failure) => { if (!gone) setTexts({ before: null, after: null, failed: failure.message, pictured: false }); });
    return () => { gone = true; };
  }, [which, page]);
  const follow = (from, to) => () => {
    if (lead.current && lead.current !== from) return;
    lead.current = from;
    clearTimeout(follow.timer);
    follow.timer = setTimeout(() => { lead.current = null; }, 120);
    const [a, b] = [from.current, to.current];
    b.scrollTop = (a.scrollTop / Math.max(1, a.scrollHeight - a.clientHeight)) * (b.scrollHeight - b.clientHeight);
  };
  const changed = texts.before !== null && texts.after !== null ? differences(texts.before, texts.after) : [];
  const close = () => { desk.dialog.value = null; };
  const show = (line) => left.current?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: "center" });
  if (!made.length) return html`<${Modal} title="Before and after" close=${close}><p>Export the document first: what is compared is the verified file, not a preview.</p><//>`;
  const picture = (base) => (texts.pictured ? `${base}/pages/${page}/image?scale=1.5` : null);
  return html`<${Modal} title="Before and after" close=${close} wide>
    <div class="compare-head">
      ${made.length > 1 && html`<${Choice} id="compare-which" label="File" value=${which} options=${made.map((one, at) => [one.id, `${at + 1}: ${one.filename}${one.name ? `, ${one.name}` : ""}`])} change=${choose} />`}
      <span class="pager"><button type="button" class="button small" aria-label="Previous page" disabled=${page <= 1} onClick=${() => turn(page - 1)}>‹</button> Page ${page.toLocaleString()} of ${pages.toLocaleString()}
      <button type="button" class="button small" aria-label="Next page" disabled=${page >= pages} onClick=${() => turn(page + 1)}>›</button></span>
      <span class="muted" role="status">${changed === null ? "The lines differ in number: read both." : texts.after === null ? "" : changed.length ? `${plural(changed.length, "line differs", "lines differ")} on this page` : "No difference in the text of this page"}</span></div>
    ${texts.failed && html`<p class="notice bad" role="alert">${texts.failed}</p>`}
    <div class="sides">
      <${Side} title="Before" picture=${picture(desk.base)} text=${texts.before} changed=${changed} side="before" hold=${left} scrolled=${follow(left, right)} />
      <${Side} title="After" picture=${picture(`${desk.base}/artifacts/${which}`)} text=${texts.after} changed=${changed} side="after" hold=${right} scrolled=${follow(right, left)} /></div>
    ${changed?.length > 0 && html`<details class="compare-list"><summary>The differences</summary><ul>${changed.slice(0, 200).map((one) => html`<li key=${one.line}><button type="button" class="button small" onClick=${() => show(one.line)}>Line ${one.line + 1}</button> <s>${one.before[1]}</s> → <b>${one.after[1]}</b></li>`)}</ul></details>`}
  <//>`;
}
