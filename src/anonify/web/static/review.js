// One document that has been read: decide.

import { change, get, post, redactions } from "./api.js";
import { openExport } from "./export.js";
import { $, announce, bytes, h, length, notice, plural, until, words } from "./dom.js";
import { drawTrail, enclosed } from "./family.js";
import { drawGroups, focusGroup, grouped } from "./groups.js";
import { noted, shortfall } from "./notes.js";
import { pictureElement } from "./picture.js";
import { pageElements, selected } from "./text.js";
import { spent } from "./usage.js";

let state = null;

export function openReview(id) {
  state = { id, row: null, outline: null, list: [], page: null, number: 1, filter: "suggested", limit: 150, picture: null };
  $("desk").hidden = true;
  $("cards").replaceChildren();
  $("review-title").textContent = "";
  $("crumbs").replaceChildren();
  $("review-facts").textContent = "";
  $("decided").textContent = "";
  $("export").hidden = true;
  say(null);
  load();
}

export function closeReview() {
  state = null;
  $("selection").hidden = true;
}

async function load() {
  const mine = state;
  try {
    const row = await get(`/api/documents/${mine.id}`);
    if (state !== mine) return;
    mine.row = row;
    head();
    drawTrail(row, () => state === mine);
    if (row.reviewable) await desk();
  } catch (failure) {
    if (state === mine) notice(failure.message);
  }
}

function head() {
  const { row } = state;
  document.title = `${row.filename} · anonify`;
  $("review-title").textContent = row.filename;
  $("review-facts").textContent = [row.kind?.toUpperCase(), length(row), bytes(row.size), `looked for ${words(row.preset)}`, `deleted in ${until(row.expiresAt)}`].filter(Boolean).join(" · ");
}

async function desk() {
  const mine = state;
  const [outline, list] = await Promise.all([get(`/api/documents/${mine.id}/content?view=outline`), redactions(mine.id)]);
  if (state !== mine) return;
  Object.assign(mine, { outline, list });
  cards();
  $("desk").hidden = false;
  $("export").hidden = false;
  $("page-count").textContent = `of ${outline.pages.toLocaleString()}`;
  for (const part of ["previous", "page-number", "page-count", "next"]) $(part).hidden = outline.sheets.length > 0 && outline.pages === 1;
  $("page-number").max = String(outline.pages);
  await turn(1);
  draw();
  const waiting = list.filter((item) => item.status === "suggested").length;
  announce(`Ready. ${plural(waiting, "suggestion")} to decide.`);
}

const kindOf = ({ kind, count }) => (count === 1 ? words(kind).replace(/([^s])s$/, "$1") : words(kind));

function cards() {
  const { outline, row } = state;
  const shown = [];
  if (row.status === "failed") shown.push(h("p", { class: "notice bad" }, row.error));
  for (const reason of outline.degraded) shown.push(h("p", { class: "notice warn" }, shortfall(reason)));
  for (const note of outline.notes) {
    const told = outline.degraded.includes(note) ? null : noted(note);
    if (told) shown.push(h("p", { class: "notice" }, told));
  }
  const hidden = outline.hidden.filter((item) => item.count > 0);
  if (hidden.length) {
    shown.push(h("section", { class: "card", "aria-labelledby": "hidden-title" },
      h("h2", { id: "hidden-title" }, "What else is in this file"),
      h("ul", { class: "chips" }, hidden.map((item) => h("li", {}, h("b", {}, item.count.toLocaleString()), ` ${kindOf(item)}`))),
      h("p", { class: "muted" }, "A viewer does not show these. An accepted value is removed from them as well.")));
  }
  $("cards").replaceChildren(...shown);
  const mine = state;
  const add = (card) => { if (state === mine) $("cards").append(card); };
  enclosed(row, add);
  spent(row, add);
}

async function turn(number, focusId) {
  const mine = state;
  const last = Math.max(1, mine.outline.pages);
  mine.number = Math.min(Math.max(1, number), last);
  if (mine.outline.pages === 0) return;
  if (mine.page?.number !== mine.number) {
    const page = await get(`/api/documents/${mine.id}/content?page=${mine.number}`);
    if (state !== mine || page.number !== mine.number) return;
    mine.page = page;
  }
  drawPage();
  if (focusId) {
    const mark = $("text").querySelector(`[data-id="${focusId}"]`);
    mark?.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
    mark?.classList.add("here");
  }
}

/** Whether the page can be shown as a picture: of an Office file only the pages that are one can. */
function isPictured() {
  return state.outline.pictured && state.page.width !== null;
}

/** Whether the page is shown as a picture: as chosen, else where it is nothing but a picture. */
function asPicture() {
  const { page, picture } = state;
  return isPictured() && (picture ?? (page.needsOcr || page.spans.every((span) => span.source === "ocr")));
}

function drawPage() {
  const { page, number, outline } = state;
  if (!page) return;
  const picture = asPicture();
  $("picture").hidden = !isPictured();
  $("picture").setAttribute("aria-pressed", String(picture));
  $("page-number").value = String(number);
  $("previous").disabled = number <= 1;
  $("next").disabled = number >= outline.pages;
  const sheet = page.sheet === null ? null : outline.sheets[page.sheet];
  $("page-title").textContent = sheet ? `${sheet.name || "Rows"}${sheet.hidden ? ` (${words(sheet.hidden)})` : ""}` : "Page";
  const [first, last] = [page.rowNumbers[0], page.rowNumbers.at(-1)];
  $("page-rows").textContent = sheet && first ? `rows ${first.toLocaleString()}–${last.toLocaleString()} of ${sheet.rows.toLocaleString()}` : "";
  $("text").classList.toggle("is-grid", Boolean(sheet));
  $("text").classList.remove("is-picture");
  if (picture) {
    $("text").classList.add("is-picture");
    const shown = $("text").querySelector("img");
    const fresh = pictureElement(state.id, page, state.list, clicked);
    const next = fresh.querySelector("img") ?? fresh;
    if (shown && shown.src === next.src && next !== fresh) next.replaceWith(shown); // do not draw the page anew for a changed mark
    $("text").replaceChildren(fresh);
    return;
  }
  if (page.text.trim() === "") {
    $("text").replaceChildren(h("p", { class: "muted" }, page.needsOcr ? "No text could be read on this page. It may be a picture: look at it before you release the file." : "This page has no text."));
    return;
  }
  $("text").replaceChildren(...pageElements(page, state.list, clicked, { headerRow: sheet?.headerRow, flowing: outline.kind === "docx" }));
}

function draw() {
  const { list } = state;
  const decided = list.filter((item) => item.status !== "suggested").length;
  $("decided").textContent = list.length ? `${decided.toLocaleString()} of ${list.length.toLocaleString()} decided` : "";
  for (const tab of document.querySelectorAll("#desk .tab")) {
    const count = list.filter((item) => item.status === tab.dataset.filter).length;
    tab.setAttribute("aria-pressed", String(tab.dataset.filter === state.filter));
    tab.dataset.count = count.toLocaleString();
  }
  drawGroups($("groups"), state, { decide, show });
  drawPage();
}

/** Change the status of redactions; bulk acts name the status they expect, so that a decision is never overwritten. */
async function decide(items, status, whenStatus) {
  const mine = state;
  say(null);
  const ids = items.map((item) => item.id);
  try {
    const changed = new Set(await change(mine.id, ids, { status, whenStatus }));
    if (state !== mine) return;
    for (const item of mine.list) if (changed.has(item.id)) item.status = status;
    if (changed.size < ids.length) mine.list = await redactions(mine.id);
    announce(`${plural(changed.size, "place")} ${status === "accepted" ? "accepted" : status === "rejected" ? "ignored" : "to decide again"}`);
    draw();
  } catch (failure) {
    notice(failure.message);
  }
}

function show(item) {
  if (item.page) turn(item.page, item.id);
}

function clicked(id) {
  const item = state.list.find((other) => other.id === id);
  if (!item) return;
  state.filter = item.status;
  draw();
  focusGroup(item);
}

/** A line above the list, kept until the next act. */
function say(text) {
  $("said").textContent = text ?? "";
  $("said").hidden = !text;
  if (text) announce(text);
}

const chosen = (category) => (category ? { category } : {});

async function mark(body) {
  const mine = state;
  notice(null);
  say(null);
  try {
    const answer = await post(`/api/documents/${mine.id}/redactions`, body);
    if (state !== mine) return false;
    mine.list = await redactions(mine.id);
    mine.filter = "suggested"; // what is left to decide stays in view
    say(`${plural(answer.redactions.length, "place")} accepted${answer.more ? "; the export removes the others too" : ""}`);
    draw();
    return answer.redactions;
  } catch (failure) {
    if (failure.body?.reason === "not-in-this-document" && body.anywhere === undefined) {
      if (confirm("The text shows this value nowhere. Remove it from the hidden parts of the file all the same?")) return mark({ ...body, anywhere: true });
      return false;
    }
    notice(failure.body?.reason === "too-short" ? "A value that no page shows must have at least four characters." : failure.message);
    return false;
  }
}

// Acts that are always on the page; they do nothing while no document is open.

const active = () => state !== null && !$("desk").hidden;
const choice = () => state?.page && selected($("text"), state.page.text);

function redactSelection(everywhere) {
  const found = choice();
  if (!found) return;
  $("selection").hidden = true;
  mark({ page: state.page.number, start: found.start, end: found.end, ...chosen($("selection-category").value), everywhere });
  getSelection().removeAllRanges();
}

document.addEventListener("selectionchange", () => {
  if (!active() || $("selection").contains(document.activeElement)) return;
  const found = choice();
  $("selection").hidden = !found;
  if (!found) return;
  const bar = $("selection");
  const top = found.box.top + scrollY - bar.offsetHeight - 8;
  bar.style.top = `${Math.max(scrollY + 8, top)}px`;
  bar.style.left = `${Math.min(Math.max(8, found.box.left), innerWidth - bar.offsetWidth - 8)}px`;
});
$("redact-here").addEventListener("click", () => redactSelection(false));
$("redact-everywhere").addEventListener("click", () => redactSelection(true));
for (const name of ["mousedown", "pointerdown"]) {
  for (const button of ["redact-here", "redact-everywhere"]) $(button).addEventListener(name, (event) => event.preventDefault());
}

$("by-hand").addEventListener("submit", async (event) => {
  event.preventDefault();
  const value = $("value").value.trim();
  if (!value || !active()) return;
  const made = await mark({ value, ...chosen($("value-category").value) });
  if (made) {
    $("value").value = "";
    if (made[0]?.page) turn(made[0].page, made[0].id);
  }
});
for (const tab of document.querySelectorAll("#desk .tab")) {
  tab.addEventListener("click", () => { state.filter = tab.dataset.filter; state.limit = 150; draw(); });
}
for (const [button, target] of [["to-text", "page-title"], ["to-list", "inspector-title"]]) {
  $(button).addEventListener("click", () => $(target).scrollIntoView());
}
$("previous").addEventListener("click", () => turn(state.number - 1));
$("next").addEventListener("click", () => turn(state.number + 1));
$("page-number").addEventListener("change", (event) => turn(Number(event.target.value) || 1));
$("picture").addEventListener("click", () => {
  state.picture = !asPicture();
  drawPage();
});
$("export").addEventListener("click", () => openExport(state));

addEventListener("keydown", (event) => {
  if (!active() || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog[open]")) return;
  if (event.key === "r") return redactSelection(true);
  if (!["a", "x", "n"].includes(event.key)) return;
  event.preventDefault();
  step(event.key);
});

async function step(key) {
  if (state.filter !== "suggested") { state.filter = "suggested"; draw(); }
  const cards = [...document.querySelectorAll("#groups .group")];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  if (key !== "n" && at >= 0) {
    const group = grouped(state.list, "suggested").find((item) => item.key === cards[at].dataset.key);
    const following = cards[at + 1]?.dataset.key ?? cards[at - 1]?.dataset.key;
    await decide(group.items, key === "a" ? "accepted" : "rejected", "suggested");
    document.querySelector(`#groups .group[data-key="${CSS.escape(following ?? "")}"]`)?.focus();
  } else {
    (cards[at + 1] ?? cards[0])?.focus();
  }
}
