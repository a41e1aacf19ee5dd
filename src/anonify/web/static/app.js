// Which screen is shown: the address after # decides, so Back and Reload work.

import { $, notice } from "./dom.js";
import { closeExport } from "./export.js";
import { closeHome, openHome } from "./home.js";
import { closeReview, openReview } from "./review.js";

function route() {
  notice(null);
  const match = /^#\/d\/([0-9a-f]{32})$/.exec(location.hash);
  closeHome();
  closeReview();
  closeExport();
  $("home").hidden = Boolean(match);
  $("review").hidden = !match;
  if (match) openReview(match[1]);
  else openHome();
}

addEventListener("hashchange", () => { route(); $("main").focus(); });
route();
