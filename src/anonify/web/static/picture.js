// A page's picture with marks over it. Boxes are in page units from the top left, so the drawing takes those as its own.

import { h } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";

function shape(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

const pen = document.createElement("canvas").getContext("2d");

/** How far into its span a character is, 0 to 1: by the widths of the letters in some common font, as the page's own is not here. */
function share(letters, count) {
  const whole = pen.measureText(letters.join("")).width;
  return whole ? pen.measureText(letters.slice(0, count).join("")).width / whole : count / letters.length;
}

/** The part of a span's box that its characters `[start, end)` take, with a little room for what letters hang out. */
function part(span, letters, start, end) {
  const [x0, y0, x1, y1] = span.box;
  const own = letters.slice(span.start, span.end);
  const [from, to] = [Math.max(start, span.start), Math.min(end, span.end)].map((at) => share(own, at - span.start));
  const [width, height] = [x1 - x0, y1 - y0];
  const room = 0.12 * Math.min(width, height);
  if (height > width && own.length > 1) return [x0 - room, y0 + height * from - room, x1 + room, y0 + height * to + room];
  return [x0 + width * from - room, y0 - room / 2, x0 + width * to + room, y1 + 1.5 * room];
}

/** Boxes of neighbouring spans on one line as one. */
function joined(boxes) {
  const lines = [];
  for (const box of boxes) {
    const last = lines.at(-1);
    const height = box[3] - box[1];
    const near = last && Math.abs(last[1] - box[1]) < height / 2 && Math.abs(last[3] - box[3]) < height / 2 && box[0] >= last[0] && box[0] - last[2] < height;
    if (near) lines[lines.length - 1] = [last[0], Math.min(last[1], box[1]), Math.max(last[2], box[2]), Math.max(last[3], box[3])];
    else lines.push(box);
  }
  return lines;
}

/** Where a redaction stands on its page. */
function boxesOf(item, page, letters) {
  if (item.box) return [item.box];
  if (item.start === null) return [];
  return joined(page.spans
    .filter((span) => span.box && span.end > item.start && span.start < item.end)
    .map((span) => part(span, letters, item.start, item.end)));
}

/** The picture of a page with its marks; `picked` is told the redaction of a clicked one. */
export function pictureElement(id, page, redactions, picked) {
  const image = h("img", { src: `/api/documents/${id}/pages/${page.number}/image?scale=2`, alt: `Picture of page ${page.number}; its text is shown when Picture is off` });
  if (!page.width || !page.height) return image;
  const marks = shape("svg", { viewBox: `0 0 ${page.width} ${page.height}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const letters = [...page.text]; // code points, as all offsets are
  for (const item of redactions) {
    if (item.page !== page.number || item.status === "rejected") continue;
    for (const [x0, y0, x1, y1] of boxesOf(item, page, letters)) {
      const mark = shape("rect", { x: x0, y: y0, width: x1 - x0, height: y1 - y0, class: item.status, "data-id": item.id });
      mark.addEventListener("click", () => picked(item.id));
      marks.append(mark);
    }
  }
  return h("div", { class: "picture" }, image, marks);
}
