// The whole list: filtered, searched, a stretch at a time.

import { $ } from "./dom.js";
import { worklist } from "./worklist.js";

const PAGE = 50;
const TYPING = 250;
const SHOWS = ["all", "working", "ready", "failed", "incomplete"];
const NONE = {
  all: "No documents yet. Whatever you add stands here until its time is over.",
  working: "Nothing is being worked on.",
  ready: "Nothing is ready yet.",
  failed: "Nothing failed.",
  incomplete: "Everything arrived whole.",
};

// The address holds what is shown, so Back, Reload and a bookmark work; but no part of a file's name: addresses are kept.
const asked = new URLSearchParams(location.search);
const state = { show: SHOWS.includes(asked.get("show")) ? asked.get("show") : "all", q: "", offset: Math.max(0, Number(asked.get("offset")) || 0) };
$("work-find").value = ""; // a browser fills it in again on Reload

const refresh = worklist(() => ({ show: state.show, q: state.q, offset: state.offset, limit: PAGE }), ({ items, total, matching, counts }) => {
  if (!items.length && state.offset > 0 && matching > 0) return go(Math.floor((matching - 1) / PAGE) * PAGE);
  for (const tab of $("work-tabs").children) {
    tab.setAttribute("aria-pressed", String(tab.dataset.show === state.show));
    tab.dataset.count = (counts[tab.dataset.show] ?? 0).toLocaleString();
  }
  $("empty").hidden = items.length > 0;
  $("empty").textContent = state.q && total ? `No name holds “${state.q}” here.` : NONE[state.show];
  $("work-pages").hidden = matching === 0;
  const range = matching <= PAGE ? `${matching.toLocaleString()} of ${total.toLocaleString()}` : `${(state.offset + 1).toLocaleString()}–${(state.offset + items.length).toLocaleString()} of ${matching.toLocaleString()}`;
  if ($("work-range").textContent !== range) $("work-range").textContent = range;
  for (const button of ["work-earlier", "work-later"]) $(button).hidden = matching <= PAGE;
  $("work-earlier").disabled = state.offset === 0;
  $("work-later").disabled = state.offset + items.length >= matching;
  return undefined;
});

function go(offset) {
  state.offset = Math.max(0, offset);
  const address = new URLSearchParams();
  if (state.show !== "all") address.set("show", state.show);
  if (state.offset && !state.q) address.set("offset", String(state.offset));
  history.replaceState(null, "", `/documents${address.size ? `?${address}` : ""}`);
  return refresh();
}

async function turn(offset) {
  await go(offset);
  $("documents-title").scrollIntoView({ block: "nearest" });
}

for (const tab of $("work-tabs").children) {
  tab.addEventListener("click", () => { state.show = tab.dataset.show; go(0); });
}
$("work-earlier").addEventListener("click", () => turn(state.offset - PAGE));
$("work-later").addEventListener("click", () => turn(state.offset + PAGE));
let typing;
$("work-find").addEventListener("input", (event) => {
  clearTimeout(typing);
  typing = setTimeout(() => { state.q = event.target.value.trim(); go(0); }, TYPING);
});
