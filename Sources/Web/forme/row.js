// A row, from its bytes to what stands where: the objects that JSON has, at a fraction of the bytes and of the time.

import { DecodingError, NumberReader } from "./numbers.js";
import { readSkeleton } from "./skeleton.js";
import { accessRoles, alignments, stamps } from "./words.js";

/** @typedef {import("./skeleton.js").Skeleton} Skeleton @typedef {import("./skeleton.js").Node} Node @typedef {import("./skeleton.js").Text} Text */

/**
 * @typedef {{start: number, end: number, left: number, width: number, traits: number, gap?: number}} StoredLine
 * @typedef {object} Block
 * @property {number} size in 1/64 device pixel
 * @property {number} pitch
 * @property {number} ascent
 * @property {number} widest
 * @property {number} count of all lines, also of those that an excerpt leaves out
 * @property {number} firstLine
 * @property {StoredLine[]} lines
 * @property {{entity: number, line: number, left: number, width: number}[]} spans
 *
 * @typedef {object} Decoded
 * @property {number} version
 * @property {boolean} mirrored
 * @property {number} scale in thousandths
 * @property {object} layout
 * @property {object} [expanded] where it looks otherwise
 * @property {{mark: string, from: number, to: number, of: number}} [excerpt]
 */

const nothing = [0, 0];
/** @type {number[]} */
const none = [];
const unbounded = 2 ** 31 - 1;
const most = { bytes: 1 << 20, states: 2 };

/** Points in device pixels.
 * @param {number} points @param {number} scale */
const pixels = (points, scale) => Math.floor((points * scale + 500) / 1000) | 0;

/**
 * The layouts of a row. Total: any bytes give a row or throw a DecodingError, in time that is in proportion to them.
 *
 * @param {Uint8Array} bytes
 * @returns {Decoded}
 */
export function decodeRow(bytes) {
  if (bytes.length > most.bytes) throw new DecodingError(`a row of ${bytes.length} bytes`);
  const reader = new NumberReader(bytes);
  const form = reader.number();
  if (form < 1 || form > 4) throw new DecodingError(`a row of form ${form}, which is not known here`);
  const version = form > 2 ? 2 : 1;
  const excerpt = form % 2 === 0 ? readExcerpt(reader) : undefined;
  const head = reader.atMost(1 + 2 * most.states, "states");
  const states = head >> 1;
  if (states === 0) throw new DecodingError("a row without a layout");
  const mirrored = (head & 1) === 1;
  const scale = reader.length();
  const reach = [reader.length(), reader.length(), reader.length()];
  const sharedEnd = excerpt && reader.count("shared") + reader.place;
  const skeleton = readSkeleton(reader, version);
  if (sharedEnd !== undefined && sharedEnd !== reader.place) throw new DecodingError("what layouts share has another length than it says");
  const walk = excerpt && { ...excerpt, passed: 0 };
  /** @type {any[]} */
  const layouts = [];
  for (let state = 0; state < states; state++) {
    const count = reader.number();
    if (count === 0 && state === 0) throw new DecodingError("a first layout as the one before");
    layouts.push(count === 0 ? layouts[state - 1] : new LayoutReader(reader, skeleton, scale, mirrored, walk).read(count - 1, reach, version));
  }
  if (reader.place !== bytes.length) throw new DecodingError("bytes behind a row");
  /** @type {Decoded} */
  const row = { version, mirrored, scale, layout: layouts[0] };
  if (layouts[1] && layouts[1] !== layouts[0]) row.expanded = layouts[1];
  if (excerpt) row.excerpt = { mark: excerpt.mark, from: excerpt.from, to: excerpt.to, of: excerpt.of };
  return row;
}

/** @param {NumberReader} reader */
function readExcerpt(reader) {
  let mark = "";
  for (let i = 0; i < 8; i++) {
    if (reader.place >= reader.end) throw new DecodingError("the bytes end within a mark");
    mark = reader.bytes[reader.place++].toString(16).padStart(2, "0") + mark;
  }
  const [from, count, of, start] = [reader.number(), reader.number(), reader.number(), reader.length()];
  if (from + count > of || count === of) throw new DecodingError(`lines: ${count} from ${from} of ${of}`);
  return { mark, from, to: from + count, of, start };
}

/** One layout of a row: contents first, as sizes and places are told from those of lines. */
class LayoutReader {
  /** @param {NumberReader} reader @param {Skeleton} skeleton @param {number} scale @param {boolean} mirrored @param {any} excerpt */
  constructor(reader, skeleton, scale, mirrored, excerpt) {
    this.reader = reader;
    this.skeleton = skeleton;
    this.scale = scale;
    this.mirrored = mirrored;
    this.excerpt = excerpt;
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {number[][]} */
    this.bars = [];
  }

  /** @param {number} contents @param {number[]} reach @param {number} version */
  read(contents, [narrowest, widest, natural], version) {
    const { reader } = this;
    if (contents > reader.end - reader.place) throw new DecodingError(`contents: ${contents} cannot be here`);
    for (let i = 0; i < contents; i++) this.readContent();
    const head = reader.atMost(15, "shape");
    if ((head & 7) >= stamps.length) throw new DecodingError(`stamp: there is no ${head & 7}`);
    const beside = () => (head & 8 ? pixels(reader.number(), this.scale) : reader.signed());
    let [wide, high] = [0, 0];
    for (const block of this.blocks) {
      wide = Math.max(wide, block.widest);
      high = (high + Math.imul(block.pitch, block.count)) | 0;
    }
    const size = [(beside() + wide) | 0, (beside() + high) | 0];
    /** @type {(Placed | undefined)[]} */
    const placed = [];
    for (const node of this.skeleton.nodes) placed.push(this.readPlace(node, placed, size));
    if (this.blocks.length || this.bars.length) throw new DecodingError("contents that stand nowhere");
    /** @type {any[]} */
    const nodes = [];
    for (let i = 0; i < placed.length; i++) {
      const place = placed[i];
      if (place) nodes.push(told(this.skeleton, i, place, version));
    }
    const reading = [];
    for (const node of this.skeleton.reading) {
      if (!placed[node]) continue;
      const { access, label } = this.skeleton.nodes[node];
      reading.push(label === undefined ? { node, role: accessRoles[access] } : { node, role: accessRoles[access], label });
    }
    return {
      size,
      rows: { narrowest, widest: widest === unbounded ? null : widest },
      natural_width: natural,
      stamp: stamps[head & 7],
      confidence: this.skeleton.confidence,
      nodes,
      reading,
    };
  }

  readContent() {
    const { reader } = this;
    const head = reader.number();
    const count = head >>> 4;
    if (head & 8) throw new DecodingError("a content of a row that is like another");
    if (head & 1) {
      if (count > reader.end - reader.place) throw new DecodingError(`bars: ${count} cannot be here`);
      this.bars.push(Array.from({ length: count }, () => reader.atMost(255, "bar")));
      return;
    }
    /** @type {Block} */
    const block = { size: reader.length(), pitch: reader.length(), ascent: reader.length(), widest: 0, count, firstLine: 0, lines: [], spans: [] };
    this.blocks.push(block);
    const unusual = head & 4 ? reader.atMost(15, "unusual") : 0;
    if (count > 0) block.widest = reader.length();
    const [first, end] = this.linesHere(count);
    if ((end - first) * 2 > reader.end - reader.place) throw new DecodingError(`lines: ${end - first} cannot be here`);
    block.firstLine = first;
    let start = first > 0 && this.excerpt ? this.excerpt.start : 0;
    for (let i = first; i < end; i++) {
      if (unusual & 1) start = (start + reader.signed()) | 0;
      const stop = (start + reader.length()) | 0;
      const width = (block.widest - reader.length()) | 0;
      const left = unusual & 2 ? reader.signed() : 0;
      const traits = unusual & 4 ? reader.atMost(127, "traits") : ((head >> 1) & 1) | (i === count - 1 ? 8 : 0);
      block.lines.push({ start, end: stop, left, width, traits });
      start = stop;
    }
    if (unusual & 8) {
      const spans = reader.count("spans");
      for (let i = 0; i < spans; i++) block.spans.push({ entity: reader.length(), line: reader.length(), left: reader.signed(), width: reader.length() });
    }
  }

  /** Which lines of a content with so many are here: all of them, unless the row is an excerpt.
   * @param {number} count @returns {[number, number]} */
  linesHere(count) {
    const walk = this.excerpt;
    if (!walk) return [0, count];
    const first = Math.min(count, Math.max(0, walk.from - walk.passed));
    const end = Math.min(count, Math.max(first, walk.to - walk.passed));
    walk.passed += count;
    if (walk.passed > walk.of) throw new DecodingError(`lines: more than ${walk.of}`);
    return [first, end];
  }

  /** @param {Node} node @param {(Placed | undefined)[]} before @param {number[]} size @returns {Placed | undefined} */
  readPlace(node, before, size) {
    const { reader } = this;
    const parts = reader.atMost(511, "place");
    if (parts === 0) return undefined;
    if (!(parts & 1) || (parts & 2 && parts & 256)) throw new DecodingError(`place: ${parts} is none`);
    if (parts & 24 && !(parts & 4)) throw new DecodingError("a place without lines that is told by its lines");
    const block = parts & 4 ? this.blocks.shift() : undefined;
    if (parts & 4 && !block) throw new DecodingError("a place with lines that are not there");
    const outer = before[node.parent]?.frame ?? [0, 0, size[0], size[1]];
    const [start, wide] = this.axis(parts, node.pins & 3, outer[2], parts & 16 ? block?.widest : undefined);
    const [top, high] = this.axis(parts, node.pins >> 2, outer[3], parts & 8 && block ? Math.imul(block.pitch, block.count) : undefined);
    const left = this.mirrored ? (outer[2] - start - wide) | 0 : start;
    const frame = [(outer[0] + left) | 0, (outer[1] + top) | 0, wide | 0, high | 0];
    const radius = parts & 32 ? this.length(parts) : 0;
    const fill = parts & 64 ? [this.length(parts), this.length(parts)] : nothing;
    const bars = parts & 128 ? this.bars.shift() : undefined;
    return { frame, radius, fill, bars: bars ?? none, block };
  }

  /** In points or in device pixels, as the parts of a place say.
   * @param {number} parts */
  length(parts) {
    return parts & 2 ? pixels(this.reader.number(), this.scale) : this.reader.length();
  }

  /** @param {number} parts */
  distance(parts) {
    return parts & 256 ? this.reader.signed() : this.length(parts);
  }

  /** Where something begins and how long it is, by which edges of what is around it holds it.
   * @param {number} parts @param {number} pinned @param {number} around @param {number | undefined} own @returns {[number, number]} */
  axis(parts, pinned, around, own) {
    const first = this.distance(parts);
    if (pinned === 3) return [first, (around - first - (own ?? this.distance(parts))) | 0];
    const extent = own ?? this.length(parts);
    return [pinned === 2 ? (around - first - extent) | 0 : first, extent];
  }
}

/** @typedef {{frame: number[], radius: number, fill: number[], bars: number[], block?: Block}} Placed */

/** A node as JSON tells it.
 * @param {Skeleton} skeleton @param {number} place @param {Placed} placed @param {number} version */
function told(skeleton, place, { frame, radius, fill, bars, block }, version) {
  const node = skeleton.nodes[place];
  /** @type {Record<string, any>} */
  const out = { node: place, part: node.part, role: node.role };
  if (node.parent >= 0) out.parent = node.parent;
  out.frame = frame;
  out.pins = node.pinNames;
  if (node.corners.length) Object.assign(out, { corners: node.corners, radius });
  for (const name of node.traits) out[name] = true;
  if (node.token !== undefined) out.token = node.token;
  if (node.source !== undefined) out.source = node.source;
  if (node.action !== undefined) {
    Object.assign(out, { action: node.action, priority: node.priority });
    if (version > 1) {
      const about = node.about ?? node.source;
      if (about) out.about = about;
    }
  }
  if (block && node.text >= 0) out.text = toldText(skeleton.texts[node.text], node, frame, block, version);
  if (fill[0] !== 0 || fill[1] !== 0) {
    out.fill = fill;
    out.crop = [((fill[0] - frame[2]) / 2) | 0, ((fill[1] - frame[3]) / 2) | 0, frame[2], frame[3]];
  }
  if (bars.length) out.bars = bars;
  return out;
}

/** @param {Text} text @param {Node} node @param {number[]} frame @param {Block} block @param {number} version */
function toldText(text, node, frame, block, version) {
  /** @type {Record<string, any>} */
  const out = {};
  if (text.literal !== undefined) out.literal = text.literal;
  if (version > 1) {
    if (text.generated !== undefined) out.generated = text.generated;
    const path = text.path ?? node.source;
    if (path) out.path = path;
    out.face = text.face;
  }
  if (text.pieces.length) out.pieces = text.pieces;
  if (text.alignment > 0) out.alignment = alignments[text.alignment];
  out.font_size = block.size / 64;
  out.lines = block.lines.map((line, i) => toldLine(line, block.firstLine + i, text.alignment, frame, block));
  if (text.looks.length) out.looks = text.looks;
  if (text.entities.length) {
    out.entities = text.entities.map(({ kind, start, end, target }, i) => ({
      kind, start, end,
      ...(target !== undefined && { target }),
      frames: block.spans.filter((span) => span.entity === i).map((span) => [frame[0] + span.left, frame[1] + span.line * block.pitch, span.width, block.pitch]),
    }));
  }
  return out;
}

/** @param {StoredLine} line @param {number} number @param {number} alignment @param {number[]} frame @param {Block} block */
function toldLine(line, number, alignment, frame, block) {
  const isRightToLeft = (line.traits & 1) === 1;
  const room = (frame[2] - line.width) | 0;
  const begin = alignment === 1 ? (room / 2) | 0 : isRightToLeft === (alignment === 2) ? 0 : room;
  const top = (frame[1] + Math.imul(number, block.pitch)) | 0;
  /** @type {Record<string, any>} */
  const out = {
    start: line.start, end: line.end, left: (frame[0] + begin + line.left) | 0, top, baseline: (top + block.ascent) | 0, width: line.width,
    direction: isRightToLeft ? "rtl" : "ltr",
  };
  if (line.traits & 2) out.ends_with = "hyphen";
  if (line.traits & 4) out.ends_with = "ellipsis";
  if (line.traits & 64) out.begins_joined = true;
  if (line.traits & 32) out.ends_joined = true;
  return out;
}
