// The lines of a text: each is one element on its baseline, with the words of the message, and nothing of it is measured.

import { note } from "./copying.js";
import { pitch } from "./fonts.js";
import { address, wordsOf } from "./said.js";

/** @typedef {import("./view.js").Easel} Easel */

const trailing = /[ \t\n\u3000]+$/;
const joiner = "\u200d";
const marks = /** @type {Record<string, string>} */ ({ ellipsis: "\u2026", hyphen: "\u2010" });
// The marks that stand for letters of another direction, where the line was cut within such letters: without them, punctuation and numbers at its ends run another way.
const turns = /** @type {Record<string, string>} */ ({ ltr: "\u200e", rtl: "\u200f", arabic: "\u061c" });
const links = ["url", "email", "phone", "mention", "hashtag", "command"];

/** @param {any} face @param {string[]} [look] @param {string} [language] that a font is listed for */
export const styled = (face, look = [], language) => ({
  language,
  weight: look.includes("bold") ? Math.max(700, face.weight) : face.weight, italic: face.italic || look.includes("italic"),
  monospaced: face.monospaced || look.includes("monospaced"),
});

/**
 * @param {HTMLElement} parent of the node @param {any} node @param {any} said @param {Easel} easel @param {Set<string> | undefined} needs files of fonts, which are added where they are not known already
 * @param {string} [instead] words that stand there for this reader
 */
export function drawText(parent, node, said, easel, needs, instead) {
  const { text, frame } = node;
  const { scale, fonts } = easel;
  const words = instead ?? wordsOf(text, said);
  const size = text.font_size / scale;
  const [above, high] = pitch(text.font_size);
  const face = text.face ?? { weight: 400 };
  const looks = text.looks ?? [];
  // Words of the style's own are in no language of a message.
  const isOwn = text.literal !== undefined && !/\{/.test(text.literal);
  const language = !isOwn && !instead ? fonts.language(said.body?.lang) : "";
  const linked = (text.entities ?? []).filter((/** @type {any} */ one) => links.includes(one.kind));
  // A time of day is one line, also where there was too little room for the one that it was measured as.
  for (const line of instead ? text.lines.slice(0, 1) : text.lines) {
    const element = document.createElement("div");
    element.className = `forme-line${face.monospaced ? " fixed" : ""}`;
    const weight = face.weight === 400 ? "" : `;font-weight:${face.weight}`;
    element.style.cssText = `left:${(line.left - frame[0]) / scale}px;top:${(line.baseline - frame[1] - above) / scale}px;font-size:${size}px;line-height:${high / scale}px${weight}`;
    // A time of day has room for any, and stands where texts of its alignment do.
    if (instead) Object.assign(element.style, text.alignment === "center" ? { left: "50%", translate: "-50%" } : !text.alignment !== !easel.mirrored ? { left: "auto", right: 0 } : { left: 0 });
    if (face.italic) element.style.fontStyle = "italic";
    if (line.direction === "rtl") element.dir = "rtl";
    if (language) element.lang = language;
    parent.append(element);
    if (words === undefined) {
      element.classList.add("missing");
      element.style.width = `${line.width / scale}px`;
      continue;
    }
    const shown = instead ?? words.slice(line.start, line.end).replace(trailing, "");
    const end = line.start + shown.length;
    const before = instead ? "" : (turns[line.begins_in] ?? "") + (line.begins_joined ? joiner : "");
    const behind = instead ? "" : (line.ends_joined ? joiner : "") + (turns[line.ends_in] ?? "");
    if (!instead) note(element, { text, words, start: line.start, end: line.end, before: before.length });
    const cuts = [...looks, ...linked].flatMap(({ start, end: stop }) => [start, stop]).filter((place) => place > line.start && place < end);
    if (needs) for (const name of fonts.needs(shown, styled(face, [], language))) needs.add(name);
    const isPlain = !cuts.length && !looks.length && !linked.length;
    if (isPlain) element.textContent = before + clean(shown) + behind;
    const places = isPlain ? [] : [line.start, ...new Set(cuts.sort((a, b) => a - b)), end];
    for (let i = 0; i + 1 < places.length; i++) {
      const [from, to] = [places[i], places[i + 1]];
      const within = (/** @type {any} */ one) => one.start <= from && one.end >= to;
      const look = looks.find(within)?.look ?? [];
      const link = linked.find(within);
      const part = clean(words.slice(from, to));
      if (look.length && needs) for (const name of fonts.needs(part, styled(face, look, language))) needs.add(name);
      const last = i + 2 === places.length;
      const string = (i === 0 ? before : "") + part + (last ? behind : "");
      element.append(stretch(string, look, link, words));
    }
    if (!instead && line.ends_with) element.append(mark(line.ends_with));
  }
}

/** By itself, as it was measured: the browser would draw it nearer to some letters, were it of their run.
 * @param {string} name */
function mark(name) {
  const own = document.createElement("span");
  own.style.display = "inline-block";
  own.textContent = marks[name] ?? "";
  return own;
}

/** @param {string} words */
const clean = (words) => words.replaceAll("\u00ad", "");

/** @param {string} string @param {string[]} look @param {any} link @param {string} words */
function stretch(string, look, link, words) {
  if (!look.length && !link) return string;
  const target = link && ["url", "email", "phone"].includes(link.kind) ? address(link.kind, link.target ?? words.slice(link.start, link.end)) : undefined;
  const span = document.createElement(target ? "a" : "span");
  span.className = [...look, ...(link ? ["link"] : [])].map((name) => (name === "monospaced" ? "fixed" : name)).join(" ");
  span.textContent = string;
  if (span instanceof HTMLAnchorElement && target) Object.assign(span, { href: target, rel: "noopener noreferrer", target: "_blank", tabIndex: -1, draggable: false });
  return span;
}
