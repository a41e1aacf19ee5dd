// Where what a viewer does not show stands, as far as the text tells: found page by page, one place after the other.

import { get } from "../api.js";

const AT_ONCE = 40; // pages looked at for one press

const ROWS = ["hidden-row", "no-height"];
const COLUMNS = ["hidden-column", "no-width"];
const CELLS = ["empty-format", "same-colour", "merged", "behind-drawing"];

/** By kind of hidden content: the name of the part of a page, the style of a stretch, or the reasons of cells. */
const SIGNS = {
  "alternative-text": { section: /alternative text/i },
  "alternative-texts": { section: /alternative/i },
  annotations: { section: /annotation/i },
  attachments: { section: /^attachment/i },
  "client-headers": { section: /^more headers/i },
  comments: { section: /comment|annotation/i },
  "custom-xml": { section: /^custom xml/i },
  "external-links": { section: /^links/i },
  "field-codes": { style: /\bcode\b/ },
  form: { section: /form values/i },
  "form-fields": { section: /form-field/i },
  "hidden-cells": { unseen: CELLS },
  "hidden-columns": { unseen: COLUMNS },
  "hidden-names": { section: /^names/i },
  "hidden-rows": { unseen: ROWS },
  "hidden-slides": { section: /\(hidden\)/i },
  "hidden-text": { style: /\bhidden\b/ },
  metadata: { section: /^propert/i },
  notes: { section: /^notes/i },
  revisions: { style: /\b(inserted|deleted)\b/ },
};

const signsOf = (kind) => SIGNS[kind] ?? (kind.startsWith("html-") ? { section: new RegExp(`^hidden ${kind.slice(5)}`, "i") } : null);

/** Whether the text may tell where this kind of hidden content stands. */
export const sought = (kind, outline) => (kind === "hidden-sheets" ? outline.sheets.some((sheet) => sheet.hidden) : signsOf(kind) !== null);

/** Places of a kind of hidden content on a page. */
export function placesOn(page, kind) {
  const { section, style, unseen } = signsOf(kind);
  const at = { page: page.number, sheet: page.sheet, row: null, column: null, start: null, end: null };
  if (unseen) {
    return page.unseen.filter(({ reason }) => unseen.includes(reason)).map(({ firstRow, firstColumn }) => ({ ...at, row: firstRow, column: firstColumn }));
  }
  const stretches = section ? page.sections.filter(({ name }) => section.test(name)) : page.spans.filter((span) => style.test(span.style));
  return stretches.map(({ start, end }) => ({ ...at, start, end }));
}

const lastOfSheets = (sheets) => Math.max(0, ...sheets.map((sheet) => (sheet.firstPage ?? 1) + (sheet.pages ?? 0) - 1));

/** The next hidden sheet, as a place. */
function sheetAfter(from, sheets) {
  const hidden = sheets.filter((sheet) => sheet.hidden);
  const next = hidden.find((sheet) => sheet.index > from) ?? hidden[0];
  return { page: null, sheet: next.index, row: Math.min(1, next.rows), column: null, start: null, end: null };
}

/** Goes through the places of hidden content, kind by kind. */
export class Seeker {
  constructor(desk) {
    this.desk = desk;
    this.stands = new Map(); // kind → { page, index }: the place shown last
  }

  go(place) {
    this.desk.pane.value = "document";
    this.desk.go(place);
  }

  /** Show the next place of a kind. Returns what to say where there is none to show, or null. */
  async next(kind) {
    const { sheets, pages } = this.desk.outline.value;
    if (kind === "hidden-sheets") {
      const place = sheetAfter(this.stands.get(kind) ?? -1, sheets);
      this.stands.set(kind, place.sheet);
      this.go(place);
      return null;
    }
    const first = sheets.length && !signsOf(kind).unseen ? lastOfSheets(sheets) + 1 : 1;
    const stand = this.stands.get(kind) ?? { page: first, index: -1, any: false };
    const until = Math.min(pages, stand.page + AT_ONCE - 1);
    for (let number = stand.page; number <= until; number += 1) {
      const places = placesOn(await get(`${this.desk.base}/content?page=${number}`), kind);
      const index = number === stand.page ? stand.index + 1 : 0;
      if (index < places.length) {
        this.stands.set(kind, { page: number, index, any: true });
        this.go(places[index]);
        return null;
      }
    }
    if (until < pages) {
      this.stands.set(kind, { page: until + 1, index: -1, any: stand.any });
      return `None on the pages up to ${until.toLocaleString()}. Press again to look further.`;
    }
    this.stands.delete(kind);
    return stand.any ? "That was the last one. Press again to begin anew." : "It has no place in the text. What is accepted is removed from it too.";
  }
}
