// The drawn rows of a sheet. Elements are used again for the rows that come into view: while a sheet is scrolled only texts change.

import { inCell } from "./blocks.js";
import { idOf } from "./desk.js";
import { pieces } from "./offsets.js";
import { letters } from "./ui.js";

const DRAWN = 240; // characters of a cell; the bar below shows the rest
const NARROW = 4; // pixels of a narrow letter
const WIDE = 6.5; // of an ordinary one

/** As much of a text as can be seen in `width` pixels, without half a letter at its end. */
export function cut(text, width = Infinity) {
  const most = Math.min(DRAWN, Math.ceil(width / NARROW));
  return text.length > most ? text.slice(0, most).replace(/[\ud800-\udbff]$/, "") : text;
}

const isAt = (mark, target) => Boolean(target) && (mark.id ? mark.id === target.id : mark.page === target.page && mark.start === target.start && mark.end === target.end);

function element(kind, role) {
  const made = document.createElement("div");
  made.className = kind;
  if (role) made.setAttribute("role", role);
  return made;
}

function put(made, name, value) {
  if (value === null || value === undefined) made.removeAttribute(name);
  else made.setAttribute(name, value);
}

class Cell {
  constructor() {
    this.body = element("cell", "gridcell");
    this.kind = "cell";
    this.node = document.createTextNode("");
    this.body.append(this.node);
    this.column = 0;
    this.version = -1;
    this.whole = null;
    this.active = false;
  }

  place(column, { columns }) {
    if (this.column === column && this.version === columns.version) return;
    if (this.column !== column) {
      put(this.body, "aria-colindex", column);
      this.body.dataset.column = column;
    }
    this.column = column;
    this.version = columns.version;
    const width = columns.width(column);
    if (width !== this.width) this.body.style.width = `${width}px`;
    this.width = width;
  }

  text(text) {
    if (!this.node) {
      this.node = document.createTextNode(text);
      this.body.replaceChildren(this.node);
    } else if (this.node.data !== text) this.node.data = text;
  }

  marks(text, over, line, hand) {
    this.node = null;
    this.body.replaceChildren(...pieces(0, text.length, over).map(({ from, to, mark }) => {
      if (!mark) return text.slice(from, to);
      const made = document.createElement("mark");
      made.className = `${mark.status} ${idOf(mark) === hand ? "of-hand" : ""} ${isAt(mark, line.target) ? "here" : ""}`;
      if (mark.id) made.dataset.id = mark.id;
      made.textContent = text.slice(from, to);
      return made;
    }));
  }

  draw(line, sheet) {
    const { column } = this;
    const { row, marks, hits, whole, active, chosen, target } = line;
    const { hand } = sheet;
    const text = cut(row?.cells[column - 1] ?? "", this.width);
    const over = row && (marks || hits.length) ? inCell(row, column, marks ? [...marks.text, ...hits] : hits) : [];
    const mark = marks || whole.size ? [marks?.cells.get(column), marks?.whole, line.below ? whole.get(column) : null].reduce((best, one) => (one && (!best || (best.status !== "accepted" && one.status === "accepted")) ? one : best), null) : null;
    if (over.length) this.marks(text, over, line, hand); else this.text(text);
    let kind = "cell";
    if (mark) kind += mark.status === "accepted" ? " gone" : " hinted";
    if (mark && idOf(mark) === hand) kind += " of-hand";
    if (column === active) kind += " active";
    if (chosen === true || chosen === column) kind += " chosen";
    if (target && target.column === column && (target.start === null || target.start === undefined)) kind += " here";
    // A mark begins where the cell's edge hides it.
    if (over.some((one) => one.from >= text.length || one.from * WIDE > this.width)) kind += " further";
    if (kind !== this.kind) this.body.className = this.kind = kind;
    if (mark !== this.whole) {
      this.whole = mark;
      put(this.body, "data-whole", mark?.id);
      put(this.body, "aria-description", mark && `whole ${mark.row ? (mark.column ? "cell" : "row") : `column ${letters(mark.column)}`} ${mark.status}`);
    }
    if ((column === active) !== this.active) {
      this.active = column === active;
      put(this.body, "id", this.active ? "sheet-active" : null);
      put(this.body, "aria-selected", this.active ? "true" : null);
    }
  }
}

class Line {
  constructor() {
    this.body = element("line", "row");
    this.number = element("line-number");
    this.digits = document.createTextNode("");
    this.number.append(this.digits);
    this.kind = "";
    this.cells = [];
    this.said = [];
  }

  /** Cells for columns `from … to`, in the order of columns: a later one covers what the one before has too much. */
  stretch({ from, to }) {
    const first = this.cells[0]?.column ?? from;
    const { cells } = this;
    while (cells.length > to - from + 1) cells.pop().body.remove();
    if (from > first) for (let left = Math.min(from - first, cells.length); left > 0; left -= 1) { const cell = cells.shift(); cells.push(cell); this.body.append(cell.body); }
    else if (from < first) for (let left = Math.min(first - from, cells.length); left > 0; left -= 1) { const cell = cells.pop(); cells.unshift(cell); this.body.prepend(cell.body); }
    while (cells.length < to - from + 1) { const cell = new Cell(); cells.push(cell); this.body.append(cell.body); }
  }

  draw(line, sheet) {
    const { number, row, marks, hits, whole, active, chosen, target } = line;
    const said = [number, row, marks, hits, whole, active, chosen, target, line.top, sheet.hand, sheet.from, sheet.to, sheet.left, sheet.columns.version];
    if (said.every((one, at) => one === this.said[at])) return;
    const [before, across, left, version] = [this.said[0], this.said[10] !== sheet.from || this.said[11] !== sheet.to, this.said[12], this.said[13]];
    if (line.top !== this.said[8]) this.body.style.top = this.number.style.top = `${line.top}px`;
    if (number !== before) {
      put(this.body, "aria-rowindex", number + 1);
      this.body.dataset.row = this.number.dataset.row = number;
      this.digits.data = number;
    }
    this.said = said;
    if (across) this.stretch(sheet);
    if (across || sheet.left !== left || sheet.columns.version !== version) {
      const start = sheet.columns.left(sheet.from);
      this.body.style.left = `${sheet.left + start}px`;
      this.body.style.width = `${sheet.columns.left(sheet.to + 1) - start}px`;
    }
    const kind = `${row ? "" : "awaited"} ${chosen === true ? "chosen" : ""} ${marks?.whole ? marks.whole.status : ""}`;
    if (kind !== this.kind) {
      this.kind = kind;
      this.body.className = row ? "line" : "line awaited";
      this.number.className = `line-number ${kind}`;
    }
    this.cells.forEach((cell, at) => { cell.place(sheet.from + at, sheet); cell.draw(line, sheet); });
  }
}

/** Draws into `body`, and the rows' numbers into `gutter`. */
export class Lines {
  constructor(body, gutter) {
    this.body = body;
    this.gutter = gutter;
    this.slots = [];
  }

  /**
   * Draw rows `first … last`. `sheet` says what all rows share: { from, to, columns, left, hand }, `lineOf(number)` what
   * is of one: { number, top, row, marks, hits, whole, below, active, chosen, target }.
   */
  draw(first, last, sheet, lineOf) {
    const count = Math.max(0, last - first + 1);
    while (this.slots.length > count) { const line = this.slots.pop(); line.body.remove(); line.number.remove(); }
    while (this.slots.length < count) { const line = new Line(); this.slots.push(line); this.body.append(line.body); this.gutter.append(line.number); }
    for (let number = first; number <= last; number += 1) this.slots[number % count].draw(lineOf(number), sheet);
  }

  /** Rows in the order of the sheet, for those who read on from one to the next. */
  order() {
    const lines = [...this.slots].sort((a, b) => a.said[0] - b.said[0]);
    if (lines.every((line, at) => this.body.children[at] === line.body)) return;
    this.body.append(...lines.map((line) => line.body));
  }
}
