// A list of any length of which only what is in view is drawn. Heights are measured, and kept by key.

import { Component, createRef, html, useEffect, useState } from "./ui.js";

const AROUND = 400; // pixels drawn above and below what is seen

const PASSING = 200; // milliseconds

let moved = -Infinity; // when something was last scrolled
addEventListener("scroll", () => { moved = performance.now(); }, { capture: true, passive: true });

/** Whether what is drawn stays: false for what is only scrolled past, so that nobody draws pictures that nobody sees. */
export function useStays() {
  const [stays, set] = useState(() => performance.now() - moved > PASSING);
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => set(true), PASSING);
    return () => clearTimeout(timer);
  }, []);
  return stays;
}

/** One drawn item, measured as long as it stands. */
class Item extends Component {
  constructor(props) {
    super(props);
    this.box = createRef();
  }

  componentDidMount() {
    this.element = this.box.current;
    this.props.watch.observe(this.element);
  }

  componentWillUnmount() {
    this.props.watch.unobserve(this.element);
  }

  render({ index, top, children }) {
    return html`<div ref=${this.box} class="virtual-item" data-index=${index} style=${{ top: `${top}px` }}>${children}</div>`;
  }
}

/**
 * Props: `count`, `keyOf(index)`, `estimate(index)` pixels, `render(index)`, `version` (anything that changes when the
 * items or their estimates do), `gap`, `onSeen(first, last)`, `keep` (an index that stays drawn: the one with the focus), and what the
 * scrolling element carries: `class`, `label`, `role`, `tabIndex`, `handle` (given this object).
 */
export class Virtual extends Component {
  constructor(props) {
    super(props);
    this.scroller = createRef();
    this.sizes = new Map(); // by key, of what was measured
    this.heights = []; // by index, of what there is now
    this.tops = [0];
    this.state = { first: 0, last: 0 };
    this.seen = "";
    this.wide = 0;
    this.watch = new ResizeObserver((entries) => this.measured(entries));
    this.scrolled = () => this.update();
    props.handle?.(this);
  }

  /** Heights of the items there are now: looked up when they change, not when they are scrolled. */
  lay() {
    const { count, keyOf, estimate } = this.props;
    const heights = new Array(count);
    for (let index = 0; index < count; index += 1) heights[index] = this.sizes.get(keyOf(index)) ?? estimate(index);
    this.heights = heights;
    this.tops = new Array(count + 1);
    this.tops[0] = 0;
    this.sum(0);
  }

  /** Tops of the items behind `from`. */
  sum(from) {
    const { heights, tops } = this;
    const gap = this.props.gap ?? 0;
    for (let index = from; index < heights.length; index += 1) tops[index + 1] = tops[index] + heights[index] + gap;
  }

  /** The item at a height. */
  at(y) {
    let low = 0;
    let high = Math.max(0, this.props.count - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle; else high = middle - 1;
    }
    return low;
  }

  componentWillMount() {
    this.lay();
  }

  componentDidMount() {
    const element = this.scroller.current;
    element.addEventListener("scroll", this.scrolled, { passive: true });
    this.resize = new ResizeObserver(() => {
      // Another width breaks lines elsewhere: what was measured holds no more.
      if (element.clientWidth !== this.wide) {
        this.wide = element.clientWidth;
        this.props.onWidth?.(this.wide);
      }
      this.lay();
      this.update(true);
    });
    this.resize.observe(element);
    this.update(true);
  }

  componentWillUnmount() {
    this.resize.disconnect();
    this.watch.disconnect();
  }

  componentWillReceiveProps(next) {
    const same = next.version === this.props.version && next.count === this.props.count;
    this.props = next;
    if (!same) this.lay();
  }

  componentDidUpdate() {
    this.update();
  }

  update(force = false) {
    const element = this.scroller.current;
    if (!element) return;
    const { scrollTop, clientHeight } = element;
    const first = this.at(Math.max(0, scrollTop - AROUND));
    const last = Math.min(this.props.count - 1, this.at(scrollTop + clientHeight + AROUND));
    if (force || first !== this.state.first || last !== this.state.last) this.setState({ first, last });
    const seen = `${this.at(scrollTop + 1)} ${this.at(scrollTop + clientHeight - 1)}`;
    if (seen !== this.seen && this.props.count > 0) {
      this.seen = seen;
      this.props.onSeen?.(...seen.split(" ").map(Number));
    }
  }

  measured(entries) {
    let shift = 0;
    let first = Infinity;
    const element = this.scroller.current;
    if (!element) return;
    for (const { target } of entries) {
      const index = Number(target.dataset.index);
      if (!target.isConnected || index >= this.props.count) continue;
      const key = this.props.keyOf(index);
      const height = target.offsetHeight;
      const before = this.heights[index];
      if (height === 0 || Math.abs(height - before) < 1) continue;
      this.sizes.set(key, height);
      this.heights[index] = height;
      first = Math.min(first, index);
      if (this.tops[index + 1] <= element.scrollTop) shift += height - before;
    }
    if (first === Infinity) return;
    this.sum(first);
    this.setState({}, () => {
      if (shift) element.scrollTop += shift; // what is read stays where it is
      this.update();
      this.aim?.();
    });
  }

  /** Scroll an item into view: `block` is `nearest`, `start` or `center`. */
  show(index, block = "nearest") {
    const element = this.scroller.current;
    if (!element || index < 0 || index >= this.props.count) return;
    const [top, bottom] = [this.tops[index], this.tops[index + 1]];
    const { scrollTop, clientHeight } = element;
    if (block === "start") element.scrollTop = top;
    else if (block === "center") element.scrollTop = (top + bottom - clientHeight) / 2;
    else if (top < scrollTop) element.scrollTop = top;
    else if (bottom > scrollTop + clientHeight) element.scrollTop = Math.min(top, bottom - clientHeight);
    this.update();
  }

  render(props, { first, last }) {
    const shown = [];
    for (let index = first; index <= last && index < props.count; index += 1) shown.push(index);
    if (props.keep >= 0 && props.keep < props.count && (props.keep < first || props.keep > last)) shown.push(props.keep);
    return html`<div ref=${this.scroller} class=${`virtual ${props.class ?? ""}`} role=${props.role} aria-label=${props.label} tabindex=${props.tabIndex} id=${props.id}>
      <div class="virtual-whole" style=${{ height: `${this.tops[props.count] ?? 0}px` }}>
        ${shown.map((index) => html`<${Item} key=${props.keyOf(index)} index=${index} top=${this.tops[index]} watch=${this.watch}>${props.render(index)}<//>`)}
      </div>
    </div>`;
  }
}
