// Redactions grouped by value: one decision for all places where it stands.

import { announce, h, plural, words } from "./dom.js";

const UNDO = { accepted: "Undo", rejected: "Undo" };

/** Groups of one status: by category, then by how often the value stands; a person's forms follow the fullest one. */
export function grouped(list, status) {
  const groups = new Map();
  for (const item of list) {
    if (item.status !== status) continue;
    const key = `${item.category}:${item.groupKey ?? item.id}`;
    const group = groups.get(key) ?? { key, category: item.category, person: item.personKey ?? key, items: [] };
    group.form = group.person !== key && group.person !== item.groupKey;
    group.items.push(item);
    groups.set(key, group);
  }
  const sizes = new Map();
  for (const group of groups.values()) sizes.set(group.person, (sizes.get(group.person) ?? 0) + group.items.length);
  const found = [...groups.values()].sort((a, b) => a.category.localeCompare(b.category)
    || sizes.get(b.person) - sizes.get(a.person) || a.person.localeCompare(b.person)
    || a.form - b.form || b.items.length - a.items.length);
  found.forEach((group, at) => { group.form &&= found[at - 1]?.person === group.person; }); // the fullest may be decided
  return found;
}

const clean = (text) => text.replace(/[\s\u00ad\u200b-\u200f]+/g, " ");

function context(item) {
  if (item.before === null || item.before === undefined) return null;
  // Whole words only: a cut one reads like a mistake in the document.
  const before = clean(item.before).slice(-33).replace(/^\S*\s(?=.)/, "");
  const after = clean(item.after ?? "").slice(0, 33).replace(/(?<=.)\s\S*$/, "");
  return h("p", { class: "context" }, before, h("b", {}, clean(item.value ?? "")), after);
}

function named(item, sheets) {
  if (item.value !== null && item.value.trim()) return clean(item.value).trim();
  if (item.box) return "Region";
  if (item.row === null && item.column !== null) return `Column ${sheets[item.sheet]?.header[item.column - 1] || item.column}`;
  return item.row === null ? "Place" : `Row ${item.row}`;
}

function place(group) {
  const { row, column } = group.items[0];
  if (row === null && column !== null) return "the whole column";
  const rows = [...new Set(group.items.map((item) => item.row).filter(Boolean))];
  if (rows.length > 0) return `${plural(group.items.length, "place")}, ${rows.length === 1 ? `row ${rows[0].toLocaleString()}` : plural(rows.length, "row")}`;
  const pages = [...new Set(group.items.map((item) => item.page).filter(Boolean))];
  const where = pages.length === 0 ? "" : pages.length === 1 ? `page ${pages[0]}` : `${pages.length} pages`;
  return [plural(group.items.length, "place"), where].filter(Boolean).join(", ");
}

function sure(item) {
  if (item.origin === "person") return "by hand";
  if (item.origin === "rule") return "by rule";
  return item.status === "accepted" ? "" : item.certainty ?? "";
}

/** Of several places the one it was found at with the most certainty: the others were found because of it. */
const surest = (items) => items.reduce((best, item) => ((item.confidence ?? 0) > (best.confidence ?? 0) ? item : best));

const reason = (item) => (item.origin === "detection" ? item.explanation : null);

function card(group, status, acts, sheets) {
  const first = group.items[0];
  const value = named(first, sheets);
  const why = reason(surest(group.items));
  const button = (label, to, style) => h("button", {
    class: `button small ${style}`, type: "button", "aria-label": `${label} ${value}, ${plural(group.items.length, "place")}`,
    onclick: (event) => { event.stopPropagation(); acts.decide(group.items, to, status); },
  }, label);
  let at = -1;
  return h("article", { class: `group ${status}${group.form ? " form" : ""}`, tabindex: "0", "data-key": group.key, "aria-label": `${value}, ${words(group.category)}, ${place(group)}`,
    "aria-description": why,
    onclick: () => { at = (at + 1) % group.items.length; acts.show(group.items[at]); },
    onkeydown: (event) => { if (event.key === "Enter" && event.target === event.currentTarget) event.currentTarget.click(); } },
    h("div", { class: "group-text" },
      h("p", { class: "group-value" }, value),
      why && h("p", { class: "reason" }, why),
      context(first),
      h("p", { class: "muted" }, [place(group), sure(surest(group.items))].filter(Boolean).join(" · "))),
    h("div", { class: "group-acts" }, status === "suggested"
      ? [button("Accept", "accepted", "primary"), button("Ignore", "rejected", "")]
      : button(UNDO[status], "suggested", "")));
}

/** Everything that is left, at a second press within five seconds. */
function everything(groups, acts) {
  const all = groups.flatMap((group) => group.items);
  const label = `Accept everything left (${all.length.toLocaleString()})`;
  let sure = false;
  return h("button", { class: "button small everything", type: "button",
    onclick: (event) => {
      const button = event.currentTarget;
      if (sure) return acts.decide(all, "accepted", "suggested");
      sure = true;
      button.textContent = `Press again to accept ${plural(all.length, "place")} of ${plural(groups.length, "value")}`;
      button.classList.add("primary");
      announce(button.textContent);
      setTimeout(() => { sure = false; button.textContent = label; button.classList.remove("primary"); }, 5000);
      return undefined;
    } }, label);
}

/** Fill `container` with the groups of the chosen status. */
export function drawGroups(container, state, acts) {
  const groups = grouped(state.list, state.filter);
  if (groups.length === 0) {
    container.replaceChildren(h("p", { class: "muted none" }, empty(state)));
    return;
  }
  const shown = [];
  if (state.filter === "suggested") shown.push(everything(groups, acts));
  let category = null;
  for (const group of groups.slice(0, state.limit)) {
    if (group.category !== category) {
      category = group.category;
      const all = groups.filter((other) => other.category === category).flatMap((other) => other.items);
      shown.push(h("div", { class: "category" }, h("h3", {}, words(category)),
        state.filter === "suggested" && h("button", { class: "button small", type: "button", "aria-label": `Accept all ${plural(all.length, "place")} of ${words(category)}`,
          onclick: () => acts.decide(all, "accepted", "suggested") }, `Accept all ${all.length.toLocaleString()}`)));
    }
    shown.push(card(group, state.filter, acts, state.outline.sheets));
  }
  if (groups.length > state.limit) {
    shown.push(h("button", { class: "button", type: "button", onclick: () => { state.limit += 300; drawGroups(container, state, acts); } },
      `Show more (${(groups.length - state.limit).toLocaleString()} values)`));
  }
  container.replaceChildren(...shown);
}

function empty(state) {
  if (state.filter === "accepted") return "Nothing accepted yet. Accept a suggestion, select text, or add a value above.";
  if (state.filter === "rejected") return "Nothing ignored.";
  return state.list.length
    ? "Everything is decided. Read the text once more before you export."
    : "Nothing was found. That is no proof that nothing is there: read the text, select what must go, or add a value above.";
}

/** Put the focus on the group that holds a redaction. */
export function focusGroup(item) {
  const key = `${item.category}:${item.groupKey ?? item.id}`;
  document.querySelector(`#groups .group[data-key="${CSS.escape(key)}"]`)?.focus();
}
