// The rows that were seen last, in this browser, under a name that the page gives: they are there before the network answers.

import { Row } from "./frames.js";

/**
 * @typedef {object} Seen
 * @property {string} target
 * @property {number} y of the top of the screen
 * @property {boolean} isAtEnd
 * @property {Record<string, any>} frame where the rows are
 * @property {any[]} rows each with its layout in bytes
 * @property {number} [at] when it was kept
 */

const most = { conversations: 40, bytes: 1 << 19 };

/** The rows of a screen and half of one at each side; undefined where one of them has nothing to draw.
 * @param {import("./mirror.js").Mirror} mirror @param {{y: number, end: number, isAtEnd: boolean}} shown @param {string} target @returns {Seen | undefined} */
export function snapshot(mirror, { y, end, isAtEnd }, target) {
  const room = (end - y) / 2;
  const [first, last] = [mirror.at(y - room), Math.min(mirror.rows.length, mirror.at(end + room) + 1)];
  const rows = mirror.rows.slice(first, last).filter(({ bytes }) => bytes).map(({ bytes, ...row }) => ({ ...row, layout: bytes.slice() })); // without the rest of their frame
  const frame = { top: mirror.y(first), extent: mirror.extent, rowsAbove: mirror.rowsAbove + first, rowsBelow: mirror.rowsBelow + mirror.rows.length - last };
  return rows.length === last - first ? { target, y, isAtEnd, frame, rows } : undefined;
}

/** Puts it into a mirror that has nothing else. False where it is not what was kept once.
 * @param {Seen} seen @param {import("./mirror.js").Mirror} mirror */
export function recalled({ frame, rows }, mirror) {
  try {
    const drawn = rows.map(({ fonts, ...row }) => Object.assign(new Row(row, /** @type {any} */ (row)), { fonts }));
    for (const row of drawn) void row.decoded;
    return mirror.take({ part: "whole", ...frame, cursor: [], rows: drawn });
  } catch {
    return false;
  }
}

/** @template Value @param {IDBRequest<Value>} request @returns {Promise<Value>} */
const answered = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** A failure loses what was kept, and nothing else: all answers are as if nothing had been. */
export class Kept {
  /** @type {Promise<IDBDatabase> | undefined} */
  #opened;
  #isOver = false;
  /** Of each key what was to be put last: while one is on its way, only the newest waits behind it.
   * @type {Map<string, any>} */
  #next = new Map();
  #others = new BroadcastChannel("forme-kept");

  /** @param {string} name of who sees it, and where */
  constructor(name) {
    this.name = name;
    // Rows that one page forgets, no other page goes on with.
    this.#others.onmessage = ({ data }) => (this.#isOver ||= data === name);
  }

  /** @param {IDBTransactionMode} mode */
  async #store(mode) {
    if (!this.#opened) {
      const request = indexedDB.open("forme", 1);
      request.onupgradeneeded = () => request.result.createObjectStore("seen");
      this.#opened = answered(request);
    }
    return (await this.#opened).transaction("seen", mode).objectStore("seen");
  }

  get #all() {
    return IDBKeyRange.bound([this.name], [this.name, []]);
  }

  /** @param {string} key a conversation, or another name that none has @returns {Promise<any>} */
  async get(key) {
    try {
      const seen = await answered((await this.#store("readonly")).get([this.name, key]));
      return this.#isOver ? undefined : seen;
    } catch {
      return undefined;
    }
  }

  /** @param {string} key @param {any} seen something that can be cloned, with `rows` or without */
  async put(key, seen) {
    const size = (seen.rows ?? []).reduce((/** @type {number} */ sum, /** @type {any} */ { layout, said }) => sum + layout.length + JSON.stringify(said ?? 0).length, 0);
    if (this.#isOver || size > most.bytes) return;
    const isBusy = this.#next.has(key);
    this.#next.set(key, seen);
    for (let own; !isBusy && own !== (own = this.#next.get(key)); ) await this.#put(key, own);
    if (!isBusy) this.#next.delete(key);
  }

  /** @param {string} key @param {any} seen */
  async #put(key, seen) {
    try {
      const store = await this.#store("readwrite");
      if (this.#isOver) return;
      store.put({ ...seen, at: Date.now() }, [this.name, key]);
      const count = await answered(store.count(this.#all));
      if (count <= most.conversations) return;
      const [keys, all] = await Promise.all([answered(store.getAllKeys(this.#all)), answered(store.getAll(this.#all))]);
      const order = keys.map((key, place) => ({ key, at: all[place].at })).sort((a, b) => a.at - b.at);
      for (const { key } of order.slice(0, count - most.conversations)) store.delete(key);
    } catch {
      // The disk is full, or the browser keeps nothing.
    }
  }

  /** All of it, or one conversation. After all of it is forgotten nothing is kept any more.
   * @param {string} [key] */
  async forget(key) {
    if (key === undefined) {
      this.#isOver = true;
      this.#others.postMessage(this.name);
    }
    try {
      await answered((await this.#store("readwrite")).delete(key === undefined ? this.#all : [this.name, key]));
    } catch {
      // There is nothing.
    }
  }
}
