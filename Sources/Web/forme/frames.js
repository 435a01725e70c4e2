// The words of a gateway, from its frames to the objects that JSON has. The page Windows has the bytes.

import { DecodingError, decoded, listed } from "./numbers.js";
import { decodeRow } from "./row.js";

const MAGIC = 0x46524d45; // FRME
const VERSION = 5;
const GATEWAY = 5;
const FAULTS = 8;

/** The fixed numbers of a frame: the highest byte first. */
class FrameReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.place = 0;
    /** Rows that say which files of fonts they need, in their order.
     * @type {{fonts?: string[]}[]} */
    this.named = [];
  }

  /** Where the next so many bytes begin.
   * @param {number} count */
  pass(count) {
    const start = this.place;
    if (count > this.bytes.length - start) throw new DecodingError("the bytes end within a frame");
    this.place = start + count;
    return start;
  }

  u8() {
    return this.view.getUint8(this.pass(1));
  }

  u16() {
    return this.view.getUint16(this.pass(2));
  }

  u32() {
    return this.view.getUint32(this.pass(4));
  }

  i32() {
    return this.view.getInt32(this.pass(4));
  }

  /** A number where a double has it to the digit, else a BigInt.
   * @returns {any} */
  i64() {
    const start = this.pass(8);
    const high = this.view.getInt32(start);
    if (high >= -(2 ** 21) && high < 2 ** 21) return high * 2 ** 32 + this.view.getUint32(start + 4);
    return this.view.getBigInt64(start);
  }

  /** @returns {any} */
  u64() {
    const start = this.pass(8);
    const high = this.view.getUint32(start);
    return high < 2 ** 21 ? high * 2 ** 32 + this.view.getUint32(start + 4) : this.view.getBigUint64(start);
  }

  /** @param {string} what */
  flag(what) {
    return this.oneOf([false, true], what);
  }

  /** @template Case @param {Case[]} cases @param {string} what */
  oneOf(cases, what) {
    return listed(cases, this.u8(), what);
  }

  name() {
    const count = this.u32();
    const start = this.pass(count);
    try {
      return decoded(this.bytes, start, start + count);
    } catch {
      throw new DecodingError("a name is not UTF-8");
    }
  }

  blob() {
    const count = this.u32();
    const start = this.pass(count);
    return this.bytes.subarray(start, start + count);
  }

  /** @template Element @param {() => Element} read @param {number} [most] @returns {Element[]} */
  list(read, most = Infinity) {
    const count = this.u32();
    if (count > most || count > this.bytes.length - this.place) throw new DecodingError(`a list of ${count}`);
    const found = [];
    for (let left = count; left > 0; left--) found.push(read());
    return found;
  }

  /** @template Value @param {() => Value} read @returns {Value | undefined} */
  optional(read) {
    return this.list(read, 1)[0];
  }

  /** Left, top, width and height. */
  rect() {
    return [this.i32(), this.i32(), this.i32(), this.i32()];
  }
}

const refusals = [undefined, "busy", "unknownWindow", "unknownConversation", "unknownMessage", "resync", "unprepared", "unauthorized"];
const reasons = [undefined, "live", "firstLoad", "pagination", "edit", "style", "trim"];
const classes = ["equal", "appearance", "geometry"];
const parts = [undefined, "whole", "older", "newer"];
const series = ["single", "first", "middle", "last"];
const edges = [undefined, "top", "bottom"];
const rejections = [undefined, "superseded", "forbidden", "invalid"];

/** Names of variants, in the order of a style; those that are not known here are told by their number. */
const variants = ["own", "other", "otherWithName"];

/**
 * A word of a gateway: `{request, word: {window: {…}}}`, as it is in JSON. The layout of a row is decoded when it is asked for.
 *
 * @param {Uint8Array} bytes
 * @returns {{request: number | bigint, word: Record<string, any>}}
 */
export function decodeFrame(bytes) {
  const reader = new FrameReader(bytes);
  if (reader.u32() !== MAGIC) throw new DecodingError("bytes that are no frame");
  const version = reader.u8();
  if (version !== VERSION) throw new DecodingError(`version: ${version} is not ${VERSION}`);
  const family = reader.u8();
  reader.pass(2);
  const request = reader.u64();
  const word = family === FAULTS ? readFault(reader) : family === GATEWAY ? readWord(reader) : undefined;
  if (!word) throw new DecodingError(`family: there is no ${family}`);
  if (reader.named.length) readFonts(reader);
  if (reader.place !== bytes.length) throw new DecodingError("bytes behind a word");
  return { request, word };
}

/** @param {FrameReader} reader */
function readFault(reader) {
  const kind = reader.u8();
  if (kind !== 2) throw new DecodingError(`fault: there is no ${kind}`);
  return { fault: reader.oneOf([undefined, "unreadable", "busy", undefined, "gone"], "fault") };
}

/** @param {FrameReader} reader @returns {Record<string, any>} */
function readWord(reader) {
  const kind = reader.u8();
  if (kind === 10) return { unreadable: { because: reader.name() } };
  const window = reader.u32();
  switch (kind) {
    case 1: return { window: readWindow(reader, window) };
    case 2: return { heights: { window, cursor: readCursor(reader), rank: reader.u32(), top: reader.i64(), heights: reader.list(() => reader.i32()) } };
    case 3: return { rows: { window, rows: reader.list(() => readRow(reader)) } };
    case 4: return { place: { window, cursor: readCursor(reader), rank: reader.u32(), top: reader.i64(), row: readRow(reader) } };
    case 5: return { changes: readChanges(reader, window) };
    case 6: {
      const changes = reader.optional(() => readChanges(reader, reader.u32()));
      return { adjusted: { ...changes, window, adjusted: !!changes } };
    }
    case 7: return { done: { window } };
    case 8: return { refused: { window, because: reader.oneOf(refusals, "refusal") } };
    case 9: return { pending: { window, message: reader.name(), order: reader.i64() } };
    case 11: return { unavailable: { window, message: reader.name(), order: reader.i64() } };
    case 12: return { preview: { window, cursor: readCursor(reader), row: readRow(reader), neighbours: reader.list(() => readRow(reader), 2) } };
    case 13: {
      const because = reader.oneOf(rejections, "rejection");
      return { rejected: { window, because, ...(because === "invalid" && { field: reader.name(), reason: reader.name() }) } };
    }
    case 14: return { ranges: readRanges(reader, window) };
    default: throw new DecodingError(`word: there is no ${kind}`);
  }
}

/** @param {FrameReader} reader */
const readCursor = (reader) => [reader.u64(), reader.u64(), reader.u32()];

/** @param {FrameReader} reader */
function readFrame(reader) {
  const [cursor, edition, isOld, rowsAbove, rowsBelow] = [readCursor(reader), reader.name(), reader.flag("old"), reader.u32(), reader.u32()];
  return {
    cursor, edition, hasOlder: rowsAbove > 0, hasNewer: rowsBelow > 0, rowsAbove, rowsBelow, top: reader.i64(), extent: [reader.i64(), reader.i64()],
    ...(isOld && { old: true }),
  };
}

/** @param {FrameReader} reader @param {number} window */
function readWindow(reader, window) {
  const [part, reason] = [reader.oneOf(parts, "part"), reader.oneOf(reasons, "reason")];
  const frame = readFrame(reader);
  const rows = reader.list(() => readRow(reader), 4096);
  const insertedAbove = reader.i64();
  const seen = reader.flag("first visible") ? { row: reader.i64(), y: reader.i64() } : undefined;
  const contentFits = reader.flag("fits");
  const [older, newer] = [maybe(reader), maybe(reader)];
  const prefetch = { ...(older !== undefined && { olderAbove: older }), ...(newer !== undefined && { newerBelow: newer }) };
  return { window, part, reason, ...frame, insertedAbove, ...(seen && { firstVisible: seen }), contentFits, prefetch, rows };
}

/** An i64 behind a flag.
 * @param {FrameReader} reader */
const maybe = (reader) => (reader.flag("a number") ? reader.i64() : undefined);

/** @param {FrameReader} reader @param {number} window */
function readChanges(reader, window) {
  const since = readCursor(reader);
  const changes = reader.list(() => readChange(reader));
  const anchors = reader.list(() => ({
    anchor: { row: reader.i64(), edge: reader.oneOf(edges, "edge"), offset: reader.i32() }, delta: reader.i64(),
  }));
  return { window, since, ...readFrame(reader), anchors, changes };
}

/** @param {FrameReader} reader */
function readChange(reader) {
  const reason = reader.oneOf(reasons, "reason");
  const change = reader.oneOf(classes, "class");
  const told = { heightDelta: reader.i64(), class: change, reason };
  const kind = reader.u8();
  switch (kind) {
    case 1: return { insert: reader.u32(), rows: reader.list(() => readRow(reader)), ...told };
    case 2: return { remove: reader.u32(), count: reader.u32(), ...told };
    case 3: return { replace: reader.u32(), rows: [readRow(reader)], ...told };
    case 4: return { move: reader.u32(), to: reader.u32(), rows: [readRow(reader)], ...told };
    case 5: return { redecorate: reader.u32(), rows: [readRow(reader)], ...told };
    default: throw new DecodingError(`change: there is no ${kind}`);
  }
}

/** Files of fonts, each once, and which of them each row needs that says so.
 * @param {FrameReader} reader */
function readFonts(reader) {
  const files = reader.list(() => {
    const start = reader.pass(32);
    return [...reader.bytes.subarray(start, start + 32)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }, 4096);
  for (const row of reader.named) {
    row.fonts = Array.from({ length: reader.u16() }, () => listed(files, reader.u16(), "fonts"));
  }
}

/** @param {FrameReader} reader */
function readRow(reader) {
  const row = {
    row: reader.i64(), message: reader.name(), order: reader.i64(), height: reader.i32(), lead: reader.i32(), strip: reader.i32(),
  };
  return reader.optional(() => readBody(reader, row)) ?? row;
}

/** A row with what is drawn in it, which is decoded once, when it is asked for. */
export class Row {
  /** @type {import("./row.js").Decoded | undefined} */
  #decoded;
  #bytes;
  /** The files that its texts are drawn with, by their hashes, where the gateway was asked for them and knows.
   * @type {string[] | undefined} */
  fonts;

  /** @param {any} row @param {{decoration: object, layout: Uint8Array, said?: any, edition?: string}} body */
  constructor({ row, message, order, height, lead, strip }, { decoration, layout, said, edition }) {
    this.row = row;
    this.message = message;
    this.order = order;
    this.height = height;
    this.lead = lead;
    this.strip = strip;
    this.decoration = decoration;
    if (edition !== undefined) this.edition = edition;
    if (said !== undefined) this.said = said;
    this.#bytes = layout;
  }

  /** As it came: a row of the page LayoutRecord. */
  get bytes() {
    return this.#bytes;
  }

  get decoded() {
    return (this.#decoded ??= decodeRow(this.#bytes));
  }

  get layout() {
    return this.decoded.layout;
  }

  get expanded() {
    return this.decoded.expanded;
  }
}

/** The event of a message, as JSON.
 * @param {Uint8Array} bytes */
function readSaid(bytes) {
  try {
    return JSON.parse(decoded(bytes, 0, bytes.length));
  } catch {
    throw new DecodingError("said: there is no JSON");
  }
}

/** @param {FrameReader} reader @param {object} row */
function readBody(reader, row) {
  const decoration = readDecoration(reader);
  const layout = reader.blob();
  const more = reader.u8();
  const said = more & 1 ? readSaid(reader.blob()) : undefined;
  const edition = more & 2 ? reader.name() : undefined;
  const whole = new Row(row, { decoration, layout, said, edition });
  if (more & 4) reader.named.push(whole);
  return whole;
}

/** @param {FrameReader} reader */
function readDecoration(reader) {
  const has = reader.u8();
  const variant = reader.u8();
  const place = reader.oneOf(series, "series");
  const small = reader.u8();
  const height = reader.i32();
  const gapAbove = reader.i32();
  const gapBelow = reader.i32();
  const large = reader.i32();
  const smaller = reader.i32();
  /** @type {Record<string, any>} */
  const decoration = { variant: variants[variant] ?? variant, series: place, gapAbove, gapBelow, content: reader.rect(), height };
  if (has & 1) {
    decoration.dateLine = reader.rect();
    const day = new Date(Number(reader.i64()) * 86_400_000);
    decoration.day = [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
  }
  if (has & 2) decoration.unreadLine = reader.rect();
  if (has & 4) decoration.avatar = reader.rect();
  if (has & 8) decoration.failed = reader.rect();
  if (has & 16) decoration.selection = reader.rect();
  decoration.radii = [1, 2, 4, 8].map((corner) => (small & corner ? smaller : large));
  if (has & 32) decoration.tail = true;
  return decoration;
}

/** @param {FrameReader} reader @param {number} window */
function readRanges(reader, window) {
  const sixtyFourths = () => reader.i32() / 64;
  const hit = () => {
    const [node, offset, isDownstream] = [reader.i32(), reader.i32(), reader.flag("downstream")];
    return { node, offset, affinity: isDownstream ? "downstream" : "upstream", start: reader.i32(), end: reader.i32(), inside: reader.flag("inside") };
  };
  const side = () => ({ x: sixtyFourths(), top: reader.i32(), height: reader.i32(), direction: reader.flag("direction") ? "rtl" : "ltr" });
  const caret = () => {
    const [offset, isHidden] = [reader.i32(), reader.flag("hidden")];
    const [downstream, upstream] = [reader.optional(side), reader.optional(side)];
    return { offset, ...(isHidden && { hidden: true }), ...(downstream && { downstream }), ...(upstream && { upstream }) };
  };
  const range = () => ({
    start: reader.i32(), end: reader.i32(), frames: reader.list(() => [sixtyFourths(), reader.i32(), sixtyFourths(), reader.i32()], 4096),
  });
  const cursor = readCursor(reader);
  const [edition, row, message, mark] = [reader.name(), reader.i64(), reader.name(), BigInt(reader.u64()).toString(16).padStart(16, "0")];
  const texts = reader.list(() => ({
    node: reader.i32(), path: reader.name(), length: reader.i32(), shown: reader.i32(), ranges: reader.list(range), carets: reader.list(caret), hits: reader.list(hit),
  }));
  return { window, cursor, edition, row, message, mark, texts, hits: reader.list(hit) };
}
