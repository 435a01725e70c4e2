// The selected text, as it was written: lines that were broken for the screen come out without these breaks.

/**
 * The words that a line is drawn from, and those of its letters that are only drawn.
 *
 * @typedef {{text: any, words: string, start: number, end: number, before: number}} Drawn
 */

/** @type {WeakMap<Element, Drawn>} */
const lines = new WeakMap();

/** Notes what is drawn in a line.
 * @param {Element} element @param {Drawn} drawn */
export const note = (element, drawn) => void lines.set(element, drawn);

/** How many letters of a line are before an end of a selection.
 * @param {Element} element @param {Node} node @param {number} offset */
function lettersBefore(element, node, offset) {
  if (node === element || !element.contains(node)) return offset && [...element.childNodes].slice(0, offset).reduce((sum, one) => sum + (one.textContent?.length ?? 0), 0);
  let sum = 0;
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let one = walker.nextNode(); one && one !== node; one = walker.nextNode()) sum += one.textContent?.length ?? 0;
  return sum + offset;
}

/** The words of a selection within rows; an empty text where it has none.
 * @param {Selection} selection @param {Element} root */
export function written(selection, root) {
  if (selection.isCollapsed || !selection.rangeCount) return "";
  const range = selection.getRangeAt(0);
  /** @type {string[]} */
  const parts = [];
  /** @type {Drawn | undefined} */
  let last;
  for (const element of root.querySelectorAll(".forme-line")) {
    const drawn = lines.get(element);
    if (!drawn || !range.intersectsNode(element)) continue;
    const most = drawn.end - drawn.start;
    const clamp = (/** @type {number} */ letters) => Math.max(0, Math.min(most, letters - drawn.before));
    const from = element.contains(range.startContainer) ? clamp(lettersBefore(element, range.startContainer, range.startOffset)) : 0;
    const to = element.contains(range.endContainer) ? clamp(lettersBefore(element, range.endContainer, range.endOffset)) : most;
    if (to < from) continue;
    const words = drawn.words.slice(drawn.start + from, drawn.start + to);
    if (last && last.text === drawn.text && last.end <= drawn.start) parts[parts.length - 1] += drawn.words.slice(last.end, drawn.start) + words;
    else parts.push(words);
    last = drawn;
  }
  return parts.map((part) => part.replace(/[ \t]+$/, "")).join("\n");
}
