// The export dialog: what is undecided, the work, the verified result.

import { post } from "./api.js";
import { $, announce, bytes, plural } from "./dom.js";

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

$("export-go").addEventListener("click", async () => {
  $("export-failed").hidden = true;
  stage("working");
  try {
    const { artifact } = await post(`/api/documents/${current.id}/export`, { labels: $("labels").checked, keepMetadata: $("keep-metadata").checked });
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
    stage("ask");
    $("export-failed").textContent = failure.message;
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
