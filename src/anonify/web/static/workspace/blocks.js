// Rows of sheets and their marks, fetched in blocks when they come into view and kept while they are near.

import { get } from "../api.js";
import { signal } from "./ui.js";
import { units } from "./offsets.js";

const ROWS = 200; // of a block
const CELLS = 20_000; // of a block of a wide sheet
const KEPT = 60; // blocks
const KEPT_CELLS = 1_500_000;
const AT_ONCE = 2; // requests

const NONE = [];
const BLANK = { cells: NONE, page: null, start: 0 };
const NO_MARKS = { rows: new Map(), columns: new Map() };

/** How many code points a text has. */
const points = (text) => (/[\ud800-\udfff]/.test(text) ? [...text].length : text.length);

/** Where each cell of a row begins in its page, in code points; one more for the row's end. */
function starts(row) {
  if (!row.starts) {
    let at = row.start;
    row.starts = [...row.cells.map((cell) => { const start = at; at += points(cell) + 1; return start; }), at];
  }
  return row.starts;
}

/** The marks of one cell's text with their UTF-16 places in it. */
export function inCell(row, column, marks) {
  const text = row.cells[column - 1];
  if (!text || !marks.length) return NONE;
  const [start, next] = [starts(row)[column - 1], starts(row)[column]];
  const over = marks.filter((mark) => mark.start < next - 1 && mark.end > start);
  if (!over.length) return NONE;
  const unit = units(text);
  return over.map((mark) => ({ ...mark, from: unit.to(Math.max(0, mark.start - start)), to: unit.to(Math.min(mark.end, next - 1) - start) }));
}

/** A stretch of a cell's text as a place of its page. */
export function inPage(row, column, from, to) {
  const unit = units(row.cells[column - 1]);
  const start = starts(row)[column - 1];
  return { page: row.page, start: start + unit.from(from), end: start + unit.from(to) };
}

const stronger = (known, mark) => (known && (known.status === "accepted" || mark.status !== "accepted") ? known : mark);

/** Marks by row: of text, of whole cells by column, and of the whole row; those of whole columns beside them. */
function arranged(block, marks) {
  const found = { rows: new Map(), columns: new Map() };
  const of = (number) => {
    let row = found.rows.get(number);
    if (!row) found.rows.set(number, (row = { text: [], cells: new Map(), whole: null }));
    return row;
  };
  const order = [...block.rows.values()];
  for (const mark of marks) {
    if (mark.start !== null && mark.start !== undefined) {
      // By its offsets: what a person selected may reach over several cells and rows.
      let low = 0;
      let high = order.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const row = order[middle];
        if (row.page < mark.page || (row.page === mark.page && row.start <= mark.start)) low = middle + 1; else high = middle;
      }
      for (let at = Math.max(0, low - 1); at < order.length && order[at].page <= mark.page && (order[at].page < mark.page || order[at].start < mark.end); at += 1) {
        if (order[at].page === mark.page) of(order[at].number).text.push(mark);
      }
    } else if (mark.row && mark.column) of(mark.row).cells.set(mark.column, stronger(of(mark.row).cells.get(mark.column), mark));
    else if (mark.row) of(mark.row).whole = stronger(of(mark.row).whole, mark);
    else if (mark.column) found.columns.set(mark.column, stronger(found.columns.get(mark.column), mark));
  }
  return found;
}

/** A text mark without a page of its own stands in the block's row that it names. */
const settled = (block, mark) => (mark.page || mark.start === null || mark.start === undefined ? mark : { ...mark, page: block.rows.get(mark.row)?.page ?? null });

export class Blocks {
  constructor(desk) {
    this.desk = desk;
    this.known = new Map();
    this.whole = new Map();
    this.wanted = [];
    this.flying = 0;
    this.drawn = signal(0); // raised when something has arrived
    this.failed = signal(null);
  }

  sheet(index) {
    return this.desk.outline.value.sheets[index];
  }

  /** Rows of a block: fewer of a wide sheet, so that an answer stays small. */
  rowsOf(index) {
    return Math.min(ROWS, Math.max(10, Math.floor(CELLS / Math.max(1, this.sheet(index).columns))));
  }

  /** Ask for rows `first … last` of a sheet, nearest to `middle` first, and for the blocks around them. */
  want(index, first, last) {
    const size = this.rowsOf(index);
    const all = Math.ceil(this.sheet(index).rows / size);
    const [from, to] = [Math.floor((first - 1) / size), Math.floor((last - 1) / size)];
    const middle = (first + last) / 2 / size - 0.5;
    const asked = [];
    for (let at = from; at <= to; at += 1) asked.push(at);
    asked.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
    this.wanted = [...asked, to + 1, from - 1].filter((at) => at >= 0 && at < all).map((at) => this.entry(index, at, size));
    const kept = Math.max(this.wanted.length + 4, Math.min(KEPT, Math.floor(KEPT_CELLS / (size * Math.max(1, this.sheet(index).columns)))));
    for (const key of this.known.keys()) {
      if (this.known.size <= kept) break;
      this.known.delete(key);
    }
    this.pump();
  }

  entry(index, at, size) {
    const key = `${index} ${at}`;
    const last = Math.min(this.sheet(index).rows, (at + 1) * size);
    const block = this.known.get(key) ?? { key, sheet: index, first: at * size + 1, last, rows: null, unseen: null, marks: NO_MARKS, answer: null, stamp: -1, asking: {}, failed: false };
    this.known.delete(key);
    this.known.set(key, block);
    return block;
  }

  find(index, number) {
    return this.known.get(`${index} ${Math.floor((number - 1) / this.rowsOf(index))}`);
  }

  /** A row { number, page, start, cells }, or null while it is not here. */
  row(index, number) {
    const block = this.find(index, number);
    return block?.rows ? block.rows.get(number) ?? BLANK : null;
  }

  /** What the sheet does not show of a row: [{ reason, firstColumn, lastColumn }]. */
  unseen(index, number) {
    const { unseen } = this.find(index, number) ?? NO_MARKS;
    if (!unseen?.all.length) return NONE;
    if (!unseen.rows.has(number)) unseen.rows.set(number, unseen.all.filter((one) => one.firstRow <= number && number <= one.lastRow));
    return unseen.rows.get(number);
  }

  /** The marks { text, cells, whole } of a row, or null when it has none. */
  marks(index, number) {
    return this.find(index, number)?.marks.rows.get(number) ?? null;
  }

  /** Marks of whole columns, by column, as they stand at a row; where it is not here, as they were last heard of. */
  columns(index, number) {
    const marks = this.find(index, number)?.marks ?? NO_MARKS;
    return marks === NO_MARKS ? this.whole.get(index) ?? marks.columns : marks.columns;
  }

  /** Marks have changed, or a person asks again. */
  again() {
    for (const block of this.known.values()) block.failed = false;
    this.failed.value = null;
    this.pump();
  }

  pump() {
    while (this.flying < AT_ONCE) {
      const stamp = this.desk.changed.peek();
      const lacks = (block) => (block.failed ? null : !block.rows && !block.asking.rows ? "rows" : block.stamp !== stamp && !block.asking.marks ? "marks" : null);
      const block = this.wanted.find(lacks);
      if (!block) return;
      this.ask(block, lacks(block), stamp);
    }
  }

  /** The marks of rows `first … last`, asked for in halves where one answer does not hold them. */
  async allMarks(sheet, first, last) {
    const { marks, more } = await get(`${this.desk.base}/marks?sheet=${sheet}&rows=${first}-${last}`);
    if (!more || first === last) return marks;
    const middle = (first + last) >> 1;
    return [...(await this.allMarks(sheet, first, middle)), ...(await this.allMarks(sheet, middle + 1, last))];
  }

  async ask(block, what, stamp) {
    block.asking[what] = true;
    this.flying += 1;
    try {
      const answer = what === "rows" ? await get(`${this.desk.base}/content?sheet=${block.sheet}&rows=${block.first}-${block.last}`) : await this.allMarks(block.sheet, block.first, block.last);
      if (this.known.get(block.key) !== block) return; // no longer near
      if (what === "rows") {
        block.rows = new Map(answer.rows.map((row) => [row.number, row]));
        block.unseen = { all: answer.unseen ?? NONE, rows: new Map() };
      } else {
        if (stamp !== this.desk.changed.peek()) return; // marks have changed since: asked for again
        block.answer = answer;
        block.stamp = stamp;
      }
      if (!block.rows) return;
      if (block.answer) {
        block.marks = arranged(block, block.answer.map((mark) => settled(block, mark)));
        this.whole.set(block.sheet, block.marks.columns);
        block.answer = null;
      }
      this.drawn.value += 1;
    } catch (failure) {
      block.failed = true;
      this.failed.value = failure.message;
    } finally {
      block.asking[what] = false;
      this.flying -= 1;
      this.pump();
    }
  }
}
