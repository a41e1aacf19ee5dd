// The sheet of keys, made of the table of acts: it cannot say anything else than what the keys do.

import { COMMANDS, shown } from "./keys.js";
import { Modal } from "./parts.js";
import { html, useState } from "./ui.js";

/** The acts that a word or a key names, by group in the table's order. */
export function grouped(query) {
  const wanted = query.trim();
  const fits = ({ keys, label, group }) => !wanted || `${label} ${group}`.toLowerCase().includes(wanted.toLowerCase())
    || keys.some((key) => key === wanted || shown(key).toLowerCase() === wanted.toLowerCase());
  const groups = new Map();
  for (const command of COMMANDS.filter(fits)) groups.set(command.group, [...(groups.get(command.group) ?? []), command]);
  return [...groups];
}

const Keys = ({ keys }) => keys.map((key, at) => html`${at > 0 && html` <span class="muted">or</span> `}<kbd key=${key}>${shown(key)}</kbd>`);

export function Shortcuts({ desk }) {
  const [query, setQuery] = useState("");
  const groups = grouped(query);
  const count = groups.reduce((sum, [, commands]) => sum + commands.length, 0);
  return html`<${Modal} title="Keys" wide close=${() => { desk.dialog.value = null; }}>
    <div class="shortcuts">
      <label class="choice" for="keys-query"><span>Find a key or what it does</span>
        <input id="keys-query" type="search" autocomplete="off" autofocus value=${query} onInput=${(event) => setQuery(event.target.value)} /></label>
      <p class="muted" role="status">${query.trim() ? (count ? `${count} found.` : "No key does that.") : "A bare key works while no field is being typed in. What it decides can be undone."}</p>
      <div class="shortcut-groups">${groups.map(([group, commands]) => html`<section key=${group} aria-label=${group}><h3>${group}</h3>
        <dl>${commands.map((command) => html`<div key=${command.id}><dt><${Keys} keys=${command.keys} /></dt><dd>${command.label}</dd></div>`)}</dl></section>`)}</div>
    </div>
  <//>`;
}
