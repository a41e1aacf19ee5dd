// Choosing files and sending them; what is left today; the newest of what was sent.

import { get } from "./api.js";
import { drawLeft } from "./allowance.js";
import { $, notice } from "./dom.js";
import { dropped, picked, sorted } from "./gather.js";
import { send } from "./sending.js";
import { worklist } from "./worklist.js";

const NEWEST = 10;

// Addresses of earlier versions stood behind a #.
const [, kind, id] = /^#\/(d|b|documents|batches)\/([0-9a-f]{32})$/.exec(location.hash) ?? [];
if (id) location.replace(`/${kind.startsWith("d") ? "documents" : "batches"}/${id}`);
else if (location.hash === "#/") history.replaceState(null, "", "/");

const refresh = worklist(() => ({ limit: NEWEST }), ({ total }) => {
  $("empty").hidden = total > 0;
  $("work-all").hidden = total <= NEWEST;
  $("work-all").textContent = `All ${total.toLocaleString()}`;
});

const allowance = () => get("/api/limits").then((limits) => drawLeft($("left"), limits)).catch(() => { $("left").textContent = "not known just now"; });
allowance();

async function take(files) {
  notice(null);
  const { wanted, litter } = sorted(files);
  const options = { preset: $("preset").value, ttlSeconds: Number($("retention").value) };
  try {
    const next = await send({ wanted, litter }, options);
    if (next) return location.assign(next);
  } catch (failure) {
    notice(failure.message);
  }
  allowance();
  return refresh();
}

for (const picker of ["files", "folder"]) {
  $(picker).addEventListener("change", (event) => {
    const files = picked(event.target.files);
    event.target.value = "";
    if (files.length) take(files);
  });
}
for (const name of ["dragenter", "dragover"]) {
  $("drop").addEventListener(name, (event) => { event.preventDefault(); $("drop").classList.add("over"); });
}
$("drop").addEventListener("dragleave", (event) => {
  if (!$("drop").contains(event.relatedTarget)) $("drop").classList.remove("over");
});
$("drop").addEventListener("drop", async (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  try {
    const files = await dropped(event.dataTransfer);
    if (files.length) take(files);
  } catch {
    notice("A file in what you dropped could not be read. Nothing was sent.");
  }
});

$("sample").addEventListener("click", async () => {
  $("sample").disabled = true;
  try {
    const response = await fetch($("sample").dataset.path);
    if (!response.ok) throw new Error("The sample could not be loaded. Try again in a moment.");
    const file = new File([await response.blob()], "sample letter.docx");
    await take([{ file, path: file.name }]);
  } catch (failure) {
    notice(failure instanceof TypeError ? "The sample could not be loaded. Check the connection and try again." : failure.message);
  }
  $("sample").disabled = false;
});
