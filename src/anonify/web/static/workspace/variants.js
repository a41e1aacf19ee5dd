// How an export is to look, and what that is called: names come from the choices, never from typing.

import { words } from "../dom.js";
import { METHODS, Meaning, everywhere, methodsOf, only } from "./methods.js";
import { Check, Choice } from "./parts.js";
import { html } from "./ui.js";

export const MOST = 4; // files of one export

const STYLES = { solid: "solid", blur: "blurred", pixelate: "pixelated" };

let made = 0;

/** A variant that is like none of `others`. */
export function another(others = []) {
  const fresh = { labels: false, keepMetadata: false, imageStyle: "solid", methods: {} };
  const tried = [fresh, { ...fresh, labels: true }, { ...fresh, keepMetadata: true }, { ...fresh, labels: true, keepMetadata: true }];
  const taken = new Set(others.map(nameOf));
  made += 1;
  return { id: made, ...(tried.find((one) => !taken.has(nameOf(one))) ?? fresh) };
}

/** A variant's name, such as “Categories written, pictures blurred”. */
export function nameOf({ labels, keepMetadata, imageStyle, methods }) {
  const parts = [labels ? "categories written" : "plain"];
  if (imageStyle !== "solid") parts.push(`pictures ${STYLES[imageStyle]}`);
  const one = only(methods);
  if (one) parts.push(METHODS[one].plural);
  else for (const [category, method] of Object.entries(methods).sort()) parts.push(`${words(category)} ${METHODS[method].plural}`);
  if (keepMetadata) parts.push("author and title kept");
  const name = parts.join(", ");
  return name[0].toUpperCase() + name.slice(1);
}

/** A variant as the server takes it. */
export const asRequest = ({ labels, keepMetadata, imageStyle, methods }) => ({ labels, keepMetadata, imageStyle, ...(Object.keys(methods).length ? { methods } : {}) });

function Methods({ id, given, variant, pictured, change }) {
  const set = (category, method) => {
    const methods = { ...variant.methods };
    if (method) methods[category] = method;
    else delete methods[category];
    change({ methods });
  };
  const one = only(variant.methods);
  const choices = [["", "marks (masked)"], ...["pseudonymize", "tokenize", "encrypt"].map((method) => [method, METHODS[method].plural])];
  return html`<${Choice} id=${`${id}-method`} label="In place of values" value=${one ?? "mixed"} options=${one === null ? [...choices, ["mixed", "by category"]] : choices} change=${(method) => { if (method !== "mixed") change({ methods: method ? everywhere(method) : {} }); }} />
    <${Meaning} methods=${variant.methods} id=${`${id}-meaning`} />
    ${pictured && Object.keys(variant.methods).length > 0 && html`<p class="muted">On pages that are pictures or PDF it is drawn on the bar, and cannot be turned back there.</p>`}
    <details class="variant-methods"><summary>By category</summary>
    <div class="variant-choices">${given.categories.filter((category) => methodsOf(category).length > 1).map((category) => html`<${Choice} key=${category} id=${`${id}-${category}`} label=${words(category)} value=${variant.methods[category] ?? ""}
      options=${[["", "as decided"], ...methodsOf(category).filter((method) => method !== "mask").map((method) => [method, METHODS[method].name])]} change=${(method) => set(category, method)} />`)}</div></details>`;
}

/** The choices of one variant. `remove` is there when it is not the only one; `same` names the variant it repeats. */
export function Variant({ variant, pictured, given, change, remove, same, only }) {
  const id = `variant-${variant.id}`;
  return html`<fieldset class="variant" id=${id}><legend class=${only ? "unseen" : ""}>${nameOf(variant)}</legend>
    <${Check} id=${`${id}-labels`} label="Write the category, or its code, in place of a value" checked=${variant.labels} change=${(labels) => change({ labels })} />
    <${Check} id=${`${id}-metadata`} label="Keep author, title and the like where they hold no accepted value" checked=${variant.keepMetadata} change=${(keepMetadata) => change({ keepMetadata })} />
    ${pictured && html`<${Choice} id=${`${id}-style`} label="In pictures" value=${variant.imageStyle} options=${[["solid", "solid bars"], ["blur", "blurred"], ["pixelate", "pixelated"]]} change=${(imageStyle) => change({ imageStyle })} />`}
    <${Methods} id=${id} given=${given} variant=${variant} pictured=${pictured} change=${change} />
    ${same && html`<p class="notice warn">This is the same as another one. Change it, or leave it out.</p>`}
    ${remove && html`<button type="button" class="button small" onClick=${remove}>Leave out<span class="unseen">: ${nameOf(variant)}</span></button>`}
  </fieldset>`;
}
