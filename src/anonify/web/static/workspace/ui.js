// What every part of the workspace draws with.

import { h } from "preact";
import htm from "htm";

export { Component, Fragment, createRef, render } from "preact";
export { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
export { batch, computed, effect, signal } from "@preact/signals";

export const html = htm.bind(h);

export const still = matchMedia("(prefers-reduced-motion: reduce)");
export const narrow = matchMedia("(max-width: 900px)");

/** Text as a person reads it in one line. */
export const clean = (text) => text.replace(/[\s\u00ad\u200b-\u200f]+/g, " ").trim();

/** A letter as sheets name their columns: 1 is A, 27 is AA. */
export function letters(column) {
  let name = "";
  for (let left = column; left > 0; left = Math.floor((left - 1) / 26)) name = String.fromCharCode(65 + ((left - 1) % 26)) + name;
  return name;
}
