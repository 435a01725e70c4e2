// A row, from its bytes to what stands where: the objects that JSON has, at a fraction of the bytes and of the time.

import { DecodingError, NumberReader, listed } from "./numbers.js";
import { readSkeleton } from "./skeleton.js";
import { alignments, stamps } from "./words.js";

/** @typedef {import("./skeleton.js").Skeleton} Skeleton @typedef {import("./skeleton.js").Node} Node @typedef {import("./skeleton.js").Text} Text */

/**
 * @typedef {object} Block
 * @property {number} size in 1/64 device pixel
 * @property {number} pitch
 * @property {number} ascent
 * @property {number} widest
 * @property {number} count of all lines, also of those that an excerpt leaves out
 * @property {number} firstLine
 * @property {number[]} lines five numbers for each: start, end, left, width and traits
 * @property {number[]} spans four numbers for each: entity, line, left and width
 *
 * @typedef {object} Decoded
 * @property {number} version
 * @property {boolean} mirrored
 * @property {number} scale in thousandths
 * @property {object} layout
 * @property {object} [expanded] where it looks otherwise
 * @property {{mark: string, from: number, to: number, of: number}} [excerpt]
 */

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
  if (form < 1 || form > 4) throw new DecodingError(`form: there is no ${form}`);
  const version = form > 2 ? 2 : 1;
  const excerpt = form % 2 === 0 ? readExcerpt(reader) : undefined;
  const head = reader.atMost(1 + 2 * most.states, "states");
  const states = head >> 1;
  if (states === 0) throw new DecodingError("layout: there is none");
  const mirrored = (head & 1) === 1;
  const scale = reader.length();
  const reach = [reader.length(), reader.length(), reader.length()];
  const sharedEnd = excerpt && reader.count("shared") + reader.place;
  const skeleton = readSkeleton(reader, version);
  if (sharedEnd && sharedEnd !== reader.place) throw new DecodingError(`shared: ${sharedEnd} cannot be here`);
  /** @type {any[]} */
  const layouts = [];
  for (let state = 0; state < states; state++) {
    const count = reader.number();
    if (count === 0 && state === 0) throw new DecodingError("layout: there is none before");
    layouts.push(count === 0 ? layouts[state - 1] : new LayoutReader(reader, skeleton, scale, mirrored, excerpt).read(count - 1, reach));
  }
  if (reader.place !== bytes.length) throw new DecodingError("bytes behind a row");
  /** @type {Decoded} */
  const row = { version, mirrored, scale, layout: layouts[0] };
  if (layouts[1] && layouts[1] !== layouts[0]) row.expanded = layouts[1];
  if (excerpt) row.excerpt = excerpt.told;
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
  return { told: { mark, from, to: from + count, of }, start, passed: 0 };
}

/** One layout of a row: contents first, as sizes and places are told from those of lines. A part that is read is told at once, as JSON has it. */
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
    /** How many of both stand somewhere. */
    this.blocksPlaced = this.barsPlaced = 0;
    /** Of the axis that was read last: how far from the start, and how long. */
    this.start = this.extent = 0;
  }

  /** @param {number} contents @param {number[]} reach */
  read(contents, [narrowest, widest, natural]) {
    const { reader, skeleton } = this;
    for (let left = reader.fitting("contents", contents); left > 0; left--) this.readContent();
    const head = reader.atMost(15, "shape");
    const stamp = listed(stamps, head & 7, "stamp");
    const beside = () => (head & 8 ? pixels(reader.number(), this.scale) : reader.signed());
    let [wide, high] = [0, 0];
    for (const block of this.blocks) {
      wide = Math.max(wide, block.widest);
      high = (high + Math.imul(block.pitch, block.count)) | 0;
    }
    const size = [(beside() + wide) | 0, (beside() + high) | 0];
    const whole = [0, 0, size[0], size[1]];
    /** @type {(number[] | undefined)[]} */
    const frames = [];
    /** @type {any[]} */
    const nodes = [];
    for (const node of skeleton.nodes) {
      const told = this.readPlace(node, frames.length, (node.parent < 0 ? undefined : frames[node.parent]) ?? whole);
      frames.push(told?.frame);
      if (told) nodes.push(told);
    }
    if (this.blocksPlaced < this.blocks.length || this.barsPlaced < this.bars.length) throw new DecodingError("contents that stand nowhere");
    return {
      size,
      rows: { narrowest, widest: widest === unbounded ? null : widest },
      natural_width: natural,
      stamp,
      confidence: skeleton.confidence,
      nodes,
      reading: nodes.length === frames.length ? skeleton.reading : skeleton.reading.filter(({ node }) => frames[node]),
    };
  }

  readContent() {
    const { reader } = this;
    const head = reader.number();
    const count = head >>> 4;
    // One that is like another is in no row that is sent.
    if (head & 8) throw new DecodingError(`content: there is no ${head}`);
    if (head & 1) {
      this.bars.push(Array.from({ length: reader.fitting("bars", count) }, () => reader.atMost(255, "bar")));
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
      block.lines.push(start, stop, left, width, unusual & 4 ? reader.length() : ((head >> 1) & 1) | (i === count - 1 ? 8 : 0));
      start = stop;
    }
    if (unusual & 8) {
      const spans = reader.count("spans");
      for (let i = 0; i < spans; i++) block.spans.push(reader.length(), reader.length(), reader.signed(), reader.length());
    }
  }

  /** The range of lines that are here, of a content with so many: all of them, unless the row is an excerpt.
   * @param {number} count @returns {[number, number]} */
  linesHere(count) {
    const walk = this.excerpt;
    if (!walk) return [0, count];
    const { from, to, of } = walk.told;
    const first = Math.min(count, Math.max(0, from - walk.passed));
    const end = Math.min(count, Math.max(first, to - walk.passed));
    walk.passed += count;
    if (walk.passed > of) throw new DecodingError(`lines: more than ${of}`);
    return [first, end];
  }

  /** A node as JSON tells it, where it is somewhere. All have the same members, so that engines know where each stands; a member that JSON leaves out is undefined.
   * @param {Node} node @param {number} number @param {number[]} outer */
  readPlace(node, number, outer) {
    const { reader } = this;
    const parts = reader.atMost(511, "place");
    if (parts === 0) return undefined;
    // A place is told in points or in pixels, and by its lines only where it has some.
    if (!(parts & 1) || (parts & 2 && parts & 256) || (parts & 24 && !(parts & 4))) throw new DecodingError(`place: there is no ${parts}`);
    const block = parts & 4 ? this.blocks[this.blocksPlaced++] : undefined;
    if (parts & 4 && !block) throw new DecodingError("place: there are no lines");
    this.axis(parts, node.pins & 3, outer[2], parts & 16 && block ? block.widest : undefined);
    const [start, wide] = [this.start, this.extent];
    this.axis(parts, node.pins >> 2, outer[3], parts & 8 && block ? Math.imul(block.pitch, block.count) : undefined);
    const left = this.mirrored ? (outer[2] - start - wide) | 0 : start;
    const frame = [(outer[0] + left) | 0, (outer[1] + this.start) | 0, wide | 0, this.extent | 0];
    const radius = parts & 32 ? this.length(parts) : 0;
    const [fillWide, fillHigh] = parts & 64 ? [this.length(parts), this.length(parts)] : [0, 0];
    const bars = parts & 128 ? this.bars[this.barsPlaced++] : undefined;
    const isFilled = fillWide !== 0 || fillHigh !== 0;
    return {
      node: number, part: node.part, role: node.role, parent: node.parent < 0 ? undefined : node.parent, frame, pins: node.pinNames,
      corners: node.corners.length ? node.corners : undefined, radius: node.corners.length ? radius : undefined,
      clips: node.traits & 1 ? true : undefined, opaque: node.traits & 2 ? true : undefined, overlaid: node.traits & 4 ? true : undefined,
      token: node.token, source: node.source, action: node.action, priority: node.action === undefined ? undefined : node.priority, about: node.about,
      text: block && node.text >= 0 ? toldText(this.skeleton.texts[node.text], node, frame, block) : undefined,
      fill: isFilled ? [fillWide, fillHigh] : undefined,
      crop: isFilled ? [((fillWide - frame[2]) / 2) | 0, ((fillHigh - frame[3]) / 2) | 0, frame[2], frame[3]] : undefined,
      bars: bars?.length ? bars : undefined,
    };
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
   * @param {number} parts @param {number} pinned @param {number} around @param {number | undefined} own */
  axis(parts, pinned, around, own) {
    const first = this.distance(parts);
    this.start = first;
    if (pinned === 3) return void (this.extent = (around - first - (own ?? this.distance(parts))) | 0);
    this.extent = own ?? this.length(parts);
    if (pinned === 2) this.start = (around - first - this.extent) | 0;
  }
}

/** @param {Text} text @param {Node} node @param {number[]} frame @param {Block} block */
function toldText(text, node, frame, block) {
  const { alignment, entities } = text;
  const [left, top, wide] = frame;
  const { pitch, ascent, lines, spans } = block;
  const told = [];
  for (let place = 0, number = block.firstLine; place < lines.length; place += 5, number++) {
    const [width, traits] = [lines[place + 3], lines[place + 4]];
    const isRightToLeft = (traits & 1) === 1;
    const against = isRightToLeft ? "ltr" : "rtl";
    const room = (wide - width) | 0;
    const begin = alignment === 1 ? (room / 2) | 0 : isRightToLeft === (alignment === 2) ? 0 : room;
    const above = (top + Math.imul(number, pitch)) | 0;
    told.push({
      start: lines[place], end: lines[place + 1], left: (left + begin + lines[place + 2]) | 0, top: above, baseline: (above + ascent) | 0, width,
      direction: isRightToLeft ? "rtl" : "ltr", ends_with: traits & 4 ? "ellipsis" : traits & 2 ? "hyphen" : undefined,
      begins_joined: traits & 64 ? true : undefined, ends_joined: traits & 32 ? true : undefined,
      begins_in: traits & 512 ? "arabic" : traits & 256 ? against : undefined, ends_in: traits & 128 ? against : undefined,
    });
  }
  return {
    literal: text.literal, generated: text.generated, path: text.face && ((text.path ?? node.source) || undefined), face: text.face,
    pieces: text.pieces.length ? text.pieces : undefined, alignment: alignment > 0 ? alignments[alignment] : undefined, font_size: block.size / 64, lines: told,
    looks: text.looks.length ? text.looks : undefined,
    entities: entities.length ? entities.map(({ kind, start, end, target }, number) => ({ kind, start, end, target, frames: framesOf(number, spans, left, top, pitch) })) : undefined,
  };
}

/** @param {number} entity @param {number[]} spans @param {number} left @param {number} top @param {number} pitch */
function framesOf(entity, spans, left, top, pitch) {
  const frames = [];
  for (let place = 0; place < spans.length; place += 4) {
    if (spans[place] === entity) frames.push([left + spans[place + 2], top + spans[place + 1] * pitch, spans[place + 3], pitch]);
  }
  return frames;
}
