// Reads pictures with tesseract.js on two workers; prints words with boxes, seconds and memory as JSON.
// usage: node peer_tesseract.js PREFIX PICTURE...
const path = require("path");
const [prefix, ...files] = process.argv.slice(2);
const { createWorker } = require(path.join(prefix, "node_modules", "tesseract.js"));
const langPath = path.join(prefix, "node_modules", "@tesseract.js-data", "eng", "4.0.0_best_int");

function words(data) {
  const found = [];
  for (const block of data.blocks || [])
    for (const paragraph of block.paragraphs)
      for (const line of paragraph.lines)
        for (const word of line.words) found.push([word.text, [word.bbox.x0, word.bbox.y0, word.bbox.x1, word.bbox.y1]]);
  return found;
}

(async () => {
  const workers = [];
  for (let n = 0; n < 2; n++) workers.push(await createWorker("eng", 1, { langPath, cacheMethod: "none" }));
  await workers[0].recognize(files[0]); // warm
  const pages = [];
  let next = 0;
  let peak = 0;
  const start = Date.now();
  await Promise.all(
    workers.map(async (worker) => {
      while (next < files.length) {
        const at = next++;
        const { data } = await worker.recognize(files[at], {}, { blocks: true, text: false });
        pages[at] = words(data);
        peak = Math.max(peak, process.memoryUsage().rss);
      }
    }),
  );
  const seconds = (Date.now() - start) / 1000;
  for (const worker of workers) await worker.terminate();
  process.stdout.write(JSON.stringify({ pages, seconds, peak }));
})();
