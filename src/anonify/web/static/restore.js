// Putting values back: a file and its vault go up together, the restored file comes down, nothing stays.

import { Failure } from "./api.js";
import { $, announce, bytes, notice, plural } from "./dom.js";

const most = Number(document.body.dataset.maxBytes);
const chosen = { file: null, vault: null };
const WAITING = { file: $("restore-file-name").textContent, vault: $("restore-vault-name").textContent };
let address = null;

function choose(field, file) {
  chosen[field] = file ?? null;
  $(`restore-${field}-name`).textContent = file ? `${file.name} · ${bytes(file.size)}` : WAITING[field];
  ready();
  $("restore-done").hidden = true;
  notice(tooLarge() ? "This file is larger than this installation takes." : null);
}

const tooLarge = () => (chosen.file?.size ?? 0) > most;

/** Nothing else can be chosen while one is restored: the answer would stand below another's name. */
function ready(working = false) {
  $("restore-go").disabled = working || tooLarge() || !(chosen.file && chosen.vault);
  $("restore-bar").hidden = !working;
  for (const field of ["file", "vault"]) $(`restore-${field}`).disabled = working;
}

for (const field of ["file", "vault"]) {
  $(`restore-${field}`).addEventListener("change", (event) => choose(field, event.target.files[0]));
}
for (const drop of document.querySelectorAll(".restore-drop")) {
  for (const name of ["dragenter", "dragover"]) drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", (event) => { if (!drop.contains(event.relatedTarget)) drop.classList.remove("over"); });
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if ($("restore-file").disabled) return;
    // Both may be dropped at once, wherever: a vault is known by its name.
    for (const file of event.dataTransfer.files) {
      const both = event.dataTransfer.files.length > 1;
      choose(both ? (/\.vault\.json$/i.test(file.name) ? "vault" : "file") : drop.dataset.field, file);
    }
  });
}

async function restored() {
  const form = new FormData();
  form.append("file", chosen.file);
  form.append("vault", chosen.vault);
  let answer;
  try {
    answer = await fetch("/api/restore", { method: "POST", body: form });
  } catch {
    throw new Failure(null, 0);
  }
  if (!answer.ok) throw new Failure(await answer.json().catch(() => null), answer.status);
  return answer;
}

/** The name in `Content-Disposition` (RFC 8187). */
const nameIn = (header) => decodeURIComponent(/filename\*=UTF-8''(\S+)/.exec(header ?? "")?.[1] ?? "restored");

async function show(answer) {
  const count = (name) => Number(answer.headers.get(`x-${name}`));
  const [back, missing] = [count("restored-values"), count("unresolved-values")];
  const matches = answer.headers.get("x-vault-matches") === "true";
  URL.revokeObjectURL(address);
  address = URL.createObjectURL(await answer.blob());
  $("restore-get").href = address;
  $("restore-get").download = nameIn(answer.headers.get("content-disposition"));
  $("restore-said").textContent = back ? `${plural(back, "value")} put back` : "Nothing was put back";
  const warnings = [
    missing && `${plural(missing, "entry", "entries")} of the vault ${missing === 1 ? "is" : "are"} not in this file, or could not be put back.`,
    !matches && "The vault was not made with exactly this file: it was edited since, or it is the vault of another.",
  ].filter(Boolean);
  $("restore-warn").textContent = warnings.join(" ");
  $("restore-warn").hidden = !warnings.length;
  $("restore-done").hidden = false;
  $("restore-done").focus();
  announce(`${$("restore-said").textContent}. ${warnings.join(" ")}`);
}

$("restore").addEventListener("submit", async (event) => {
  event.preventDefault();
  notice(null);
  ready(true);
  $("restore-done").hidden = true;
  announce("Restoring");
  try {
    await show(await restored());
  } catch (failure) {
    notice(failure.message);
  }
  ready();
});
