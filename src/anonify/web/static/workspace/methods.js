// What may become of a value: the methods, who can take each back, and which categories may have it.

import { given } from "./asked.js";
import { html } from "./ui.js";

/** Each method as it is chosen: what stands in the file, and who can have the value back. */
export const METHODS = {
  mask: { name: "mask", plural: "masks", becomes: "a mark that says nothing", back: "Nobody can have the values back." },
  pseudonymize: { name: "pseudonym", plural: "pseudonyms", becomes: "a stand-in like PERSON_417, the same wherever the value stands", back: "Nobody can have the values back. The same stand-in in two places tells that both are the same." },
  tokenize: { name: "token", plural: "restorable tokens", becomes: "a stand-in like PERSON_417", back: "You get a vault with the export. Whoever holds it can put the values back." },
  encrypt: { name: "encrypted", plural: "encrypted", becomes: "the value as ciphertext", back: "You get a vault with the export. Whoever holds its key can put the values back." },
};

/** The methods a category may have, strongest first. */
export const methodsOf = (category) => given().methods[category] ?? ["mask"];

/** One method for every category that may have it. */
export const everywhere = (method) => Object.fromEntries(Object.entries(given().methods).filter(([, those]) => those.includes(method)).map(([category]) => [category, method]));

/** The one method that `methods` gives wherever it may: its name, "" for none, or null where categories differ. */
export function only(methods) {
  const named = [...new Set(Object.values(methods))];
  if (!named.length) return "";
  return named.length === 1 && Object.keys(everywhere(named[0])).length === Object.keys(methods).length ? named[0] : null;
}

/** Choices for a value of `category`, as a list draws them. */
export const optionsOf = (category) => methodsOf(category).map((method) => [method, METHODS[method].name]);

/** What the chosen methods mean, in a sentence each. */
export function Meaning({ methods, id }) {
  const named = [...new Set(Object.values(methods))].filter((method) => method !== "mask");
  if (!named.length) return null;
  return html`<ul class="meaning muted" id=${id}>${named.map((method) => html`<li key=${method}>${named.length > 1 ? html`<b>${METHODS[method].plural}</b>: ` : ""}In the file stands ${METHODS[method].becomes}. ${METHODS[method].back}</li>`)}
    <li>Numbers of accounts and cards, keys, faces and signatures are masked whatever is chosen.</li></ul>`;
}
