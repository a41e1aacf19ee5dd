// Pages and their marks, fetched when they come into view and kept while they are near.

import { get } from "../api.js";
import { signal } from "./ui.js";

const KEPT = 80;

export class Pages {
  constructor(desk) {
    this.desk = desk;
    this.known = new Map();
    this.stamp = desk.changed.value;
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
    if (entry.stamp !== this.desk.changed.value && !entry.asking) this.ask(number, entry);
    return entry.here;
  }

  async ask(number, entry) {
    entry.asking = true;
    const stamp = this.desk.changed.value;
    try {
      const { base } = this.desk;
      const [page, { marks }] = await Promise.all([entry.here.value.page ?? get(`${base}/content?page=${number}`), get(`${base}/marks?page=${number}`)]);
      entry.stamp = stamp;
      entry.here.value = { page, marks, failed: null };
    } catch (failure) {
      entry.stamp = stamp;
      entry.here.value = { ...entry.here.value, failed: failure.message };
    } finally {
      entry.asking = false;
      if (entry.stamp !== this.desk.changed.value && this.known.has(number)) this.ask(number, entry);
    }
  }
}
