// The knowledge of a message beside its layout. All of it comes from outside: it is looked up, and never trusted.

/** The value at a path, such as `options[1].text`. A value that is told apart from the body, so that it changes without an edit, is newer than that of the body.
 * @param {any} said @param {string} path @returns {any} */
export function at(said, path) {
  let value = { ...said, ...said?.body };
  for (const apart of ["status", "reactions"]) if (said?.[apart] !== undefined) value[apart] = said[apart];
  for (const step of path.split(/[.[\]]+/)) if (step) value = typeof value === "object" && value && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

/** @param {any} said @param {string} path */
export const textAt = (said, path) => {
  const value = at(said, path);
  return typeof value === "string" ? value : undefined;
};

/** The words of a text; undefined where they stand in a message that is not known.
 * @param {any} text @param {any} said */
export function wordsOf(text, said) {
  if (text.generated !== undefined) return text.generated;
  if (text.literal !== undefined && !/\{/.test(text.literal)) return text.literal;
  const found = text.path === undefined ? undefined : textAt(said, text.path);
  return found !== undefined && text.pieces ? text.pieces.map((/** @type {number[]} */ [start, end]) => found.slice(start, end)).join("") : found;
}

/** A colour of eight for a name, the same for everybody.
 * @param {string} name */
export function hue(name) {
  let hash = 2_166_136_261;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 16_777_619);
  return ((hash ^ (hash >>> 15)) >>> 0) % 8;
}

/** The first letters of the first and the last word.
 * @param {string} name */
export function initials(name) {
  const words = name.split(/[\s\-_.]+/u).filter((word) => /^\p{L}/u.test(word));
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0]?.toLocaleUpperCase() ?? "").join("");
}

/** A time of day for a reader.
 * @param {number} time @param {any} reader */
export function clock(time, { clock: form = "24", zone } = {}) {
  let offset = zone ? zone.offset : -60 * new Date(time).getTimezoneOffset();
  for (const [from, next] of zone?.changes ?? []) if (time >= 1000 * from) offset = next;
  const date = new Date(time + 1000 * offset);
  // Hours of two digits, as rows keep room for the widest time: a shorter one would leave a hole beside it.
  const two = (/** @type {number} */ number) => `${number}`.padStart(2, "0");
  const [hour, minute] = [date.getUTCHours(), two(date.getUTCMinutes())];
  if (form !== "12") return `${two(hour)}:${minute}`;
  return `${two(hour % 12 || 12)}:${minute} ${hour < 12 ? "AM" : "PM"}`;
}

const schemes = /^(?:https?|mailto|tel):/i;

/** Where a link leads; undefined where it may not lead anywhere.
 * @param {string} kind @param {string} words */
export function address(kind, words) {
  const text = kind === "email" ? `mailto:${words.replace(/^mailto:/i, "")}` : kind === "phone" ? `tel:${words.replace(/[^\d+]/g, "")}` : words;
  try {
    const url = new URL(/^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`);
    return schemes.test(url.protocol) ? url.href : undefined;
  } catch {
    return undefined;
  }
}
