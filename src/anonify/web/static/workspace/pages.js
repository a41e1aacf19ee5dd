// Pages and their marks, fetched when they come into view and kept while they are near.

import { get } from "../api.js";
import { signal } from "./ui.js";

const KEPT = 80;
const AT_ONCE = 3; // pages asked for

export class Pages {
  constructor(desk) {
    this.desk = desk;
    this.known = new Map();
    this.waiting = []; // numbers, the one looked at last behind the others
    this.flying = 0;
    this.shape = signal(null); // the first page that came, to guess the others by
  }

  /** A signal of { page, marks, failed }; all null until they are here. */
  of(number) {
    let entry = this.known.get(number);
    if (entry) {
      this.known.delete(number);
    } else {
      entry = { here: signal({ page: null, marks: [], failed: null }), stamp: -1 };
      for (const old of this.known.keys()) {
        if (this.known.size < KEPT) break;
        this.known.delete(old);
      }
    }
    this.known.set(number, entry);
    if (entry.stamp !== this.desk.changed.value && !entry.asking) this.want(number, entry);
    return entry.here;
  }

  /** The newest wish comes first, so that what is seen does not wait for what was scrolled past. */
  want(number, entry) {
    entry.asking = true;
    this.waiting.push(number);
    queueMicrotask(() => this.pump()); // none of this while something is drawn
  }

  /** A page is no longer drawn: what has not been asked for yet is not asked for. */
  leave(number) {
    if (!this.waiting.includes(number)) return;
    this.waiting = this.waiting.filter((one) => one !== number);
    const entry = this.known.get(number);
    if (entry) entry.asking = false;
  }

  pump() {
    this.waiting = this.waiting.filter((number) => this.known.has(number));
    while (this.flying < AT_ONCE && this.waiting.length) {
      const number = this.waiting.pop();
      this.ask(number, this.known.get(number));
    }
  }

  async ask(number, entry) {
    this.flying += 1;
    const stamp = this.desk.changed.value;
    try {
      const { base } = this.desk;
      const [page, { marks }] = await Promise.all([entry.here.value.page ?? get(`${base}/content?page=${number}`), get(`${base}/marks?page=${number}`)]);
      entry.stamp = stamp;
      this.shape.value ??= page;
      entry.here.value = { page, marks, failed: null };
    } catch (failure) {
      entry.stamp = stamp;
      entry.here.value = { ...entry.here.value, failed: failure.message };
    } finally {
      this.flying -= 1;
      entry.asking = false;
      if (entry.stamp !== this.desk.changed.value && this.known.get(number) === entry) this.want(number, entry);
      this.pump();
    }
  }
}
