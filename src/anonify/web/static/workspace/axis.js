// Places along one side of a sheet. Browsers cap how long an element can be; sheets are longer.

const LONGEST = 8_000_000; // pixels every browser can still scroll
const PLAIN = 1_000_000; // pixels at either end where the bar moves as far as the sheet
const LEAP = 2_000; // pixels; a bar that moves further at once was dragged

/** A length of any number of pixels behind a scroll bar of at most `LONGEST`. `offset` is what stands at the near edge. */
export class Axis {
  constructor(length = 0) {
    this.offset = 0;
    this.position = 0; // of the browser's bar
    this.view = 0;
    this.resize(length);
  }

  resize(length) {
    this.length = length;
    this.bar = Math.min(length, LONGEST);
  }

  get most() {
    return Math.max(0, this.length - this.view);
  }

  /** What to add to a place of the sheet to get its place in the scrolled element. */
  get shift() {
    return this.position - this.offset;
  }

  /** The offset that a position of the bar stands for. */
  real(position) {
    if (this.bar === this.length) return position;
    const end = this.bar - this.view;
    if (position <= PLAIN) return position;
    if (position >= end - PLAIN) return this.most - (end - position);
    return Math.round(PLAIN + ((position - PLAIN) * (this.most - 2 * PLAIN)) / (end - 2 * PLAIN));
  }

  /** The bar's position for an offset. */
  where(offset) {
    if (this.bar === this.length) return offset;
    const end = this.bar - this.view;
    if (offset <= PLAIN) return offset;
    if (offset >= this.most - PLAIN) return end - (this.most - offset);
    return Math.round(PLAIN + ((offset - PLAIN) * (end - 2 * PLAIN)) / (this.most - 2 * PLAIN));
  }

  /** The bar was moved: small moves are moves of the sheet, pixel by pixel; a drag goes to its share. */
  moved(position) {
    const by = position - this.position;
    this.position = position;
    const atEnd = position <= 0 || position >= this.bar - this.view - 1;
    if (this.bar === this.length || Math.abs(by) >= LEAP || (by && atEnd)) this.offset = this.real(position);
    else this.offset = Math.min(Math.max(0, this.offset + by), this.most);
  }

  /** Whether small moves have taken the bar away from where its offset belongs. */
  get strayed() {
    return Math.abs(this.where(this.offset) - this.position) > 1;
  }

  /** The offset from which `[from, to)` is in view. */
  reach(from, to, block) {
    const inside = from >= this.offset && to <= this.offset + this.view;
    if (inside) return this.offset;
    const offset = block === "center" ? (from + to - this.view) / 2 : from < this.offset ? from : Math.min(from, to - this.view);
    return Math.round(Math.min(Math.max(0, offset), this.most));
  }
}

/** The columns of a sheet: one width for all but those that were given their own. */
export class Columns {
  constructor(count, usual) {
    this.count = count;
    this.usual = usual;
    this.own = new Map();
    this.version = 0;
    this.sum();
  }

  sum() {
    this.which = [...this.own.keys()].sort((a, b) => a - b);
    let more = 0;
    this.more = this.which.map((column) => (more += this.own.get(column) - this.usual));
  }

  set(column, width) {
    this.own.set(column, Math.round(Math.min(Math.max(48, width), 640)));
    this.version += 1;
    this.sum();
  }

  width(column) {
    return this.own.get(column) ?? this.usual;
  }

  /** Where a column, counted from 1, begins. */
  left(column) {
    let low = 0;
    let high = this.which.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.which[middle] < column) low = middle + 1; else high = middle;
    }
    return (column - 1) * this.usual + (low ? this.more[low - 1] : 0);
  }

  get length() {
    return this.left(this.count + 1);
  }

  /** The column at a place. */
  at(x) {
    let low = 1;
    let high = Math.max(1, this.count);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.left(middle) <= x) low = middle; else high = middle - 1;
    }
    return low;
  }
}
