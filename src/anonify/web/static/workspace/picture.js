// A page's picture. Boxes come from the server's own measure, the one the export paints with.

import { idOf } from "./desk.js";
import { html, useRef, useState } from "./ui.js";
import { units, wordAt } from "./offsets.js";
import { useStays } from "./virtual.js";

const SVG_LINE = 6; // pixels a pointer moves before it draws

/** Scale of the picture to ask for: sharp at this width, in the server's quarters. */
const scaleFor = (width, pixels) => Math.min(3, Math.max(0.5, Math.ceil((4 * pixels * Math.min(devicePixelRatio, 2)) / width) / 4));

/** Where a stretch of a page stands: the spans' boxes, cut by the share of their letters. Only to show what is selected. */
export function stretchBoxes(page, start, end) {
  const lines = [];
  for (const span of page.spans) {
    if (!span.box || span.end <= start || span.start >= end) continue;
    const [x0, y0, x1, y1] = span.box;
    const length = span.end - span.start;
    const [a, b] = [Math.max(start, span.start) - span.start, Math.min(end, span.end) - span.start].map((at) => x0 + ((x1 - x0) * at) / length);
    const last = lines.at(-1);
    if (last && Math.abs(last[1] - y0) < (y1 - y0) / 2 && a - last[2] < y1 - y0 && a >= last[0]) lines[lines.length - 1] = [last[0], Math.min(last[1], y0), Math.max(last[2], b), Math.max(last[3], y1)];
    else lines.push([a, y0, b, y1]);
  }
  return lines;
}

/** The letter under a point, as an offset in code points, or null between the words. */
function letterAt(page, x, y) {
  for (const span of page.spans) {
    if (!span.box) continue;
    const [x0, y0, x1, y1] = span.box;
    if (x < x0 || x > x1 || y < y0 || y > y1) continue;
    return Math.min(span.end - 1, span.start + Math.floor(((x - x0) / Math.max(0.01, x1 - x0)) * (span.end - span.start)));
  }
  return null;
}

function wordChoice(page, from, to) {
  const unit = units(page.text);
  const low = wordAt(page.text, unit.to(Math.min(from, to)));
  const high = wordAt(page.text, unit.to(Math.max(from, to)));
  if (!low || !high) return null;
  const [start, end] = [unit.from(low[0]), unit.from(high[1])];
  return end > start ? { page: page.number, start, end, value: page.text.slice(low[0], high[1]), boxes: stretchBoxes(page, start, end) } : null;
}

const Box = ({ box: [x0, y0, x1, y1], ...more }) => html`<rect x=${x0} y=${y0} width=${x1 - x0} height=${y1 - y0} ...${more} />`;

export function PicturePage({ desk, page, marks, hits, width }) {
  const layer = useRef();
  const [drawn, setDrawn] = useState(null);
  const from = useRef(null);
  const stays = useStays();
  const { width: pageWidth, height: pageHeight } = page;

  const point = (event) => {
    const frame = layer.current.getBoundingClientRect();
    return [((event.clientX - frame.left) / frame.width) * pageWidth, ((event.clientY - frame.top) / frame.height) * pageHeight].map((at, axis) => Math.min(Math.max(0, at), axis ? pageHeight : pageWidth));
  };
  const region = ([ax, ay], [bx, by]) => [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
  const down = (event) => {
    if (event.button || event.target.dataset.id || (event.pointerType === "touch" && !desk.drawing.value)) return;
    const at = point(event);
    from.current = { at, letter: event.altKey || desk.drawing.value ? null : letterAt(page, ...at), x: event.clientX, y: event.clientY, moved: false };
    layer.current.setPointerCapture(event.pointerId);
  };
  const move = (event) => {
    const begun = from.current;
    if (!begun) return;
    begun.moved ||= Math.abs(event.clientX - begun.x) + Math.abs(event.clientY - begun.y) > SVG_LINE;
    if (!begun.moved) return;
    const at = point(event);
    if (begun.letter === null) setDrawn([region(begun.at, at)]);
    else {
      const letter = letterAt(page, ...at);
      if (letter !== null) begun.to = letter;
      const choice = wordChoice(page, begun.letter, begun.to ?? begun.letter);
      if (choice) setDrawn(choice.boxes);
    }
  };
  const up = (event) => {
    const begun = from.current;
    from.current = null;
    setDrawn(null);
    if (!begun) return;
    const screen = { left: event.clientX, top: event.clientY };
    if (begun.letter !== null) {
      const choice = wordChoice(page, begun.letter, begun.to ?? begun.letter);
      desk.choice.value = choice && { ...choice, screen };
    } else if (begun.moved) {
      const box = region(begun.at, point(event));
      desk.choice.value = box[2] - box[0] > 1 && box[3] - box[1] > 1 ? { page: page.number, box, boxes: [box], screen } : null;
      desk.drawing.value = false;
    } else desk.choice.value = null;
  };

  const choice = desk.choice.value?.page === page.number ? desk.choice.value.boxes ?? [] : [];
  const target = desk.target.value;
  const found = hits.flatMap((hit) => stretchBoxes(page, hit.start, hit.end));
  return html`<div class="picture" data-page=${page.number} style=${{ aspectRatio: `${pageWidth} / ${pageHeight}` }}>
    <img src=${stays ? `${desk.base}/pages/${page.number}/image?scale=${scaleFor(pageWidth, width)}` : null} alt=${stays ? `Picture of page ${page.number}. Press v for its text.` : ""} draggable=${false} />
    <svg ref=${layer} viewBox=${`0 0 ${pageWidth} ${pageHeight}`} preserveAspectRatio="none" class=${desk.drawing.value ? "draws" : ""} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${() => { from.current = null; setDrawn(null); }}>
      ${found.map((box, at) => html`<${Box} key=${`f${at}`} box=${box} class="hit" />`)}
      ${marks.flatMap((mark) => mark.boxes.map((box, at) => html`<${Box} key=${`${mark.id} ${at}`} box=${box} data-id=${mark.id} class=${`${mark.status} ${idOf(mark) === desk.current.value ? "of-hand" : ""} ${target?.id === mark.id ? "here" : ""}`} onClick=${() => desk.pick(mark)} />`))}
      ${(drawn ?? choice).map((box, at) => html`<${Box} key=${`c${at}`} box=${box} class="chosen" />`)}
    </svg></div>`;
}
