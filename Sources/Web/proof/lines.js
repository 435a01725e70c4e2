// Lines of a text as a browser breaks it, and as the service does.

import { pitch, styled } from "../forme/forme-rows.js";

const trailing = /[ \t\n\u3000]+$/;

/** Draws a text twice: line by line as its row says, and as one paragraph.
 * @param {HTMLElement} ours @param {HTMLElement} theirs @param {any} node @param {string} words @param {{scale: number, fonts: any, language: string}} easel */
export async function drawLines(ours, theirs, node, words, { scale, fonts, language }) {
  const { text, frame } = node;
  const [above, high] = pitch(text.font_size);
  const size = text.font_size / scale;
  const face = text.face ?? { weight: 400 };
  await fonts.load(fonts.needs(words, { ...face, language }));
  for (const { start, end, look } of text.looks ?? []) await fonts.load(fonts.needs(words.slice(start, end), styled(face, look, language)));
  const [wide, tall] = [frame[2] / scale, frame[3] / scale];
  ours.style.cssText = `position:relative;width:${wide}px;height:${tall}px`;
  const { length } = text.lines;
  const step = length > 1 ? (text.lines[1].top - text.lines[0].top) / scale : tall;
  theirs.style.cssText = `width:${wide}px;min-height:${tall}px;font-size:${size}px;line-height:${step}px;font-weight:${face.weight};font-style:${face.italic ? "italic" : "normal"}`;
  theirs.className = `side theirs forme-line${face.monospaced ? " fixed" : ""}`;
  theirs.style.position = "relative";
  theirs.style.whiteSpace = "pre-wrap";
  theirs.dir = text.lines[0].direction;
  theirs.style.textAlign = text.alignment ?? "start";
  for (const line of text.lines) {
    const element = document.createElement("div");
    element.className = `forme-line${face.monospaced ? " fixed" : ""}`;
    element.style.cssText = `left:${(line.left - frame[0]) / scale}px;top:${(line.baseline - frame[1] - above) / scale}px;font-size:${size}px;line-height:${high / scale}px;font-weight:${face.weight};font-style:${face.italic ? "italic" : "normal"}`;
    element.dir = line.direction;
    fill(element, words, line.start, line.start + words.slice(line.start, line.end).replace(trailing, "").length, text.looks ?? []);
    ours.append(element);
  }
  fill(theirs, words, 0, words.length, text.looks ?? []);
}

/** Words with their looks.
 * @type {(element: HTMLElement, words: string, start: number, end: number, looks: any[]) => void} */
function fill(element, words, start, end, looks) {
  const cuts = [...new Set([start, end, ...looks.flatMap((look) => [look.start, look.end]).filter((cut) => cut > start && cut < end)])].sort((a, b) => a - b);
  for (let i = 0; i + 1 < cuts.length; i++) {
    const look = looks.find((one) => one.start <= cuts[i] && one.end >= cuts[i + 1])?.look ?? [];
    const span = document.createElement("span");
    span.className = look.map((/** @type {string} */ name) => (name === "monospaced" ? "fixed" : name)).join(" ");
    span.textContent = words.slice(cuts[i], cuts[i + 1]);
    element.append(span);
  }
}

/** Where lines of the browser begin, how wide they are, and how high all of them: differences in device pixels.
 * @param {HTMLElement} theirs @param {any} node @param {string} words @param {number} scale */
export function linesOf(theirs, node, words, scale) {
  const range = document.createRange();
  theirs.style.minHeight = "";
  const box = theirs.getBoundingClientRect();
  const { lines } = node.text;
  let [breaks, worst, side] = [0, 0, 0];
  const place = placesOf(theirs);
  for (const [number, line] of lines.entries()) {
    const end = line.start + words.slice(line.start, line.end).replace(trailing, "").length;
    if (end <= line.start) continue;
    const [from, to] = [place(line.start), place(end)];
    range.setStart(from.node, from.offset);
    range.setEnd(to.node, to.offset);
    const rects = [...range.getClientRects()].filter((rect) => rect.width > 0.01);
    if (!rects.length) continue;
    // A line of ours that the browser has on two, or on another than we.
    const rows = new Set(rows_(rects, box));
    const step = parseFloat(theirs.style.lineHeight);
    const isElsewhere = rows.size !== 1 || Math.round((rects[0].top + rects[0].height / 2 - box.top) / step - 0.5) !== number;
    if (isElsewhere) {
      breaks += 1;
      for (const rect of rects) {
        const mark = document.createElement("div");
        mark.className = "mark";
        mark.style.cssText = `left:${rect.left - box.left}px;top:${rect.top - box.top}px;width:${rect.width}px;height:${rect.height}px`;
        theirs.append(mark);
      }
      continue;
    }
    const left = Math.min(...rects.map((rect) => rect.left));
    const wide = (Math.max(...rects.map((rect) => rect.right)) - left) * scale;
    worst = Math.max(worst, Math.abs(wide - line.width));
    // Where it begins, whichever way it runs.
    const start = (left - box.left) * scale - (line.left - node.frame[0]);
    side = Math.max(side, Math.abs(line.direction === "rtl" ? start + wide - line.width : start));
  }
  const step = lines.length > 1 ? lines[1].top - lines[0].top : node.frame[3];
  return { lines: lines.length, breaks, worst, side, high: Math.abs(box.height * scale - step * lines.length) };
}

/** @param {DOMRect[]} rects @param {DOMRect} box */
const rows_ = (rects, box) => rects.map((rect) => Math.round((rect.top + rect.height / 2 - box.top) / Math.max(4, rect.height)));

/** The place of a unit in the texts of an element.
 * @param {HTMLElement} element */
function placesOf(element) {
  /** @type {{node: Node, start: number, length: number}[]} */
  const nodes = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let start = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    nodes.push({ node, start, length });
    start += length;
  }
  return (/** @type {number} */ unit) => {
    const own = nodes.find((one) => unit <= one.start + one.length) ?? nodes[nodes.length - 1];
    return { node: own.node, offset: unit - own.start };
  };
}
