// Small helpers: elements, announcements, numbers for people.

export const $ = (id) => document.getElementById(id);

/** An element: h("li", { class: "x", onclick: f }, "text", child). Text is always text, never markup. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Say something to people who do not see the screen. */
export function announce(text) {
  $("live").textContent = "";
  requestAnimationFrame(() => { $("live").textContent = text; });
}

/** Show a failure, or nothing. */
export function notice(text) {
  $("notice").textContent = text ?? "";
  $("notice").hidden = !text;
}

export const plural = (count, one, many = `${one}s`) => `${count.toLocaleString()} ${count === 1 ? one : many}`;

/** How long a document is: a table by its rows, everything else by its pages. */
export const length = (row) => (row.rows === null ? row.pages && plural(row.pages, "page") : plural(row.rows, "row"));

export function bytes(count) {
  if (count < 1024) return plural(count, "byte");
  const units = ["KB", "MB", "GB"];
  let value = count / 1024;
  let unit = 0;
  while (value >= 1024 && unit < 2) { value /= 1024; unit += 1; }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function until(ms) {
  const minutes = Math.max(0, Math.round((ms - Date.now()) / 60000));
  if (minutes < 60) return `${minutes} min`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
}

export const words = (identifier) => identifier.replaceAll("-", " ");
