// The export dialog: what is undecided, the work, the verified result.

import { post } from "./api.js";
import { $, announce, bytes, h, plural, words } from "./dom.js";

const FAULTS = {
  survivor: "An accepted value could still be read in the new file.",
  seen: "An accepted value could still be seen in the new file's pictures.",
  unread: "A page of the new file could not be read again, so nobody can say that no accepted value is seen on it.",
  opens: "The new file could not be opened again.",
  report: "The report would have quoted an accepted value.",
  stored: "What was stored was not what had been verified.",
};
const ADVICE = {
  survivor: "Put the values you added last back to “To decide”, one after the other, and export again: that shows which one cannot be removed. Then tell the operator.",
  stored: "Export again. If it happens twice, tell the operator.",
  other: "Put some decisions back to “To decide” and export again, or save the original anew in the program that made it and upload that. Tell the operator: this should not happen.",
};

let current = null;

function stage(name) {
  for (const part of ["ask", "working", "done"]) $(`export-${part}`).hidden = part !== name;
  $("export-go").hidden = name !== "ask";
}

/** Open the dialog for a document under review. */
export function openExport(state) {
  current = state;
  const accepted = state.list.filter((item) => item.status === "accepted").length;
  const undecided = state.list.filter((item) => item.status === "suggested").length;
  $("export-count").textContent = accepted
    ? `${plural(accepted, "accepted place")} will be removed. The original is not changed.`
    : "Nothing is accepted: the export only cleans what no viewer shows.";
  $("export-undecided").hidden = undecided === 0;
  $("export-undecided").textContent = `${plural(undecided, "suggestion")} ${undecided === 1 ? "is" : "are"} undecided and will stay readable.`;
  $("export-failed").hidden = true;
  $("export-title").textContent = "Export";
  stage("ask");
  $("export-dialog").showModal();
}

/** Close the dialog when another screen is shown; an export under way is not shown any more. */
export function closeExport() {
  current = null;
  if ($("export-dialog").open) $("export-dialog").close();
}

const plain = (check) => FAULTS[check] ?? `The file does not keep the rules of its own kind (${words(check)}).`;

/** Why there is no file: for a refused one the check that failed, and what to do about it. */
function refusal(failure) {
  const { check, survivors } = failure.body;
  if (failure.code !== "verification-failed" || !check) return [h("p", {}, failure.message)];
  return [
    h("p", { class: "refused" }, h("b", {}, "The file did not pass verification, so there is nothing to download.")),
    h("p", {}, check === "survivor" && survivors > 0 ? `${plain(check)} ${plural(survivors, "finding")}.` : plain(check)),
    $("keep-metadata").checked && h("p", {}, "Try first without keeping author, title and the like."),
    h("p", {}, ADVICE[check] ?? ADVICE.other),
    h("p", { class: "for-operator" }, "For the operator's log: check ", h("code", {}, check), `, ${plural(survivors, "finding")}, document `, h("code", {}, current.id)),
  ];
}

$("export-go").addEventListener("click", async () => {
  const mine = current;
  $("export-failed").hidden = true;
  stage("working");
  try {
    const { artifact } = await post(`/api/documents/${mine.id}/export`, { labels: $("labels").checked, keepMetadata: $("keep-metadata").checked });
    if (current !== mine) return;
    $("export-facts").textContent = `${artifact.filename} · ${bytes(artifact.size)}`;
    $("checksum").textContent = artifact.sha256;
    $("download").href = artifact.downloadUrl;
    $("download").setAttribute("download", artifact.filename);
    $("report").href = artifact.reportUrl;
    $("report").setAttribute("download", `${artifact.filename}.report.json`);
    $("export-title").textContent = "Verified export";
    stage("done");
    $("download").focus();
    announce("Verified. The file can be downloaded.");
  } catch (failure) {
    if (current !== mine) return;
    stage("ask");
    $("export-failed").replaceChildren(...refusal(failure).filter(Boolean));
    $("export-failed").hidden = false;
  }
});

// A link opens for five minutes; a later click gets a fresh one.
for (const [id, field] of [["download", "downloadUrl"], ["report", "reportUrl"]]) {
  $(id).addEventListener("click", () => {
    const wanted = $("checksum").textContent;
    setTimeout(async () => {
      const response = await fetch(`/api/documents/${current.id}`).catch(() => null);
      const fresh = response?.ok ? (await response.json()).artifacts.find((item) => item.sha256 === wanted) : null;
      if (fresh) $(id).href = fresh[field];
    }, 0);
  });
}
