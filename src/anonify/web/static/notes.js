// What a reviewer is told about a document: why its analysis fell short, and what its file is.

const DEGRADED = {
  "names-model-stopped": "The document is so long that the names model read only its beginning. Read the rest for names yourself.",
  "names-model-missing": "The names model is not installed: only names with a label or a title were looked for. Read the text for other names yourself.",
  "too-many-detections": "There were more suggestions than a list can hold, so it was cut. Work through it and read the text.",
  "unread-pictures": "Some pictures could not be read, so what they show was not searched. Look at them yourself.",
  "faces-model-missing": "The face detector is not installed: pictures were not searched for faces. Look at the pictures yourself.",
  "reader-away": "The reader beyond this machine did not answer for some pages. They were read on this machine alone, which sees less of handwriting and poor scans. Look at the pictures yourself.",
  "ai-unsupported": "The language model was not asked about all of the document: it was not verified, cannot answer as it must, or sees no pictures. What patterns and the names model found stands. Look through the document yourself.",
  "ai-refused-key": "The language model was not asked about all of the document: its service refused the key. What patterns and the names model found stands. Look through the document yourself.",
  "ai-payment": "The language model was not asked about all of the document: its service wants to be paid. What patterns and the names model found stands. Look through the document yourself.",
  "ai-budget": "The language model was not asked about all of the document: what may be spent in a day is used up. What patterns and the names model found stands. Look through the document yourself.",
  "ai-rate-limited": "The language model was not asked about all of the document: its service had too many questions. What patterns and the names model found stands. Look through the document yourself.",
  "ai-slow": "The language model did not answer in time about all of the document. What patterns and the names model found stands. Look through the document yourself.",
  "ai-unreachable": "The language model could not be reached about all of the document. What patterns and the names model found stands. Look through the document yourself.",
  "ai-malformed": "The language model gave an answer that could not be used about part of the document. What patterns and the names model found stands. Look through the document yourself.",
  "ai-too-many": "The language model was not asked about all of the document: it has more columns or pictures than are asked about. What patterns and the names model found stands. Look through the rest yourself.",
};

const NOTES = {
  signed: "The file carries a signature. Any change makes it invalid.",
  restricted: "The file asks readers not to print, copy or change it. The redacted file is without these restrictions.",
  "encrypted-part": "A part of the message is encrypted. Nobody could read it here: it is carried through as it is, and the report says so.",
  "inline-signature": "A text in the message is signed in place. Where the text changes, its signature is removed.",
  winmail: "The message holds a winmail.dat, Outlook's own copy of the message. It is shown for reading; once anything is redacted, its redacted text takes its place.",
  xfa: "The file holds a form in the XFA format. That part is removed from the redacted file; the form's ordinary fields stay.",
  "pivot-cache": "A pivot table keeps a copy of its data in the file. An accepted value is removed from the copy as well.",
  "dialect-semicolon": "The table's cells are divided by semicolons.",
  "dialect-tab": "The table's cells are divided by tabs.",
  "dialect-pipe": "The table's cells are divided by vertical bars.",
  "dialect-other": "The table's cells are divided by an unusual character. Check that the columns look right.",
  "dialect-without-quotes": "Quotation marks are part of the text in this table: its cells are not held together by them.",
  "dialect-backslash-escapes": "A backslash before a quotation mark makes the mark part of a cell's text in this table.",
};

const USUAL = new Set(["dialect-comma", "encoding-utf-8"]);

/** The sentence for a reason why an analysis fell short. */
export const shortfall = (reason) => DEGRADED[reason] ?? `The analysis fell short: ${reason.replaceAll("-", " ")}. Read the text yourself.`;

/** The sentence for a note on a file, or null where there is nothing to tell. */
export function noted(note) {
  if (USUAL.has(note)) return null;
  if (note.startsWith("encoding-")) return `The text is written in the encoding ${note.slice("encoding-".length)}, and so is the redacted file. If letters look wrong here, compare with the original.`;
  return NOTES[note] ?? DEGRADED[note] ?? null;
}
