// Files out of a picker, a folder or a drop, each with its path.

const LITTER = /(^|\/)(\.DS_Store|\._[^/]*|Thumbs\.db|desktop\.ini)$|(^|\/)__MACOSX\//i;

/** The files of an <input>, folders included: `[{ file, path }]`. */
export const picked = (list) => [...list].map((file) => ({ file, path: file.webkitRelativePath || file.name }));

const reading = (act) => new Promise((resolve, reject) => { act(resolve, reject); });

async function walk(entry, found) {
  if (entry.isFile) {
    found.push({ file: await reading((done, failed) => entry.file(done, failed)), path: entry.fullPath.replace(/^\//, "") });
    return;
  }
  const reader = entry.createReader();
  for (;;) { // a folder is told in pieces of about a hundred
    const some = await reading((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return;
    for (const inner of some) await walk(inner, found);
  }
}

/** The files of a drop. What is dropped must be asked for at once: it is gone after the event. */
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return picked(transfer.files);
  const found = [];
  for (const entry of entries) await walk(entry, found);
  return found;
}

/** Files to send, by path, and those an operating system leaves in folders, which nobody means to upload. */
export function sorted(files) {
  const ordered = files.toSorted((a, b) => a.path.localeCompare(b.path, undefined, { numeric: true }));
  return { wanted: ordered.filter((item) => !LITTER.test(item.path)), litter: ordered.filter((item) => LITTER.test(item.path)) };
}
