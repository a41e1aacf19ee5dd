// Every act and its key, in one table: the shortcut sheet, the buttons' hints and the listener all read it.

import { takeFocus } from "./focus.js";

/**
 * Keys are written as they are pressed: "a", "A" with Shift, "mod+z" for Ctrl or Command. Nothing here deletes, and what
 * a bare key decides can be undone.
 */
export const COMMANDS = [
  { id: "accept", keys: ["a"], group: "Decide", label: "Accept the value and go on", run: (desk) => desk.decide(desk.status.value === "accepted" ? "suggested" : "accepted") },
  { id: "ignore", keys: ["x"], group: "Decide", label: "Ignore the value and go on", run: (desk) => desk.decide(desk.status.value === "rejected" ? "suggested" : "rejected") },
  { id: "back", keys: ["u"], group: "Decide", label: "Put the value back to decide", run: (desk) => desk.decide("suggested") },
  { id: "accept-here", keys: ["s"], group: "Decide", label: "Accept the value at this place only", run: (desk) => desk.decideHere("accepted") },
  { id: "ignore-here", keys: ["d"], group: "Decide", label: "Ignore the value at this place only", run: (desk) => desk.decideHere("rejected") },
  { id: "accept-all", keys: ["A"], group: "Decide", label: "Accept all that are listed…", run: (desk) => desk.decideAll("accepted") },
  { id: "ignore-all", keys: ["X"], group: "Decide", label: "Ignore all that are listed…", run: (desk) => desk.decideAll("rejected") },
  { id: "wider", keys: ["w"], group: "Decide", label: "Decide for the batch, always, or never…", run: (desk) => { desk.dialog.value = "wider"; } },
  { id: "category", keys: ["c"], group: "Decide", label: "Change the category", focus: "hand-category" },
  { id: "method", keys: ["m"], group: "Decide", label: "Choose what becomes of the value", focus: "hand-method" },
  { id: "code", keys: ["o"], group: "Decide", label: "Give a reason or exemption code", focus: "hand-code" },
  { id: "undo", keys: ["mod+z", "z"], group: "Decide", label: "Undo", run: (desk) => desk.undo() },
  { id: "redo", keys: ["mod+Z", "mod+y", "Z"], group: "Decide", label: "Redo", run: (desk) => desk.redo() },

  { id: "next", keys: ["n", "j", "ArrowDown"], group: "Go", label: "Next value", run: (desk) => desk.step(1) },
  { id: "previous", keys: ["p", "k", "ArrowUp"], group: "Go", label: "Previous value", run: (desk) => desk.step(-1) },
  { id: "next-place", keys: ["."], group: "Go", label: "Next place of the value", run: (desk) => desk.place(1) },
  { id: "previous-place", keys: [","], group: "Go", label: "Previous place of the value", run: (desk) => desk.place(-1) },
  { id: "next-page", keys: ["]"], group: "Go", label: "Next page or sheet", run: (desk) => desk.turn(1) },
  { id: "previous-page", keys: ["["], group: "Go", label: "Previous page or sheet", run: (desk) => desk.turn(-1) },
  { id: "go-to", keys: ["g"], group: "Go", label: "Go to a page", focus: "page-number" },
  { id: "next-document", keys: ["N"], group: "Go", label: "Next document of the batch with undecided values", run: (desk) => desk.nextDocument() },
  { id: "pane", keys: ["F6"], group: "Go", label: "From the list to the document and back", run: (desk) => desk.swap() },

  { id: "redact", keys: ["r"], group: "Redact by hand", label: "Redact the selection here", run: (desk) => desk.redact() },
  { id: "everywhere", keys: ["e"], group: "Redact by hand", label: "Redact the selected text everywhere", run: (desk) => desk.redact({ everywhere: true }) },
  { id: "every-page", keys: ["E"], group: "Redact by hand", label: "Repeat the drawn region on every page", run: (desk) => desk.redact({ everyPage: true }) },
  { id: "keep-only", keys: ["K"], group: "Redact by hand", label: "Keep only the selection on its page…", run: (desk) => desk.keepOnly() },
  { id: "add", keys: ["i"], group: "Redact by hand", label: "Add a value by typing it", focus: "by-hand-value" },

  { id: "search", keys: ["/", "mod+f"], group: "Find", label: "Search this document", run: (desk) => { desk.tab.value = "search"; desk.pane.value = "found"; }, focus: "search-query" },
  { id: "filter", keys: ["f"], group: "Find", label: "Filter the list", run: (desk) => { desk.tab.value = "values"; }, focus: "filter-q" },
  { id: "to-decide", keys: ["1"], group: "Find", label: "List what is to be decided", run: (desk) => desk.show("suggested") },
  { id: "accepted", keys: ["2"], group: "Find", label: "List what is accepted", run: (desk) => desk.show("accepted") },
  { id: "ignored", keys: ["3"], group: "Find", label: "List what is ignored", run: (desk) => desk.show("rejected") },
  { id: "rules", keys: ["l"], group: "Find", label: "Rules…", run: (desk) => { desk.dialog.value = "rules"; } },

  { id: "picture", keys: ["v"], group: "Show", label: "Picture or text of the page", run: (desk) => { desk.picture.value = !desk.picture.value; } },
  { id: "compare", keys: ["b"], group: "Show", label: "Before and after", run: (desk) => { desk.dialog.value = "compare"; } },
  { id: "export", keys: ["mod+Enter"], group: "Show", label: "Export…", run: (desk) => { desk.dialog.value = "export"; } },
  { id: "keys", keys: ["?"], group: "Show", label: "This list", run: (desk) => { desk.dialog.value = "keys"; } },
  { id: "close", keys: ["Escape"], group: "Show", label: "Let go of a selection, close what is open", run: (desk) => desk.letGo() },
];

const byKey = new Map(COMMANDS.flatMap((command) => command.keys.map((key) => [key, command])));
const byId = new Map(COMMANDS.map((command) => [command.id, command]));

const apple = /Mac|iP(hone|ad)/.test(navigator.platform);

/** A key as people read it. */
export function shown(key) {
  if (key.startsWith("mod+")) {
    const rest = key.slice(4);
    const shift = /^[A-Z]$/.test(rest) ? "Shift " : "";
    return `${apple ? "⌘" : "Ctrl"} ${shift}${rest.length === 1 ? rest.toUpperCase() : rest}`;
  }
  if (/^[A-Z]$/.test(key)) return `Shift ${key}`;
  return { ArrowDown: "↓", ArrowUp: "↑", Escape: "Esc" }[key] ?? key;
}

/** How assistive technology is told of a key (WAI-ARIA aria-keyshortcuts). */
export const spoken = (id) => byId.get(id).keys.map((key) => key.replace("mod+", "Control+").replace(/^([A-Z])$/, "Shift+$1")).join(" ");

export const command = (id) => byId.get(id);

export function run(desk, id) {
  const found = byId.get(id);
  const result = found.run?.(desk);
  if (found.focus) giveFocus(found.focus);
  return result;
}

let awaited = null; // letters typed for a field that is not drawn yet

/** What is to have the focus may only now be drawn; what is typed until then is meant for it, and is no act. */
function giveFocus(id) {
  awaited = "";
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const element = document.getElementById(id);
    const typed = awaited ?? "";
    awaited = null;
    element?.focus();
    element?.select?.();
    if (!typed || element?.tagName !== "INPUT") return;
    element.value = typed;
    element.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }));
}

const TYPING = "input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]";

/** Listen for the table's keys as long as the page stands. */
export function listen(desk) {
  addEventListener("keydown", (event) => {
    if (event.altKey || event.defaultPrevented || event.isComposing) return;
    const mod = event.ctrlKey || event.metaKey;
    if (awaited !== null && !mod && event.key.length === 1) {
      awaited += event.key;
      event.preventDefault();
      return;
    }
    const found = byKey.get(`${mod ? "mod+" : ""}${event.key}`);
    if (!found) return;
    const typing = event.target.closest?.(TYPING);
    // A dialog has its own keys, also while it is still being drawn.
    if (desk.dialog.peek() || desk.confirm.peek() || document.querySelector("dialog[open]")) return;
    if (typing && !["mod+Enter", "mod+f"].includes(`${mod ? "mod+" : ""}${event.key}`)) {
      if (event.key === "Escape") takeFocus();
      return;
    }
    if (event.key.startsWith("Arrow") && event.target.closest?.("[data-own-arrows]")) return;
    event.preventDefault();
    run(desk, found.id);
  });
}
