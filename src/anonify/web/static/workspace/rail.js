// The pages as a narrow list: where something is to be decided, and a small picture where there is one.

import { html, useEffect, useRef } from "./ui.js";
import { Virtual, useStays } from "./virtual.js";

function Small({ desk, number }) {
  const stays = useStays();
  return html`<img src=${stays ? `${desk.base}/pages/${number}/image?scale=0.25` : null} alt="" loading="lazy" draggable=${false} />`;
}

export function Rail({ desk }) {
  const { pages, pictured, kind } = desk.outline.value;
  const handle = useRef();
  const seen = desk.seen.value;
  useEffect(() => handle.current?.show(seen - 1), [seen]);
  if (desk.grid.value || pages < 2) return null;
  const small = pictured && ["pdf", "image"].includes(kind);
  const rail = desk.rail.value;
  const item = (at) => {
    const [suggested, accepted] = rail[at] ?? [0, 0];
    const left = suggested > 0 && html`<b class="rail-count"><span class="unseen">, </span>${suggested}<span class="unseen"> to decide</span></b>`;
    const done = accepted > 0 && html`${!left && html`<b class="rail-done" aria-hidden="true">✓</b>`}<span class="unseen">, ${accepted} accepted</span>`;
    return html`<button type="button" class="rail-page" tabindex="-1" aria-current=${seen === at + 1 ? "page" : null} onClick=${() => desk.showPage?.(at + 1)}>
      ${small && html`<${Small} desk=${desk} number=${at + 1} />`}
      <span class="rail-line"><span><span class="unseen">Page </span>${(at + 1).toLocaleString()}</span>${left}${done}</span></button>`;
  };
  return html`<nav class=${`rail ${small ? "with-pictures" : ""}`} aria-label="Pages"><${Virtual} class="rail-scroll" count=${pages} gap=${4} keyOf=${(at) => at} estimate=${() => (small ? 118 : 30)} version=${rail} render=${item} handle=${(made) => { handle.current = made; }} /></nav>`;
}
