// Sheets: rows and columns of any number, of which only what is in view is drawn and asked for.

import { words } from "../dom.js";
import { Axis, Columns } from "./axis.js";
import { Blocks, inCell } from "./blocks.js";
import { CellBar } from "./cellbar.js";
import { cut, Lines, whyUnseen } from "./lines.js";
import { Component, computed, createRef, effect, html, letters, narrow, useEffect, useRef } from "./ui.js";

const ROW = 28; // pixels; grid.css says the same
const HEAD = 46;
const AROUND = 8; // rows drawn above and below what is seen
const STEP = 4; // rows that come into view together
const BESIDE = 2; // columns
const REST = 400; // milliseconds without a move after which nobody is scrolling
const NONE = [];

const ruler = document.createElement("canvas").getContext("2d");

const cellName = (row, column) => `${letters(column)}${row}`;

/** What is kept of a sheet while another is looked at. */
class View {
  constructor(sheet) {
    this.columns = new Columns(Math.max(sheet.columns, sheet.header.length), narrow.matches ? 128 : 160);
    this.down = new Axis(sheet.rows * ROW);
    this.across = new Axis(this.columns.length);
    this.active = { row: Math.min(1, sheet.rows), column: 1 };
    this.gutter = 26 + 8 * String(sheet.rows).length;
    this.fitted = this.columns.count > 200;
  }
}

/** Props: `desk`, `blocks`, `sheet` (of the outline), `view`, `hits` (of a search in this sheet, by row), `tabbed` (whether it has a tab). */
class Sheet extends Component {
  constructor(props) {
    super(props);
    this.scroller = createRef();
    this.lines = createRef();
    this.gutter = createRef();
    this.window = { first: 1, last: 0, from: 1, to: 0 };
    this.scrolled = () => this.follow();
    this.stopped = () => this.settle();
  }

  componentDidMount() {
    const { desk, blocks, view } = this.props;
    const element = this.scroller.current;
    this.drawing = new Lines(this.lines.current, this.gutter.current);
    element.addEventListener("scroll", this.scrolled, { passive: true });
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(element);
    this.fit();
    this.put(view.down.offset, view.across.offset);
    this.stop = [
      effect(() => { desk.changed.value; blocks.again(); }),
      effect(() => this.aim(desk.target.value)),
      effect(() => { blocks.drawn.value; this.arrived(); }),
    ];
  }

  componentWillUnmount() {
    for (const stop of this.stop) stop();
    this.watch.disconnect();
    clearTimeout(this.timer);
  }

  // Where the sheet stands

  fit() {
    const { view } = this.props;
    const element = this.scroller.current;
    const back = this.hidden;
    this.hidden = !element.clientHeight; // nothing can be scrolled then
    if (this.hidden) return;
    view.down.view = Math.max(ROW, element.clientHeight - HEAD);
    view.across.view = Math.max(48, element.clientWidth - view.gutter);
    view.across.resize(view.columns.length);
    if (back) this.put(view.down.offset, view.across.offset);
    else this.update(true);
    if (this.waiting) this.aim(this.waiting);
  }

  follow() {
    const { view } = this.props;
    const element = this.scroller.current;
    view.down.moved(element.scrollTop);
    view.across.moved(element.scrollLeft);
    this.update();
    clearTimeout(this.timer);
    this.timer = setTimeout(this.stopped, REST);
  }

  /** Bring the bar back to where the sheet stands; nothing in view moves. */
  settle() {
    const { down, across } = this.props.view;
    if (down.strayed || across.strayed) this.put(down.offset, across.offset);
    this.drawing.order();
  }

  put(y, x) {
    const { down, across } = this.props.view;
    const element = this.scroller.current;
    down.offset = y;
    across.offset = x;
    if (this.hidden) return;
    if (Math.abs(down.where(y) - element.scrollTop) > 0.5) element.scrollTop = down.where(y);
    if (Math.abs(across.where(x) - element.scrollLeft) > 0.5) element.scrollLeft = across.where(x);
    down.position = element.scrollTop;
    across.position = element.scrollLeft;
    if (down.bar === down.length) down.offset = down.position;
    if (across.bar === across.length) across.offset = across.position;
    this.update(true);
  }

  /** What is in view, and a little around it; as many rows wherever that is, so that their elements serve again. */
  update(force = false) {
    const { view, sheet, blocks } = this.props;
    const { down, across, columns } = view;
    const count = Math.min(sheet.rows, Math.ceil(down.view / ROW) + 2 * AROUND + STEP);
    const first = Math.min(Math.max(1, Math.floor(down.offset / ROW / STEP) * STEP + 1 - AROUND), sheet.rows - count + 1);
    const from = Math.max(1, columns.at(across.offset) - BESIDE);
    const to = Math.min(columns.count, columns.at(across.offset + across.view) + BESIDE);
    const now = { first, last: first + count - 1, from, to, shift: down.shift, aside: across.shift };
    const before = this.window;
    const sideways = from !== before.from || to !== before.to || now.aside !== before.aside;
    if (!force && !sideways && first === before.first && now.last === before.last && now.shift === before.shift) return;
    this.window = now;
    if (sheet.rows) blocks.want(sheet.index, first, now.last);
    if (force || sideways) this.forceUpdate(); // draws the rows as well
    else this.draw();
  }

  show({ row, column }, block = "nearest") {
    const { down, across, columns } = this.props.view;
    const y = row ? down.reach((row - 1) * ROW, row * ROW, block) : down.offset;
    const x = column ? across.reach(columns.left(column), columns.left(column + 1), block) : across.offset;
    this.put(y, x);
  }

  /** Show a place that somebody asks for, once. */
  aim(target) {
    const { view, sheet, blocks } = this.props;
    if (!target || target === blocks.shown || target.sheet !== sheet.index) {
      this.waiting = null;
      return;
    }
    this.waiting = this.hidden ? target : null;
    if (this.waiting) return;
    blocks.shown = target;
    const [row, column] = [target.row ?? null, target.column ?? null];
    view.active = { row: row ?? view.active.row, column: column ?? view.active.column };
    this.show({ row, column }, "center");
  }

  /** Rows have come: the first ones say how wide the columns should be. */
  arrived() {
    const { view, sheet, blocks, desk } = this.props;
    if (!view.fitted && blocks.row(sheet.index, this.window.first)) {
      view.fitted = true;
      for (let column = 1; column <= view.columns.count; column += 1) this.widen(column);
      this.fit();
      if (desk.target.peek() === blocks.shown && blocks.shown?.sheet === sheet.index) this.show(blocks.shown, "center");
    }
    const choice = desk.choice.peek();
    if (choice?.sheet === sheet.index && choice.row && choice.column && !choice.value && this.value(choice)) desk.choice.value = { ...choice, value: this.value(choice) };
    this.forceUpdate();
  }

  /** Make a column as wide as what is drawn of it. */
  widen(column, most = 320) {
    const { view, sheet, blocks } = this.props;
    ruler.font = getComputedStyle(this.scroller.current).font;
    const wide = (text) => ruler.measureText(text).width;
    let widest = Math.min(1.1 * wide(cut(sheet.header[column - 1] ?? "")), 200);
    for (let number = this.window.first; number <= this.window.last; number += 1) widest = Math.max(widest, wide(cut(blocks.row(sheet.index, number)?.cells[column - 1] ?? "")));
    view.columns.set(column, Math.min(Math.max(72, 22 + widest), most));
  }

  // Choosing

  value({ row, column }) {
    return this.props.blocks.row(this.props.sheet.index, row)?.cells[column - 1] ?? "";
  }

  /** Point at a cell, a row, or a column: keys that say nothing are absent, for the place is sent as it stands. */
  choose(place, screen) {
    const { desk, sheet, view } = this.props;
    const { row, column } = place;
    const title = sheet.header[column - 1];
    const said = row && column ? { value: this.value(place) } : { label: row ? `Row ${row}` : `Column ${letters(column)}${title ? `, ${title}` : ""}` };
    view.active = { row: row ?? view.active.row, column: column ?? view.active.column };
    desk.choice.value = { sheet: sheet.index, ...place, ...said, ...(screen && { screen }) };
    this.forceUpdate();
  }

  click(event) {
    const { desk, sheet, view, blocks } = this.props;
    const screen = { left: event.clientX, top: event.clientY };
    if (event.target.closest(".grip")) return;
    const head = event.target.closest(".column");
    if (head) return this.choose({ column: Number(head.dataset.column) }, screen);
    const row = Number(event.target.closest("[data-row]")?.dataset.row);
    if (!row) return;
    const cell = event.target.closest(".cell");
    if (!cell) {
      if (event.target.closest(".line-number")) this.choose({ row }, screen);
      return;
    }
    const column = Number(cell.dataset.column);
    const id = event.target.closest("mark")?.dataset.id ?? cell.dataset.whole;
    const marks = blocks.marks(sheet.index, row);
    const mark = id && [...(marks?.text ?? NONE), ...(marks?.cells.values() ?? NONE), marks?.whole, blocks.columns(sheet.index, row).get(column)].find((one) => one?.id === id);
    if (!mark) return this.choose({ row, column }, screen);
    view.active = { row, column };
    desk.choice.value = null;
    this.forceUpdate();
    desk.pick(mark);
  }

  key(event) {
    if (event.altKey || event.isComposing) return;
    const { view, sheet } = this.props;
    const { row, column } = view.active;
    const far = event.ctrlKey || event.metaKey;
    const page = Math.max(1, Math.floor(view.down.view / ROW) - 1);
    const [rows, columns] = [sheet.rows, view.columns.count];
    const moves = {
      ArrowUp: [far ? 1 : row - 1, column], ArrowDown: [far ? rows : row + 1, column], ArrowLeft: [row, far ? 1 : column - 1], ArrowRight: [row, far ? columns : column + 1],
      Home: [far ? 1 : row, 1], End: [far ? rows : row, columns], PageUp: [row - page, column], PageDown: [row + page, column],
    };
    const move = moves[event.key];
    if (move) {
      event.preventDefault();
      const place = { row: Math.min(Math.max(1, move[0]), rows), column: Math.min(Math.max(1, move[1]), columns) };
      this.show(place);
      this.choose(place);
    } else if (event.key === " ") {
      event.preventDefault();
      const box = document.getElementById("sheet-active")?.getBoundingClientRect() ?? this.scroller.current.getBoundingClientRect();
      this.choose(event.shiftKey ? { row } : far ? { column } : { row, column }, { left: box.left, top: box.top });
    } else if (event.key === "Enter" && !far) {
      event.preventDefault();
      document.getElementById("cell-text")?.focus();
    }
  }

  // The widths of columns

  grip(event, column) {
    const { view } = this.props;
    const begun = { x: event.clientX, width: view.columns.width(column) };
    const { target } = event;
    event.preventDefault();
    target.setPointerCapture(event.pointerId);
    target.onpointermove = (moved) => { view.columns.set(column, begun.width + moved.clientX - begun.x); this.fit(); };
    target.onpointerup = target.onpointercancel = () => { target.onpointermove = null; };
  }

  // Drawing

  head(width, chosen) {
    const { sheet, view, blocks } = this.props;
    const { from, to, first, aside } = this.window;
    const whole = blocks.columns(sheet.index, first);
    const columns = [];
    for (let column = from; column <= to; column += 1) {
      const title = sheet.header[column - 1] ?? "";
      columns.push(html`<div key=${column} role="columnheader" aria-colindex=${column} class=${`column ${chosen === column ? "chosen" : ""} ${whole.get(column)?.status ?? ""}`} data-column=${column} title=${title}
        style=${{ left: `${view.gutter + (aside ?? 0) + view.columns.left(column)}px`, width: `${view.columns.width(column)}px` }}>
        <span class="letter">${letters(column)}</span><span class="title">${cut(title)}</span>
        <span class="grip" aria-hidden="true" onPointerDown=${(event) => this.grip(event, column)} onDblClick=${() => { this.widen(column, 640); this.fit(); }}></span></div>`);
    }
    return html`<div role="row" aria-rowindex="1" class="heads" style=${{ width: `${width}px` }}>
      <div class="corner" aria-hidden="true" style=${{ width: `${view.gutter}px` }}></div>${columns}</div>`;
  }

  componentDidUpdate() {
    this.draw();
  }

  /** The rows in view, past Preact: nothing of them is made anew while the sheet is scrolled. */
  draw() {
    const { desk, blocks, sheet, view, hits } = this.props;
    const { first, last, from, to, shift, aside } = this.window;
    const { index } = sheet;
    const here = (signal) => (signal.peek()?.sheet === index ? signal.peek() : null);
    const [choice, target] = [here(desk.choice), here(desk.target)];
    const wholeColumn = choice && !choice.row ? choice.column : null;
    const shared = { from, to, columns: view.columns, left: view.gutter + (aside ?? 0), hand: desk.current.peek() };
    this.drawing.draw(first, last, shared, (number) => ({
      number, top: (number - 1) * ROW + (shift ?? 0), row: blocks.row(index, number), marks: blocks.marks(index, number), hits: hits.get(number) ?? NONE,
      whole: blocks.columns(index, number), below: number > (sheet.headerRow ?? 0), unseen: blocks.unseen(index, number), active: number === view.active.row ? view.active.column : 0,
      chosen: choice?.row === number && !choice.column ? true : wholeColumn, target: target && (target.row ?? number) === number ? target : null,
    }));
    const { active } = view;
    const drawn = active.row >= first && active.row <= last && active.column >= from && active.column <= to;
    if (drawn) this.scroller.current.setAttribute("aria-activedescendant", "sheet-active");
    else this.scroller.current.removeAttribute("aria-activedescendant");
  }

  render({ desk, blocks, sheet, view, hits, tabbed }) {
    const { index } = sheet;
    const { active, columns, gutter, down, across } = view;
    const choice = desk.choice.value?.sheet === index ? desk.choice.value : null;
    desk.target.value; // what the rows show of these two is drawn after this
    desk.current.value;
    const width = gutter + across.bar;
    const row = sheet.rows ? blocks.row(index, active.row) : { cells: NONE };
    const marks = blocks.marks(index, active.row);
    const whole = { cell: marks?.cells.get(active.column), row: marks?.whole, column: active.row > (sheet.headerRow ?? 0) ? blocks.columns(index, active.row).get(active.column) : null };
    const over = row?.cells.length ? inCell(row, active.column, [...(marks?.text ?? NONE), ...(hits.get(active.row) ?? NONE)]).sort((a, b) => a.from - b.from) : NONE;
    const name = sheet.name || "Rows";
    return html`<div class="sheet-body" id="sheet-body" role=${tabbed ? "tabpanel" : null} aria-label=${tabbed ? name : null}>
      <div class="sheet-frame">
        <div class="sheet-cells" ref=${this.scroller} id="sheet-cells" role="grid" tabindex="0" aria-label=${`${name}. Enter reads the whole cell, Space points at it, Shift Space at its row, Control Space at its column.`} aria-rowcount=${sheet.rows + 1} aria-colcount=${columns.count}
          aria-readonly="true" data-own-arrows onKeyDown=${(event) => this.key(event)} onClick=${(event) => this.click(event)}>
          <div class="sheet-whole" role="presentation" style=${{ width: `${width}px`, height: `${HEAD + down.bar}px` }}>
            ${this.head(width, choice && !choice.row ? choice.column : null)}
            <div class="gutter" aria-hidden="true" ref=${this.gutter} style=${{ width: `${gutter}px`, height: `${down.bar}px` }}></div>
            <div role="rowgroup" class="lines" ref=${this.lines}></div>
          </div>
        </div>
      </div>
      ${sheet.rows === 0 && html`<p class="none muted">This sheet has no rows.</p>`}
      ${blocks.failed.value && html`<p class="notice bad sheet-failed">${blocks.failed.value} <button type="button" class="button small" onClick=${() => blocks.again()}>Try again</button></p>`}
      ${sheet.rows > 0 && html`<${CellBar} desk=${desk} name=${cellName(active.row, active.column)} title=${sheet.header[active.column - 1]} row=${row} column=${active.column} marks=${over} whole=${whole} unseen=${row?.cells[active.column - 1] ? whyUnseen(blocks.unseen(index, active.row), active.column) : null} leave=${() => this.scroller.current.focus()} />`}
    </div>`;
  }
}

/** How many suggestions a sheet still has, from the rail of pages; null where that is not known. */
function undecided(desk, sheet) {
  const rail = desk.rail.value;
  if (!sheet.firstPage || !rail.length) return null;
  let count = 0;
  for (const [suggested] of rail.slice(sheet.firstPage - 1, sheet.firstPage - 1 + sheet.pages)) count += suggested;
  return count;
}

function Tabs({ desk, sheets, index }) {
  const bar = useRef();
  useEffect(() => bar.current.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [index]);
  const turn = (event) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: sheets.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    desk.sheet.value = Math.min(Math.max(0, to), sheets.length - 1);
    requestAnimationFrame(() => bar.current?.querySelector("[aria-selected=true]")?.focus());
  };
  return html`<div class="sheet-tabs" role="tablist" aria-label="Sheets" ref=${bar} data-own-arrows onKeyDown=${turn}>${sheets.map((sheet) => {
    const left = undecided(desk, sheet);
    return html`<button key=${sheet.index} type="button" role="tab" class="sheet-tab" aria-selected=${String(sheet.index === index)} aria-controls="sheet-body" tabindex=${sheet.index === index ? 0 : -1} onClick=${() => { desk.sheet.value = sheet.index; }}>
      ${sheet.name || `Sheet ${sheet.index + 1}`}${sheet.hidden && html` <span class="muted">(${words(sheet.hidden)})</span>`}${left > 0 && html` <span class="left" title=${`${left.toLocaleString()} to decide`}>${left.toLocaleString()}<span class="unseen"> to decide</span></span>`}</button>`;
  })}</div>`;
}

const NO_HITS = new Map();

/** Hits of the search by sheet and row. */
function hitsOf(found) {
  const sheets = new Map();
  for (const hit of found?.places ?? NONE) {
    if (hit.sheet === null || hit.sheet === undefined || !hit.row || hit.marked) continue;
    if (!sheets.has(hit.sheet)) sheets.set(hit.sheet, new Map());
    const rows = sheets.get(hit.sheet);
    if (!rows.has(hit.row)) rows.set(hit.row, []);
    rows.get(hit.row).push({ ...hit, id: undefined, status: "hit" });
  }
  return sheets;
}

const KEPT = new WeakMap(); // by desk: what is known of the sheets outlives their drawing

/** The sheets of a document. It fills what it stands in, which must have a height. */
export function Grid({ desk }) {
  if (!KEPT.has(desk)) KEPT.set(desk, { blocks: new Blocks(desk), views: new Map(), hits: computed(() => hitsOf(desk.tab.value === "search" ? desk.found.value : null)) });
  const { blocks, views, hits } = KEPT.get(desk);
  const { sheets } = desk.outline.value;
  const index = Math.min(desk.sheet.value, sheets.length - 1);
  const sheet = sheets[index];
  useEffect(() => { desk.seen.value = index + 1; }, [index]);
  useEffect(() => effect(() => {
    const target = desk.target.value;
    if (target && target !== blocks.shown && sheets[target.sheet]) desk.sheet.value = target.sheet;
  }), [desk]);
  if (!views.has(index)) views.set(index, new View(sheet));
  return html`<div class="sheets">
    ${sheets.length > 1 && html`<${Tabs} desk=${desk} sheets=${sheets} index=${index} />`}
    <${Sheet} key=${index} tabbed=${sheets.length > 1} desk=${desk} blocks=${blocks} sheet=${sheet} view=${views.get(index)} hits=${hits.value.get(index) ?? NO_HITS} />
  </div>`;
}
