// The common part of all layouts of a message: its nodes, its texts, and what drawing them needs.

import { DecodingError, NumberReader, listed } from "./numbers.js";
import { accessRoles, alignments, confidences, corners, entityKinds, looks, names, pins, roles, wellKnown, wellKnownPaths } from "./words.js";

/**
 * @typedef {object} Node
 * @property {string} part
 * @property {string} role
 * @property {number} access the place of its access role, 0 for none
 * @property {number} parent -1 for none
 * @property {number} pins bits
 * @property {string[]} pinNames
 * @property {string[]} corners
 * @property {number} traits bits: clips, opaque, overlaid
 * @property {string} [token]
 * @property {string} [source]
 * @property {number} text place in the texts, -1 for none
 * @property {string} [action]
 * @property {number} priority
 * @property {string} [label]
 * @property {string} [about] what its action is about, where rows of this version say so
 *
 * @typedef {object} Text
 * @property {number} alignment
 * @property {string} [literal]
 * @property {number[][]} pieces
 * @property {{start: number, end: number, look: string[]}[]} looks
 * @property {{kind: string, start: number, end: number, target?: string}[]} entities
 * @property {{weight: number, italic: boolean, monospaced: boolean}} [face]
 * @property {string} [path]
 * @property {string} [generated]
 *
 * @typedef {{nodes: Node[], texts: Text[], reading: {node: number, role: string, label?: string}[], confidence: string[]}} Skeleton
 */

const most = { nodes: 1024, texts: 1024, words: 4096, elements: 1024 };

/** Some that were read lately, the last one first: rows of one kind mostly have the same. Bytes that are the same are read as the same, as nothing is told behind them.
 * @type {{bytes: Uint8Array, version: number, skeleton: Skeleton}[]} */
const lately = [];
const mostLately = { count: 64, bytes: 2048 };

/** The one that stands here, if it was read lately. It is shared, and not to be changed.
 * @param {NumberReader} reader @param {number} version */
function recall({ bytes, place, end }, version) {
  for (let number = 0; number < lately.length; number++) {
    const known = lately[number];
    const { length } = known.bytes;
    if (known.version !== version || length > end - place) continue;
    let same = 0;
    while (same < length && known.bytes[same] === bytes[place + same]) same++;
    if (same < length) continue;
    for (let before = number; before > 0; before--) lately[before] = lately[before - 1];
    return (lately[0] = known);
  }
  return undefined;
}

/** @param {NumberReader} reader @param {number} version 1, or 2 with what drawing needs @returns {Skeleton} */
export function readSkeleton(reader, version) {
  const known = recall(reader, version);
  if (known) {
    reader.place += known.bytes.length;
    return known.skeleton;
  }
  const start = reader.place;
  const skeleton = read(reader, version);
  if (reader.place - start > mostLately.bytes) return skeleton;
  lately.unshift({ bytes: reader.bytes.slice(start, reader.place), version, skeleton });
  if (lately.length > mostLately.count) lately.pop();
  return skeleton;
}

/** @param {NumberReader} reader @param {number} version @returns {Skeleton} */
function read(reader, version) {
  const count = reader.count("nodes", most.nodes);
  const word = readWords(reader, wellKnown);
  /** @type {Node[]} */
  const nodes = [];
  for (let place = 0; place < count; place++) nodes.push(readNode(reader, place, nodes, word));
  const texts = [];
  for (let left = reader.count("texts", most.texts); left > 0; left--) texts.push(readText(reader, word));
  for (const node of nodes) if (node.text >= texts.length) throw new DecodingError(`text: there is no ${node.text}`);
  const reading = readReading(reader, nodes).map((node) => ({ node, role: accessRoles[nodes[node].access], label: nodes[node].label }));
  const confidence = names(reader.atMost(7, "confidence"), confidences);
  if (version > 1) readDrawing(reader, nodes, texts);
  return { nodes, texts, reading, confidence };
}

/** The words of a part, by number: 0 is none.
 * @param {NumberReader} reader @param {string[]} known */
function readWords(reader, known) {
  /** @type {(string | undefined)[]} */
  const words = [undefined];
  for (let left = reader.count("words", most.words); left > 0; left--) {
    const head = reader.number();
    words.push(head & 1 ? listed(known, head >>> 1, "word") : reader.utf8(head >>> 1));
  }
  return () => words[reader.atMost(words.length - 1, "word")];
}

/** @param {NumberReader} reader @param {number} place @param {Node[]} before @param {() => string | undefined} word @returns {Node} */
function readNode(reader, place, before, word) {
  const part = word() ?? "";
  const role = reader.atMost(15 + 16 * (accessRoles.length - 1), "role");
  const has = reader.atMost(1023, "fields");
  const parent = has & 1 ? place - reader.number() : before.at(-1)?.parent ?? -1;
  if (parent < -1 || parent >= place) throw new DecodingError(`parent: ${parent} of node ${place}`);
  const pinned = has & 2 ? reader.atMost(15, "pins") : 5;
  const round = has & 4 ? reader.atMost(15, "corners") : 0;
  const token = has & 8 ? word() : undefined;
  const source = has & 16 ? word() : undefined;
  const text = has & 32 ? reader.atMost(most.texts - 1, "text") : -1;
  const marked = has & 64 ? reader.atMost(7, "traits") : 0;
  const action = has & 128 ? word() : undefined;
  const priority = has & 256 ? reader.signed() : 0;
  const label = has & 512 ? word() : undefined;
  return {
    part, role: listed(roles, role & 15, "role"), access: role >> 4, parent, pins: pinned, pinNames: names(pinned, pins), corners: names(round, corners), token, source,
    text, traits: marked, action, priority, label, about: undefined,
  };
}

/** @param {NumberReader} reader */
function readRange(reader) {
  const start = reader.length();
  return { start, end: (start + reader.length()) | 0 };
}

/** @param {NumberReader} reader @param {() => string | undefined} word @returns {Text} */
function readText(reader, word) {
  const head = reader.atMost(63, "text");
  listed(alignments, head & 3, "alignment");
  const literal = head & 4 ? word() : undefined;
  /** @param {number} bit @param {string} what @param {() => any} read */
  const list = (bit, what, read) => (head & bit ? Array.from({ length: reader.count(what) }, read) : []);
  return {
    alignment: head & 3,
    literal,
    pieces: list(8, "pieces", () => {
      const { start, end } = readRange(reader);
      return [start, end];
    }),
    looks: list(16, "spans", () => ({ ...readRange(reader), look: names(reader.atMost(31, "look"), looks) })),
    entities: list(32, "entities", () => {
      const range = readRange(reader);
      return { kind: entityKinds[reader.atMost(entityKinds.length - 1, "entity")], ...range, target: word() };
    }),
  };
}

/** Nodes in the order in which they are read out.
 * @param {NumberReader} reader @param {Node[]} nodes */
function readReading(reader, nodes) {
  const count = reader.number();
  if (count === 0) return [...nodes.keys()].filter((place) => nodes[place].access > 0);
  if (count - 1 > nodes.length) throw new DecodingError(`reading: ${count - 1} of ${nodes.length} nodes`);
  return Array.from({ length: count - 1 }, () => reader.atMost(nodes.length - 1, "reading"));
}

/** @param {NumberReader} reader @param {Node[]} nodes @param {Text[]} texts */
function readDrawing(reader, nodes, texts) {
  const word = readWords(reader, wellKnownPaths);
  /** Paths of elements, by number: 0 is the message. */
  const elements = [""];
  /** @param {number} element */
  const path = (element) => {
    const outer = listed(elements, element, "element");
    const field = word();
    if (element === 0 && field === undefined) throw new DecodingError("path: there is none");
    return [outer, field].filter(Boolean).join(".");
  };
  for (let left = reader.count("elements", most.elements); left > 0; left--) {
    const list = path(reader.number());
    elements.push(`${list}[${reader.length()}]`);
  }
  for (const text of texts) {
    const head = reader.atMost(7 + 8 * 1001, "face");
    const weight = head >> 3;
    text.face = { weight: weight === 0 ? 400 : weight === 1 ? 700 : weight - 1, italic: !!(head & 2), monospaced: !!(head & 4) };
    if (head & 1) text.path = path(reader.number());
  }
  for (const node of nodes) {
    if (node.action === undefined) continue;
    const head = reader.number();
    node.about = (head > 0 ? path(head - 1) : node.source) || undefined;
  }
  for (let left = reader.count("generated", texts.length); left > 0; left--) {
    const text = texts[reader.atMost(texts.length - 1, "text")];
    text.generated = reader.utf8(reader.number());
  }
}
