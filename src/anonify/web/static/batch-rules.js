// One decision for all: values redacted everywhere, and suggestions accepted by category and certainty.

import { call, patiently, post } from "./api.js";
import { $, announce, h, notice, plural, words } from "./dom.js";

let state = null;
let looking = null;

/** Take up a batch. `changed` asks for it anew, `say` tells what was done. */
export function openRules({ id, changed, say }) {
  state = { id, changed, say, drawn: "", asked: "", would: 0, sure: false };
  $("rule").reset();
  $("rule-found").textContent = "";
  $("rules").replaceChildren();
  $("accept").textContent = "Accept";
  $("accept").disabled = true;
}

const path = (rest) => `/api/batches/${state.id}/${rest}`;

export function drawRules(answer) {
  state.answer = answer;
  drawCategories();
  drawAccept();
  const told = JSON.stringify(answer.rules);
  if (told === state.drawn) return;
  state.drawn = told;
  $("rules").replaceChildren(...answer.rules.map(rule));
}

function rule(row) {
  const named = row.kind === "regex" ? `/${row.pattern}/` : row.pattern;
  return h("li", { class: row.enabled ? "" : "off" },
    h("label", { class: "check" },
      h("input", { type: "checkbox", checked: row.enabled, onchange: (event) => act(() => call("PATCH", path(`rules/${row.id}`), { enabled: event.target.checked }), event.target.checked ? "Switched on" : "Switched off") }),
      h("span", {}, h("b", {}, named), h("span", { class: "muted" }, reach(row)))),
    h("button", { class: "button small", type: "button", "aria-label": `Remove the rule for ${named}`, onclick: () => act(() => call("DELETE", path(`rules/${row.id}`)), "Rule removed") }, "Remove"));
}

function reach({ action, category, enabled, places, documents, pending }) {
  if (action === "keep") {
    const held = places ? `${plural(places, "place")} in ${plural(documents, "document")} held back` : "holds nothing back yet";
    return ["never suggested", enabled ? held : "off", enabled && pending && `${plural(pending, "document")} to go`].filter(Boolean).join(" · ");
  }
  if (!enabled) return `${words(category)} · off`;
  const where = places ? `${plural(places, "place")} in ${plural(documents, "document")}` : "stands nowhere yet";
  return [words(category), where, pending && `${plural(pending, "document")} to go`].filter(Boolean).join(" · ");
}

/** Do something to the batch, say how it went, and show the batch as it is now. */
async function act(call_, done) {
  const mine = state;
  notice(null);
  mine.say(null);
  try {
    const answer = await patiently(call_);
    if (state !== mine) return null;
    mine.say(typeof done === "function" ? done(answer) : done);
    mine.changed();
    return answer ?? true;
  } catch (failure) {
    if (state === mine) { mine.drawn = ""; notice(failure.message); mine.changed(); }
    return null;
  }
}

$("rule").addEventListener("submit", async (event) => {
  event.preventDefault();
  const pattern = $("rule-value").value.trim();
  if (!pattern || !state) return;
  const category = $("rule-category").value;
  clearTimeout(looking);
  $("rule-found").textContent = "Looking through every document…";
  const made = await act(() => post(path("rules"), { pattern, ...(category ? { category } : {}) }), applied);
  $("rule-found").textContent = "";
  if (made) $("rule-value").value = "";
});

const applied = ({ documents, places, pending }) => `Accepted at ${plural(places, "place")} in ${plural(documents, "document")}. ${pending ? `${plural(pending, "document")} to go.` : "Documents still being read get it too."}`;

// Where a value stands, told while it is typed.
$("rule-value").addEventListener("input", () => {
  clearTimeout(looking);
  $("rule-found").textContent = "";
  const mine = state;
  const value = $("rule-value").value.trim();
  if (value.length < 3) return;
  looking = setTimeout(async () => {
    const found = await post(`/api/batches/${mine.id}/search`, { query: value, wholeWord: true }).catch(() => null);
    if (state !== mine || !found || $("rule-value").value.trim() !== value) return;
    const where = `Shown at ${found.next === null ? "" : "more than "}${plural(found.total, "place")} in ${plural(found.documents.length, "document")}.`;
    $("rule-found").textContent = found.total || found.next !== null ? where : "No document that has been read shows it.";
  }, 500);
});

function drawCategories() {
  const select = $("accept-category");
  const have = new Set(Object.keys(state.answer.suggested ?? {}));
  const shown = [...select.options].slice(1).map((option) => option.value);
  if (have.size === shown.length && shown.every((name) => have.has(name))) return;
  const kept = select.value;
  select.replaceChildren(h("option", { value: "" }, "all"), ...[...have].sort().map((name) => h("option", { value: name }, words(name))));
  select.value = have.has(kept) ? kept : "";
}

function choice() {
  const category = $("accept-category").value;
  return { ...(category ? { categories: [category] } : {}), minConfidence: Number($("accept-confidence").value) };
}

/** Ask how many the button would accept; a question already answered is not asked again. */
async function drawAccept() {
  const mine = state;
  const asked = JSON.stringify([choice(), mine.answer.suggested, mine.answer.suggestions]);
  if (mine.asked === asked) return;
  mine.asked = asked;
  mine.sure = false;
  $("accept").disabled = true;  // until it says how many: a press now would answer for another number
  const answer = mine.answer.suggestions ? await post(path("accept"), { ...choice(), dryRun: true }).catch(() => null) : { accepted: 0, documents: 0 };
  if (state !== mine || mine.asked !== asked) return;
  if (!answer) {
    mine.asked = "";
    $("accept").disabled = mine.would === 0;
    return;
  }
  mine.would = answer.accepted;
  $("accept").classList.remove("primary");
  $("accept").disabled = answer.accepted === 0;
  $("accept").textContent = answer.accepted ? `Accept ${plural(answer.accepted, "suggestion")} in ${plural(answer.documents, "document")}` : "Nothing to accept";
}

for (const id of ["accept-category", "accept-confidence"]) {
  $(id).addEventListener("change", () => { if (state?.answer) drawAccept(); });
}

// A second press within five seconds, because it decides for every document at once.
$("accept").addEventListener("click", async () => {
  const mine = state;
  const button = $("accept");
  if (!mine.sure) {
    mine.sure = true;
    const before = button.textContent;
    button.textContent = `Press again to accept ${plural(mine.would, "suggestion")}`;
    button.classList.add("primary");
    announce(button.textContent);
    setTimeout(() => {
      if (state !== mine || !mine.sure) return;
      mine.sure = false;
      button.textContent = before;
      button.classList.remove("primary");
    }, 5000);
    return;
  }
  mine.sure = false;
  button.disabled = true;
  button.classList.remove("primary");
  mine.asked = "";
  await act(() => post(path("accept"), choice()), (answer) => `${plural(answer.accepted, "suggestion")} accepted in ${plural(answer.documents, "document")}`);
});
