// What a language model was asked, what that cost, and what it was not asked, and why.

import { get } from "./api.js";
import { $, plural } from "./dom.js";

export const ASKED = {
  classify: "what kind of document it is",
  detect: "what is sensitive in it",
  verify: "whether what was found is right",
  columns: "what its columns hold",
  image: "what its pictures show",
};

export const LEFT_OUT = {
  off: "nothing to ask with this preset",
  unsupported: "the model was not verified, or cannot answer this",
  "refused-key": "the service refused the key",
  payment: "the service wants to be paid",
  budget: "the day's spend is used up",
  "rate-limited": "the service had too many questions",
  slow: "no answer in time",
  unreachable: "the service could not be reached",
  malformed: "the answer could not be used",
  "too-many": "the document has more of them than are asked about",
};

const count = (number) => number.toLocaleString();

export function money(dollars) {
  if (dollars === 0) return "no cost";
  return dollars < 0.01 ? "under $0.01" : `$${dollars.toFixed(2)}`;
}

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

export const line = (spent) => `${plural(spent.calls, "call")} · ${count(spent.inputTokens)} tokens sent, ${count(spent.outputTokens)} received · ${seconds(spent.milliseconds)} · ${money(spent.dollars)}`;

/** Say below the list of documents what models cost so far; nothing while none is set and none was asked.  Who has no documents has no session to ask with. */
export async function drawSpent(documents) {
  const answer = documents ? await get("/api/usage").catch(() => null) : null;
  const said = $("spent");
  said.hidden = !answer || (answer.total.calls === 0 && !answer.model);
  if (said.hidden) return;
  const bound = answer.dailySpendUsd === null ? "" : ` of $${answer.dailySpendUsd.toFixed(2)} for everybody`;
  said.textContent = `Language model ${answer.model ?? "(none set now)"}: today ${plural(answer.today.calls, "call")}, ${money(answer.today.dollars)}${bound} · altogether ${plural(answer.total.calls, "call")}, ${money(answer.total.dollars)}`;
}
