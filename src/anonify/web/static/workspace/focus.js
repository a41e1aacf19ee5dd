// The focus never falls to nowhere: when what had it goes away, the value in hand takes it up.

import { effect } from "./ui.js";

const PLACES = [".value.current", ".values", ".inspector .tab[aria-pressed=true]", "#document", "[role=grid]", ".panes .tab[aria-pressed=true]"];

/** Give the focus to the first of these that is there to be seen. */
export function takeFocus() {
  for (const place of PLACES) {
    const element = document.querySelector(place);
    element?.focus({ preventScroll: true });
    if (element && element === document.activeElement) return;
  }
}

/** After every change that may have drawn away what had the focus, as long as the page stands. */
export function keepFocus(desk) {
  const causes = [desk.values, desk.current, desk.undoable, desk.redoable, desk.dialog, desk.confirm, desk.learned, desk.notice, desk.choice];
  effect(() => {
    for (const cause of causes) cause.value;
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (document.activeElement === document.body && !desk.choice.peek()) takeFocus();
    }));
  });
}
