// Which screen is shown: the address after # decides, so Back and Reload work.

import { closeBatch, openBatch } from "./batch.js";
import { $, notice } from "./dom.js";
import { closeExport } from "./export.js";
import { closeHome, openHome } from "./home.js";
import { closeReview, openReview } from "./review.js";

function route() {
  notice(null);
  const [, screen, id] = /^#\/([db])\/([0-9a-f]{32})$/.exec(location.hash) ?? [];
  closeHome();
  closeReview();
  closeExport();
  closeBatch();
  $("home").hidden = Boolean(screen);
  $("review").hidden = screen !== "d";
  $("batch").hidden = screen !== "b";
  if (screen === "d") openReview(id);
  else if (screen === "b") openBatch(id);
  else openHome();
}

addEventListener("hashchange", () => { route(); $("main").focus(); });
route();
