// What is known of the document under review, and every act on it. The screen draws from here; nothing else asks the server for decisions.

import { get, post, call } from "../api.js";
import { plural } from "../dom.js";
import { batch, clean, computed, letters, signal } from "./ui.js";

const BLOCK = 100; // values asked for at once
const AGAIN = 2000; // milliseconds between looks while a rule is still at work
const MOST = 500; // values the server gives at once

export const NO_FILTER = { category: "", source: "", certainty: "", page: null, q: "" };

/** Who a value is, for the screen: its words, or what stands in place of words. */
export function named(value) {
  if (value.value !== null && clean(value.value)) return clean(value.value);
  if (value.first?.box) return value.category === "face" ? "A face" : "A region";
  const { row, column } = value.first ?? {};
  if (row === null && column !== null) return `Column ${letters(column)}${value.header ? `, ${value.header}` : ""}`;
  if (row !== null && column === null) return `Row ${row}`;
  return "A place";
}

/** What tells values of the list, and the marks of one, apart: the same words may be two categories. */
export const idOf = ({ category, key }) => `${category} ${key}`;

/** What a review opens with, asked for before anything else is known. The page's head asks for the very same address. */
export const firstValues = (id) => get(`/api/documents/${id}/values?status=suggested&limit=${BLOCK}`);

export class Desk {
  constructor(row, outline) {
    this.id = row.id;
    this.base = `/api/documents/${row.id}`;
    this.row = signal(row);
    this.outline = signal(outline);
    this.counts = signal({});
    this.decided = signal({ decided: 0, all: 0 });
    this.rail = signal([]);
    this.status = signal("suggested");
    this.filter = signal(NO_FILTER);
    this.values = signal([]);
    this.total = signal({ values: 0, places: 0 });
    this.facets = signal({});
    this.next = null;
    this.busy = signal(false);
    this.loaded = signal(false);
    this.current = signal(null); // id of the value in hand
    this.target = signal(null); // the place to show: { page, start, end, sheet, row, column, id, box }
    this.steps = null; // places of the value in hand, for going through them
    this.choice = signal(null); // what a person has pointed at
    this.seen = signal(1); // page, or sheet index + 1, in view
    this.picture = signal(true);
    this.drawing = signal(false); // the next drag draws a region, also with a finger
    this.sheet = signal(0);
    this.changed = signal(0); // raised when marks have to be drawn anew
    this.undoable = signal([]);
    this.redoable = signal([]);
    this.found = signal(null); // what a search found
    this.tab = signal("values"); // values | search
    this.pane = signal("found"); // on a narrow screen: found | document
    this.dialog = signal(null);
    this.confirm = signal(null);
    this.notice = signal(null);
    this.said = signal("");
    this.learned = signal(null);
    this.byHand = [];
    this.exported = signal(row.artifacts ?? []);
    this.tail = Promise.resolve();
    this.pending = 0; // acts that the server has not answered
    this.failures = 0; // acts that it refused, or never heard of
    this.leaving = new Map(); // ids of values decided here → { acts: those the server has not answered, from: the status it had, by: what they add to the decided }
    this.asked = null; // the list's question that stands, and what was decided since it was put
    this.others = new BroadcastChannel(`review ${row.id}`); // this document in other windows
    this.others.onmessage = () => this.heard();
    this.grid = computed(() => this.outline.value.sheets.length > 0);
    this.at = computed(() => this.values.value.findIndex((one) => idOf(one) === this.current.value));
    this.inHand = computed(() => this.values.value[this.at.value] ?? null);
  }

  /** Tell people who do not see the screen, and below the list those who do. */
  say(text) {
    this.said.value = text;
  }

  fail(failure) {
    this.notice.value = failure.message ?? String(failure);
  }

  /** Do one thing after the other: fast fingers must not overtake the server. */
  queue(act) {
    this.pending += 1;
    const result = this.tail.then(act).finally(() => { this.pending -= 1; this.others.postMessage(null); });
    this.tail = result.catch((failure) => { this.failures += 1; this.fail(failure); this.reload(); });
    return result.catch(() => null);
  }

  // What is to be decided

  /** A stretch of the list that the filters show. A text that is looked for goes into no address: addresses are logged. */
  listed(extra = {}) {
    const wanted = { ...this.where(), status: this.status.value, limit: BLOCK, ...extra };
    if (wanted.q) return post(`${this.base}/values`, wanted);
    const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
    return get(`${this.base}/values?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`);
  }

  where() {
    const { category, source, certainty, page, q } = this.filter.value;
    const where = { category: category || undefined, source: source || undefined, certainty: certainty || undefined, q: q || undefined };
    if (page !== null) where[this.grid.value ? "sheet" : "page"] = page;
    return where;
  }

  /** `gone`: what was decided here, and answered, while `answer` was on its way; it may hold it still. */
  take(answer, append, gone = new Map()) {
    const away = [];
    batch(() => {
      const [before, hand] = [this.at.value, this.inHand.value];
      const known = append ? this.values.value : [];
      const listed = new Set(known.map(idOf));
      const fresh = answer.values.filter((one) => {
        const left = this.leaving.get(idOf(one)) ?? gone.get(idOf(one));
        const late = left?.from === one.status;
        if (late) away.push({ places: one.places, by: left.by });
        return !late && !listed.has(idOf(one));
      });
      this.values.value = [...known, ...fresh];
      this.next = answer.next;
      if (!append || this.leaving.size + gone.size === 0) {
        this.total.value = { values: answer.totalValues - away.length, places: answer.totalPlaces - away.reduce((sum, one) => sum + one.places, 0) };
        this.decided.value = { decided: answer.decidedValues + away.reduce((sum, one) => sum + one.by, 0), all: answer.allValues };
      }
      if (!gone.size) this.counts.value = answer.counts; // else the acts' answers have told newer ones
      this.facets.value = answer.facets;
      this.loaded.value = true;
      if (!append && this.at.value < 0) this.settle(before, hand);
    });
  }

  /** What was in hand is listed no more under its name: the same value by another, else what is in its place now. */
  settle(before, hand) {
    const list = this.values.value;
    const value = (hand && list.find((one) => one.key === hand.key)) ?? list[Math.min(Math.max(0, before), list.length - 1)];
    if (hand && value) this.takeUp(idOf(value), value.key !== hand.key);
    else this.current.value = value ? idOf(value) : null;
  }

  /** Put a question about the list; its answer is dropped when another was put meanwhile. `asking` is on its way already. */
  async ask(asking, append) {
    const asked = (this.asked = { gone: new Map() });
    this.busy.value = true;
    try {
      const answer = await asking;
      if (this.asked === asked) this.take(answer, append, asked.gone);
    } catch (failure) {
      if (this.asked === asked) this.fail(failure);
    } finally {
      if (this.asked === asked) this.busy.value = false;
    }
  }

  /** Ask for the list anew, from its beginning. */
  reload(asking = null) {
    return this.ask(asking ?? this.listed(), false);
  }

  async more() {
    if (this.next && !this.busy.value) await this.ask(this.listed({ after: this.next }), true);
  }

  show(status, filter) {
    batch(() => {
      this.tab.value = "values";
      if (status) this.status.value = status;
      if (filter) this.filter.value = { ...this.filter.value, ...filter };
      this.current.value = null;
    });
    return this.tail.then(() => this.reload()); // with what is on its way to the server
  }

  async drawRail() {
    const pages = this.outline.value.pages;
    if (!pages) return;
    const all = [];
    for (let from = 1; from <= pages; from += 5000) all.push(...(await get(`${this.base}/rail?from=${from}&to=${Math.min(pages, from + 4999)}`)).pages);
    this.rail.value = all;
  }

  /** After any change: marks, the rail and, when asked, the list, as far as it has been loaded: who is far down stays there. */
  refresh(list = true) {
    this.changed.value += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.drawRail().catch(() => null), 250);
    return list ? this.reload(this.listed({ limit: Math.min(MOST, Math.max(BLOCK, this.values.value.length)) })) : null;
  }

  // Going about

  takeUp(id, show = true) {
    this.current.value = id;
    this.steps = null;
    const value = this.inHand.value;
    if (value && show) this.go(value.first);
  }

  go(place) {
    if (!place?.page && (place?.sheet ?? null) === null) return;
    const { length } = this.outline.value.sheets;
    if (length) this.sheet.value = place.sheet ?? length; // pages in no sheet stand beside the sheets
    this.target.value = { ...place };
  }

  /** The next or previous value of the list. */
  async step(by) {
    const list = this.values.value;
    if (!list.length) return this.say("Nothing is left to decide here.");
    const index = Math.min(Math.max(0, this.at.value + by), list.length - 1);
    if (index >= list.length - 3) this.more();
    this.takeUp(idOf(list[index]));
    const value = list[index];
    return this.say(`${named(value)}, ${value.category.replaceAll("-", " ")}, ${plural(value.places, "place")}${value.explanation ? `, ${value.explanation}` : ""}`);
  }

  /** The next or previous place of the value in hand. */
  async place(by) {
    const value = this.inHand.value;
    if (!value) return;
    if (!this.steps) {
      const { redactions } = await get(`${this.base}/values/${value.key}/places?category=${value.category}&status=${value.status}&limit=500`);
      this.steps = { places: redactions, at: 0 };
    }
    const { places } = this.steps;
    if (!places.length) return;
    this.steps.at = (this.steps.at + by + places.length) % places.length;
    this.go(places[this.steps.at]);
    this.say(`Place ${this.steps.at + 1} of ${value.places}`);
  }

  /** A mark was clicked: its value comes to hand, under the tab that lists it. */
  async pick(mark) {
    if (mark.status === "hit") return this.go(mark);
    const id = idOf(mark);
    const listed = () => this.values.value.some((one) => idOf(one) === id);
    if (!listed()) await this.show(mark.status, { ...NO_FILTER });
    for (let more = 0; more < 20 && this.next && !listed(); more += 1) await this.more();
    this.takeUp(id, false);
    this.target.value = { ...mark, page: mark.page ?? this.seen.value };
    return null;
  }

  /** A page or a sheet further, or back. */
  turn(by) {
    const { pages, sheets } = this.outline.value;
    if (this.grid.value) this.sheet.value = Math.min(Math.max(0, this.sheet.value + by), sheets.length - 1);
    else this.showPage?.(Math.min(Math.max(1, this.seen.value + by), pages));
  }

  /** From the list to the document, or back. */
  swap() {
    const inList = document.activeElement?.closest(".inspector");
    this.pane.value = inList ? "document" : "found";
    requestAnimationFrame(() => (inList ? document.querySelector("#document, [role=grid]") : document.querySelector(".value.current") ?? document.querySelector(".tab"))?.focus());
  }

  letGo() {
    this.choice.value = null;
    this.drawing.value = false;
    this.notice.value = null;
    getSelection()?.removeAllRanges();
  }

  /** The batch's next document that has something to decide. */
  async nextDocument() {
    const { batchId } = this.row.value;
    if (!batchId) return this.say("This document is in no batch.");
    const { documents } = await get(`/api/batches/${batchId}?show=undecided&limit=200`);
    const at = documents.findIndex((one) => one.id === this.id);
    const next = [...documents.slice(at + 1), ...documents.slice(0, Math.max(0, at))].find((one) => one.reviewable && one.id !== this.id);
    if (!next) return this.say("No other document of the batch has anything to decide.");
    await this.tail;
    return location.assign(`/documents/${next.id}`);
  }

  // Deciding

  remember(act) {
    if (!act) return;
    this.undoable.value = [...this.undoable.value.slice(-199), act];
    this.redoable.value = [];
  }

  answered({ act, counts }) {
    this.remember(act);
    if (counts) this.counts.value = counts;
  }

  /** Take the value in hand off the list and go on, before the server has answered. */
  decide(status, id = this.current.value) {
    const list = this.values.value;
    const index = list.findIndex((one) => idOf(one) === id);
    const value = list[index];
    if (!value || value.status === status) return null;
    const by = (status !== "suggested") - (value.status !== "suggested");
    batch(() => {
      this.values.value = list.filter((one) => one !== value);
      this.total.value = { values: this.total.value.values - 1, places: this.total.value.places - value.places };
      this.decided.value = { ...this.decided.value, decided: this.decided.value.decided + by };
      if (this.current.value === id || this.at.value < 0) {
        const following = this.values.value[index] ?? this.values.value[index - 1];
        this.takeUp(following ? idOf(following) : null);
      }
    });
    if (index >= this.values.value.length - 10) this.more();
    const done = { accepted: "Accepted", rejected: "Ignored", suggested: "Put back" }[status];
    const left = this.total.value.values;
    const following = this.inHand.value;
    this.say(`${done}: ${named(value)}, ${plural(value.places, "place")}.${following ? ` Next: ${named(following)}.` : ""} ${plural(left, "value")} left.`);
    this.leaving.set(id, { acts: (this.leaving.get(id)?.acts ?? 0) + 1, from: value.status, by });
    return this.queue(async () => {
      try {
        this.answered(await post(`${this.base}/decide`, { where: { keys: [value.key], category: value.category, whenStatus: value.status }, status }));
        this.asked?.gone.set(id, { from: value.status, by });
      } catch (failure) {
        this.putBack(value, index, by);
        throw failure;
      } finally {
        this.leaving.get(id).acts -= 1;
        if (!this.leaving.get(id).acts) this.leaving.delete(id);
      }
      // A list asked for while further acts wait would still hold what they decide.
      this.refresh(this.values.value.length === 0 && this.leaving.size === 0);
    });
  }

  /** The server took no decision on a value, or was not reached: it is listed again, also while no list can be asked for. */
  putBack(value, index, by) {
    const list = this.values.value;
    if (value.status !== this.status.value || list.some((one) => idOf(one) === idOf(value))) return;
    batch(() => {
      this.values.value = [...list.slice(0, index), value, ...list.slice(index)];
      this.total.value = { values: this.total.value.values + 1, places: this.total.value.places + value.places };
      this.decided.value = { ...this.decided.value, decided: this.decided.value.decided - by };
      this.current.value ??= idOf(value);
    });
    this.say(`Not decided: ${named(value)}.`);
  }

  /** A value's category is part of who it is: what was in hand stays in hand. */
  rename(value, category) {
    const renamed = { ...value, category };
    batch(() => {
      if (this.current.value === idOf(value)) this.current.value = idOf(renamed);
      this.values.value = this.values.value.map((one) => (idOf(one) === idOf(value) ? renamed : one));
    });
  }

  /** Decide on the one place that is shown; the value's other places stay as they are. */
  decideHere(status) {
    const value = this.inHand.value;
    if (!value) return null;
    const shown = this.target.value;
    const id = shown?.id && idOf({ ...value, ...shown }) === idOf(value) ? shown.id : value.first.id;
    return this.queue(async () => {
      const { changed, act, counts } = await call("PATCH", `${this.base}/redactions`, { ids: [id], status, whenStatus: value.status });
      this.answered({ act, counts });
      this.steps = null;
      await this.refresh();
      this.say(changed.length ? `${status === "accepted" ? "Accepted" : "Ignored"} at this place only.` : "This place is decided already.");
    });
  }

  /** Change category, method or code of the value in hand; what was decided stays decided. */
  change(changes, id = this.current.value) {
    const value = this.values.value.find((one) => idOf(one) === id);
    if (!value) return null;
    return this.queue(async () => {
      const answer = await post(`${this.base}/decide`, { where: { keys: [value.key], category: value.category, whenStatus: value.status }, ...changes });
      this.answered(answer);
      if (changes.category) this.rename(value, changes.category);
      await this.refresh();
      this.say(`Changed at ${plural(answer.changed, "place")}.`);
    });
  }

  /** Ask how many the filtered list holds, say it, and do it when confirmed. */
  async decideAll(status) {
    const body = { where: { ...this.where(), whenStatus: this.status.value }, status };
    try {
      const { changed } = await post(`${this.base}/decide`, { ...body, dryRun: true });
      if (!changed) return this.say("There is nothing here to decide.");
      const word = { accepted: "Accept", rejected: "Ignore", suggested: "Put back" }[status];
      this.confirm.value = {
        text: `${word} ${plural(this.total.value.values, "value")} at ${plural(changed, "place")}${this.filtered() ? " that the filters show" : ""}?`,
        act: word,
        run: () => this.queue(async () => {
          const answer = await post(`${this.base}/decide`, body);
          this.answered(answer);
          await this.refresh();
          this.say(`${word === "Accept" ? "Accepted" : word === "Ignore" ? "Ignored" : "Put back"} ${plural(answer.changed, "place")}.`);
        }),
      };
    } catch (failure) {
      this.fail(failure);
    }
    return null;
  }

  filtered() {
    const { category, source, certainty, page, q } = this.filter.value;
    return Boolean(category || source || certainty || q || page !== null);
  }

  // Pointing

  /** Redact what is pointed at; `more` adds to the request, such as `everywhere`. */
  redact(more = {}) {
    const choice = this.choice.value;
    if (!choice) {
      this.say("Select text, click a word, or draw a region first.");
      return null;
    }
    const { label, boxes, value, screen, ...place } = choice;
    this.choice.value = null;
    getSelection()?.removeAllRanges();
    return this.mark({ ...place, ...more }, value);
  }

  mark(body, value) {
    return this.queue(async () => {
      const answer = await post(`${this.base}/redactions`, body);
      this.answered(answer);
      if (value) this.learn(value);
      await this.refresh();
      const count = answer.redactions.length;
      this.say(`Redacted at ${plural(count, "place")}.${answer.more ? " The export removes the further ones as well." : ""}`);
      return answer;
    });
  }

  /** Everything but what is pointed at, on its page. */
  keepOnly() {
    const choice = this.choice.value;
    if (!choice || choice.page === undefined) return this.say("Select the text, or draw the region, that may stay.");
    const kept = choice.box ? { page: choice.page, box: choice.box } : { page: choice.page, start: choice.start, end: choice.end };
    const body = { page: choice.page, keep: [kept] };
    return this.queue(async () => {
      const { changed } = await post(`${this.base}/keep-only`, { ...body, dryRun: true });
      this.confirm.value = {
        text: `Redact everything on page ${choice.page} except what is selected? That is ${plural(changed, "stretch", "stretches")}.`,
        act: "Keep only this",
        run: () => this.queue(async () => {
          this.choice.value = null;
          this.answered(await post(`${this.base}/keep-only`, body));
          await this.refresh();
        }),
      };
    });
  }

  // Taking back

  /** What can be taken back, and done again, as the server remembers it: a reload loses nothing, and windows share it. */
  recall() {
    this.tail = this.tail.then(async () => {
      const { acts } = await get(`${this.base}/acts?limit=200`);
      const standing = acts.filter((act) => !act.undone).reverse();
      const newest = acts.find(({ kind }) => kind !== "undo" && kind !== "redo")?.at ?? 0;
      batch(() => {
        this.undoable.value = standing.filter(({ kind }) => kind !== "undo");
        this.redoable.value = standing.filter(({ kind, at }) => kind === "undo" && at > newest);
      });
    }).catch(() => null); // what is done from now on can be taken back all the same
    return this.tail;
  }

  /** Something was done to this document in another window, or the connection is back. */
  heard() {
    clearTimeout(this.hearing);
    this.hearing = setTimeout(() => this.recall().then(() => this.refresh()), 150);
  }

  undo() {
    return this.turnBack(this.undoable, this.redoable, "Undone");
  }

  redo() {
    return this.turnBack(this.redoable, this.undoable, "Done again");
  }

  turnBack(from, to, word) {
    return this.queue(async () => {
      const act = from.value.at(-1);
      if (!act) return this.say(word === "Undone" ? "There is nothing to undo." : "There is nothing to do again.");
      const drop = () => { from.value = from.value.filter((one) => one !== act); };
      const answer = await post(`${this.base}/acts/${act.id}/undo`).catch((failure) => {
        if (["act-undone", "not-found"].includes(failure.code)) drop(); // otherwise it can be tried again
        throw failure;
      });
      drop();
      if (answer.act) to.value = [...to.value, answer.act];
      this.counts.value = answer.counts;
      await this.refresh();
      const left = answer.refused ? ` ${plural(answer.refused, "place")} had changed since and stayed as they are.` : "";
      return this.say(`${word}: ${plural(answer.changed, "place")}.${left}`);
    });
  }

  // Rules

  /** Decide on a value beyond this document: `scope` document | batch | global, `action` redact | keep. */
  rule(scope, action, pattern, more = {}) {
    const paths = { document: `${this.base}/rules`, batch: `/api/batches/${this.row.value.batchId}/rules`, global: "/api/rules" };
    const where = { document: "in this document", batch: "in the whole batch", global: "in every document, also those to come" }[scope];
    return this.queue(async () => {
      const made = await post(paths[scope], { kind: "literal", pattern, matchCase: false, wholeWord: true, action, ...more });
      await this.refresh();
      this.say(`${action === "keep" ? "Never suggested" : "Redacted"} ${where}.${made.pending ? ` ${plural(made.pending, "document")} to go.` : ""}`);
      this.spread(paths[scope], made.rule);
      return made;
    });
  }

  /** A wider rule may reach this document after its answer: look again until it has reached all. */
  async spread(path, { id, pending }) {
    for (let left = pending; left > 0;) {
      await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
      const answer = await get(path).catch((failure) => (failure.status ? { rules: [] } : null)); // null: the line is down just now
      const now = answer && (answer.rules.find((rule) => rule.id === id && rule.enabled)?.pending ?? 0);
      if (now === null || now === left) continue;
      left = now;
      await this.tail;
      this.refresh();
    }
  }

  dropRule(rule) {
    return this.queue(async () => {
      await call("DELETE", rulePath(this, rule));
      await this.refresh();
    });
  }

  switchRule(rule, enabled) {
    return this.queue(async () => {
      const changed = await call("PATCH", rulePath(this, rule), { enabled });
      await this.refresh();
      this.spread(rulePath(this, rule).replace(/\/[^/]+$/, ""), changed);
    });
  }

  /** Three values made by hand in one shape: offer what finds them all. */
  learn(value) {
    this.byHand = [...this.byHand.slice(-19), clean(value)];
    const pattern = shapeOf(value);
    if (!pattern || this.byHand.filter((one) => shapeOf(one) === pattern).length !== 3) return;
    post(`${this.base}/rules/preview`, { kind: "regex", pattern, matchCase: true, wholeWord: true })
      .then((answer) => { if (answer.count > 0) this.learned.value = { pattern, like: clean(value), count: answer.count }; })
      .catch(() => null);
  }
}

function rulePath(desk, rule) {
  if (rule.scope === "global") return `/api/rules/${rule.id}`;
  if (rule.scope === "batch") return `/api/batches/${desk.row.value.batchId}/rules/${rule.id}`;
  return `${desk.base}/rules/${rule.id}`;
}

/** The shape of a reference as a pattern: letters and digits by kind and number, or null for what has no digit to hold on to. */
export function shapeOf(value) {
  const text = clean(value);
  if (!/\d/.test(text) || text.length < 4 || text.length > 40 || !/^[\p{L}\p{N} ./#_-]+$/u.test(text)) return null;
  return text.replace(/\p{Lu}+|\p{Ll}+|\p{N}+|[^\p{L}\p{N}]/gu, (part) => {
    const kind = /^\p{N}/u.test(part) ? "[0-9]" : /^\p{Lu}/u.test(part) ? "\\p{Lu}" : /^\p{L}/u.test(part) ? "\\p{Ll}" : null;
    if (kind) return part.length === 1 ? kind : `${kind}{${part.length}}`;
    return part === " " ? "\\s" : part.replace(/[./#_-]/, "\\$&");
  });
}
