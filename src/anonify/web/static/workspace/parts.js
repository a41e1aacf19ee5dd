// Small parts that several places of the workspace draw.

import { command, run, shown, spoken } from "./keys.js";
import { html, useLayoutEffect, useRef } from "./ui.js";

/** A button for an act of the table: it carries the act's key and its name. */
export function Act({ desk, id, children, primary, small = true, disabled, pressed, label }) {
  const { label: name, keys } = command(id);
  return html`<button type="button" class=${`button ${small ? "small" : ""} ${primary ? "primary" : ""}`} disabled=${disabled} aria-pressed=${pressed}
    aria-label=${label} aria-keyshortcuts=${spoken(id)} title=${`${name} (${shown(keys[0])})`} onClick=${() => run(desk, id)}>${children ?? name}</button>`;
}

/** A native dialog that gives the focus back where it was. */
export function Modal({ title, close, children, wide }) {
  const box = useRef();
  const before = useRef();
  useLayoutEffect(() => {
    before.current = document.activeElement;
    box.current.showModal();
    return () => before.current?.isConnected && before.current.focus();
  }, []);
  return html`<dialog ref=${box} class=${wide ? "wide" : ""} aria-labelledby="dialog-title" onClose=${close} onCancel=${(event) => { event.preventDefault(); close(); }}>
    <div class="dialog-head"><h2 id="dialog-title" tabindex="-1">${title}</h2><button type="button" class="button small" onClick=${close}>Close <kbd>Esc</kbd></button></div>
    ${children}
  </dialog>`;
}

export function Choice({ id, label, value, options, change, hideLabel }) {
  return html`<label class=${`choice ${hideLabel ? "bare" : ""}`} for=${id}><span class=${hideLabel ? "unseen" : ""}>${label}</span>
    <select id=${id} value=${value} onChange=${(event) => change(event.target.value)}>
      ${options.map(([key, name]) => html`<option key=${key} value=${key} selected=${key === value}>${name}</option>`)}
    </select></label>`;
}

export function Check({ label, checked, change, id }) {
  return html`<label class="check"><input type="checkbox" id=${id} checked=${checked} onChange=${(event) => change(event.target.checked)} /><span>${label}</span></label>`;
}
