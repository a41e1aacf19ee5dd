// The server counts code points, the browser UTF-16 units; both are translated here only.

/** Translators for one text: code points to UTF-16 units and back. */
export function units(text) {
  if (!/[\ud800-\udfff]/.test(text)) return { to: (offset) => offset, from: (offset) => offset };
  const starts = [];
  for (let at = 0; at < text.length; at += text.codePointAt(at) > 0xffff ? 2 : 1) starts.push(at);
  starts.push(text.length);
  return {
    to: (offset) => starts[Math.min(offset, starts.length - 1)],
    from: (offset) => {
      let low = 0;
      let high = starts.length - 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (starts[middle] < offset) low = middle + 1; else high = middle;
      }
      return low;
    },
  };
}

const RANK = { hit: 0, suggested: 1, accepted: 2 };

/** Stretches of `[start, end)` of a text, split where marks begin and end; accepted wins over suggested, both over a hit. */
export function pieces(start, end, marks) {
  const inside = marks.filter((mark) => mark.to > start && mark.from < end);
  if (!inside.length) return [{ from: start, to: end, mark: null }];
  const cuts = new Set([start, end]);
  for (const mark of inside) { cuts.add(Math.max(start, mark.from)); cuts.add(Math.min(end, mark.to)); }
  const sorted = [...cuts].sort((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => {
    const to = sorted[index + 1];
    const over = inside.filter((mark) => mark.from <= from && mark.to >= to);
    return { from, to, mark: over.reduce((best, mark) => (!best || RANK[mark.status] > RANK[best.status] ? mark : best), null) };
  });
}

/** The word around a UTF-16 offset, as [from, to), or null where there is none. */
export function wordAt(text, offset) {
  const inWord = (letter) => letter !== undefined && /[\p{L}\p{N}\p{M}_@.'’-]/u.test(letter);
  let [from, to] = [offset, offset];
  while (from > 0 && inWord(text[from - 1])) from -= 1;
  while (to < text.length && inWord(text[to])) to += 1;
  while (from < to && /[.'’-]/.test(text[from])) from += 1;
  while (to > from && /[.'’-]/.test(text[to - 1])) to -= 1;
  return to > from ? [from, to] : null;
}
