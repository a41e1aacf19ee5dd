// One document at its address: first its run, then its review.

import { $ } from "./dom.js";
import { closeExport } from "./export.js";
import { processing } from "./processing.js";
import { closeReview, openReview } from "./review.js";

const { document: id } = document.body.dataset;
let stop = () => {};

function open() {
  $("review").hidden = true;
  stop = processing($("processing"), id, () => {
    $("review").hidden = false;
    openReview(id);
  });
}

// The browser may keep the page for Back: without its stream while it is away, and anew when it returns.
addEventListener("pagehide", () => { stop(); closeReview(); closeExport(); });
addEventListener("pageshow", (event) => { if (event.persisted) open(); });
open();
