// One decision on a value for more than this place: here, in the batch, always, or never. Each says first what it reaches.

import { words } from "../dom.js";
import { LONGEST, Told, enough, refused } from "./asked.js";
import { Modal } from "./parts.js";
import { openRules } from "./rule-draft.js";
import { preview, reached, unseen } from "./rule-form.js";
import { clean, html, useEffect, useRef, useState } from "./ui.js";

/** The acts with their own letters, in the order they are drawn and looked up. */
const ACTS = [
  { key: "h", scope: "document", action: "redact", label: "Here: everywhere in this document" },
  { key: "b", scope: "batch", action: "redact", label: "In the whole batch" },
  { key: "a", scope: "global", action: "redact", label: "Always: in every document, also those to come" },
  { key: "d", scope: "document", action: "keep", label: "Never in this document" },
  { key: "t", scope: "batch", action: "keep", label: "Never in the whole batch" },
  { key: "e", scope: "global", action: "keep", label: "Never, in any document" },
];

const GROUPS = [["redact", "Redact it", null], ["keep", "Never suggest it", "This is the requester's own name, say: it may stay. What you accepted yourself stays accepted."]];

const rule = ({ action }, pattern) => ({ kind: "literal", pattern, matchCase: false, wholeWord: true, action });

function reach({ action, scope }, tried) {
  if (!tried) return "looking…";
  if (tried.failed) return tried.failed;
  if (!tried.count) return action === "keep" ? "nothing undecided now" : "stands nowhere yet";
  return action === "keep" ? `holds back ${reached(tried, scope)}` : reached(tried, scope);
}

/** Looks up, one after the other, what each act would reach; a dialog that is closed asks no more. */
function useReaches(desk, acts, pattern) {
  const [known, setKnown] = useState({});
  useEffect(() => {
    let wanted = true;
    const look = async () => {
      for (const act of acts) {
        let tried;
        try {
          tried = await preview(desk, act.scope, rule(act, pattern));
        } catch (failure) {
          tried = { failed: refused(failure, "literal") };
        }
        if (!wanted) return;
        setKnown((last) => ({ ...last, [act.key]: tried }));
      }
    };
    if (acts.length) look();
    return () => { wanted = false; };
  }, []);
  return known;
}

/** The value that the dialog is about: what is selected, or the value in hand. It stays the same while the dialog is open. */
function inQuestion(desk) {
  const text = clean(desk.choice.peek()?.value ?? desk.inHand.peek()?.value ?? "");
  const hand = clean(desk.inHand.peek()?.value ?? "") === text ? desk.inHand.peek() : null;
  return { text, category: hand?.category ?? "other", reason: hand?.reason ?? null };
}

export function Wider({ desk }) {
  const [{ text, category, reason }] = useState(() => inQuestion(desk));
  const [busy, setBusy] = useState(null);
  const box = useRef();
  const possible = enough({ kind: "literal", text }) && [...text].length <= LONGEST;
  const acts = possible ? ACTS.filter(({ scope }) => scope !== "batch" || desk.row.value.batchId) : [];
  const known = useReaches(desk, acts, text);
  const close = () => { desk.dialog.value = null; };
  const act = async (one) => {
    if (busy) return;
    setBusy(one.key);
    desk.notice.value = null;
    const made = await desk.rule(one.scope, one.action, text, one.action === "redact" ? { category, ...(reason ? { reason } : {}) } : {});
    setBusy(null);
    if (made && box.current) close(); // it may have been closed, and another opened, meanwhile
  };
  // On the dialog itself: the focus may stand on its head or on any of its buttons.
  useEffect(() => {
    const dialog = box.current.closest("dialog");
    const pressed = (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.repeat) return;
      const one = acts.find(({ key }) => key === event.key);
      if (!one) return;
      event.preventDefault();
      act(one);
    };
    dialog.addEventListener("keydown", pressed);
    return () => dialog.removeEventListener("keydown", pressed);
  });
  const blind = Object.values(known).map((tried) => (tried.failed ? null : unseen(tried))).find(Boolean);
  return html`<${Modal} title="Decide for more than this" close=${close}>
    <div class="wider" ref=${box}>
      <${Told} desk=${desk} />
      ${possible ? html`<p><span class="wider-value">${text}</span> <span class="muted">${words(category)}</span></p>` : html`<p>${text ? "This value is too short or too long for a rule." : "Select text or take up a value first. What is not text has no other places."}</p>`}
      ${possible && GROUPS.map(([action, name, why]) => html`<section key=${action} aria-labelledby=${`wider-${action}`}><h3 id=${`wider-${action}`}>${name}</h3>
        ${why && html`<p class="muted">${why}</p>`}
        <div class="wider-acts">${acts.filter((one) => one.action === action).map((one) => html`<button key=${one.key} type="button" class="button wider-act" data-act=${one.key} aria-keyshortcuts=${one.key} disabled=${busy !== null} onClick=${() => act(one)}>
          <kbd>${one.key}</kbd><span>${one.label}</span><span class="reach">${busy === one.key ? "working…" : reach(one, known[one.key])}</span></button>`)}</div></section>`)}
      ${blind && html`<p class="notice warn">${blind}</p>`}
      ${possible && html`<p class="dialog-foot"><span class="muted">Every spelling counts: other spaces, line breaks, capitals.</span><button type="button" class="button small" disabled=${busy !== null} onClick=${() => openRules(desk, { kind: "literal", pattern: text, category, reason: reason ?? "" })}>As a rule…</button></p>`}
    </div>
  <//>`;
}
