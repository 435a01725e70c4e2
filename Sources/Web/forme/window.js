// A window of a conversation: rows that stand where the gateway says, followed as long as it is open.

import { Mirror } from "./mirror.js";
import { Refusal, freshName, rest } from "./refusal.js";
import { Stream } from "./stream.js";

/**
 * @typedef {import("./mirror.js").Row} Row
 * @typedef {import("./mirror.js").Anchor} Anchor
 * @typedef {{width: number, scale: number, textScale?: number, mirrored?: boolean}} Target in points, and device pixels to a point
 * @typedef {"newest" | "unread" | {message: string} | {date: number} | {y: number}} Place
 * @typedef {{target?: Target, reader?: Record<string, any>, around?: Place, screen?: number, count?: number}} Options
 * @typedef {{id: string, row?: Row, neighbours: Row[], state: "drawing" | "sending" | "refused", why?: string, body: any, again: () => void}} Pending
 */

const most = 1200;

/** @param {Target} target */
const spelled = ({ width, scale, textScale = 100, mirrored }) => `${+width.toFixed(4)}@${+scale.toFixed(3)}${textScale === 100 ? "" : `,${textScale}`}${mirrored ? ",mirrored" : ""}`;

/** @param {Place} place */
const placed = (place) => (typeof place === "string" ? place : Object.entries(place).map((pair) => pair.join(":"))[0]);

/** What a stop at a moment is called when it is told in an event. */
const kinds = { whole: "whole", older: "older", newer: "newer" };

/**
 * Events: `update`, at most one a frame, when rows came, went or changed; its `detail` has `fresh` where the window is another one, and `seen`, the
 * row that is seen first of it. `state`: connecting, live, offline, resync or refused.
 */
export class Window extends EventTarget {
  /** @type {Stream | undefined} */
  #stream;
  /** @type {{fresh?: boolean, seen?: any}} */
  #news = {};
  #isDue = false;
  /** What is asked for, by its kind, until it is answered.
   * @type {Map<string, {done: (value: any) => void, failed: (why: Error) => void, word: any}>} */
  #asked = new Map();
  /** @type {Target | undefined} */
  #nextTarget;

  /** @param {import("./session.js").Forme} forme @param {string} conversation @param {Options} options */
  constructor(forme, conversation, { target, reader = {}, around = "newest", screen = 1600, count = 60 }) {
    super();
    this.forme = forme;
    this.conversation = conversation;
    this.target = target;
    this.reader = reader;
    this.screen = screen;
    this.count = count;
    this.around = around;
    this.number = 1;
    this.mirror = new Mirror();
    this.state = "connecting";
    /** Where pages are to be asked for.
     * @type {{olderAbove?: number, newerBelow?: number}} */
    this.prefetch = {};
    /** Own messages that have no row yet, the oldest first.
     * @type {Pending[]} */
    this.pending = [];
    /** Which message a reconnection opens around: whoever shows the window sets it.
     * @type {() => Place | undefined} */
    this.seen = () => undefined;
    if (target) this.#begin();
  }

  #begin() {
    this.#stream = new Stream(this.forme, this.conversation, {
      query: () => this.#query(),
      mark: () => (this.number === 1 ? "." : `;${this.number}.`) + this.mirror.cursor.join("."),
      hear: (word) => this.#hear(word),
      state: (state, why) => this.#enter(state, why),
    });
  }

  get rows() {
    return this.mirror.rows;
  }

  get bytes() {
    return this.#stream?.bytes ?? 0;
  }

  close() {
    this.#stream?.close();
    this.#fail(new Error("the window is closed"));
  }

  #query() {
    const around = this.mirror.cursor.length ? this.seen() ?? "newest" : this.around;
    const { own, ...reader } = this.reader;
    return {
      target: spelled(/** @type {Target} */ (this.target)), screen: `${this.screen}`, count: `${this.count}`, with: "body", unavailable: "yes", window: `${this.number}`,
      around: placed(around), reader: JSON.stringify({ ...(own && { own }), ...reader }),
    };
  }

  /** @param {string} state @param {string} [why] */
  #enter(state, why) {
    if (state !== "live") this.#fail(new Error(state));
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: { state, why } }));
  }

  /** @param {Error} why */
  #fail(why) {
    for (const { failed } of this.#asked.values()) failed(why);
    this.#asked.clear();
  }

  /** @param {{fresh?: boolean, seen?: any}} [news] */
  #tell(news) {
    Object.assign(this.#news, news);
    if (this.#isDue) return;
    this.#isDue = true;
    (globalThis.requestAnimationFrame ?? setTimeout)(() => {
      const detail = this.#news;
      [this.#isDue, this.#news] = [false, {}];
      this.dispatchEvent(new CustomEvent("update", { detail }));
    });
  }

  /** @param {Record<string, any>} word */
  #hear(word) {
    const [kind] = Object.keys(word);
    const told = word[kind];
    if (kind === "window") this.#takeWindow(told);
    else if (told.window !== this.number && kind !== "unreadable") return;
    else if (kind === "changes" || (kind === "adjusted" && told.adjusted)) {
      if (!this.mirror.change(told)) return this.#resync();
      this.#enter("live");
      this.#settlePending();
      if (kind === "adjusted") this.#answer(kind, told);
      this.#tell();
    } else if (kind === "refused" && told.because === "busy") this.#fail(new Error("busy"));
    else if (kind === "refused" && !["unknownMessage", "unprepared"].includes(told.because)) this.#resync();
    else if (kind === "refused" || kind === "unreadable") this.#fail(new Refusal(404, told.because));
    else this.#answer(["pending", "unavailable"].includes(kind) ? "place" : kind === "rejected" ? "preview" : kind, told, kind);
  }

  /** @param {any} told */
  #takeWindow(told) {
    const opened = this.#asked.get("open");
    if (opened && opened.word.open.window === told.window) {
      this.#say({ close: { window: this.number } }).catch(() => {});
      this.number = told.window;
      // What was asked of the other window is not answered any more.
      this.#asked.delete("open");
      this.#fail(new Error("another window is shown"));
      this.#asked.set("open", opened);
    } else if (told.window !== this.number) return;
    if (!this.mirror.take(told)) return this.#resync();
    this.prefetch = told.prefetch;
    this.#enter("live");
    this.#settlePending();
    this.#answer(told.part === "whole" ? (opened ? "open" : "resize") : told.part, told);
    this.#tell(told.part === "whole" ? { fresh: true, seen: told.firstVisible } : undefined);
  }

  /** @param {string} kind @param {any} value @param {string} [as] */
  #answer(kind, value, as = kind) {
    const asked = this.#asked.get(kind);
    this.#asked.delete(kind);
    asked?.done({ ...value, kind: as });
  }

  /** One question of a kind at a time.
   * @param {string} kind @param {any} word @returns {Promise<any>} */
  #ask(kind, word) {
    const before = this.#asked.get(kind);
    if (before) return kind in kinds ? Promise.reject(new Error("is asked for")) : rest(20).then(() => this.#ask(kind, word));
    return new Promise((done, failed) => {
      this.#asked.set(kind, { done, failed, word });
      this.#say(word).catch((error) => {
        this.#asked.delete(kind);
        failed(error);
      });
    });
  }

  #resync() {
    this.#enter("resync");
    this.mirror.cursor = [...this.mirror.cursor.slice(0, 2), -1];
    if (!this.#stream) return;
    this.#stream.name = undefined;
    this.#stream.restart();
  }

  /** More rows at a side; nothing where there are none, or they are on their way.
   * @param {"older" | "newer"} side */
  async page(side) {
    if (this.state !== "live" || this.#asked.has(side) || !(side === "older" ? this.mirror.rowsAbove : this.mirror.rowsBelow)) return;
    try {
      if (this.rows.length > most) await this.#ask("adjusted", { adjust: { window: this.number, most: most / 2, focus: side === "older" ? 0 : 1 } });
      await this.#ask(side, { page: { window: this.number, side, count: this.count } });
    } catch {
      await rest(100);
    }
  }

  /** The row at a y, or that of a message, with its place.
   * @param {number | string} what */
  locate(what) {
    const window = this.number;
    return this.#ask("place", typeof what === "number" ? { locate: { window, y: what } } : { position: { window, message: what } });
  }

  /** Rows around another place instead of these; the `update` that follows is `fresh`.
   * @param {Place} place */
  jump(place) {
    const { conversation, target, reader, screen, count } = this;
    const around = typeof place === "string" ? place : place;
    return this.#ask("open", {
      open: { window: this.number + 1, conversation, target, reader, screen, count, around, bodies: true, messages: true, rows: 2 },
    });
  }

  /** @param {Record<string, any>} word */
  #say(word) {
    return this.#stream?.say(word) ?? Promise.reject(new Error("the window has no screen yet"));
  }

  /** The same rows on another screen; a window that was opened without one begins with this. Of screens that come faster than answers the last one counts.
   * @param {Target} target @param {Anchor} [anchor] */
  async resize(target, anchor) {
    if (!this.#stream) {
      this.target = target;
      return this.#begin();
    }
    const isUnderWay = this.#nextTarget !== undefined;
    this.#nextTarget = target;
    this.anchor = anchor;
    if (isUnderWay) return;
    while (this.#nextTarget !== undefined && this.#nextTarget !== this.target) {
      const next = (this.target = this.#nextTarget);
      try {
        await this.#ask("resize", { resize: { window: this.number, target: next, screen: this.screen, ...(this.anchor && { anchor: this.anchor }) } });
      } catch {
        if (this.state === "live") await rest(100);
        // A reconnection asks for the newest screen by itself.
      }
    }
    this.#nextTarget = undefined;
  }

  /** Rows whose places are told with each change.
   * @param {Anchor[]} anchors */
  hold(anchors) {
    return this.#say({ hold: { window: this.number, anchors } });
  }

  /** Everything up to an order is read, by this reader and on all devices.
   * @param {Row} row */
  async read(row) {
    this.reader = { ...this.reader, unreadFrom: Number(row.order) + 1 };
    await this.#say({ read: { window: this.number, from: Number(row.order) + 1 } });
    if (this.reader.own) await this.forme.post(this.conversation, [{ conversation: this.conversation, read: { reader: this.reader.own, order: row.order } }]);
  }

  /** Lines of a row that came as an excerpt.
   * @param {Row} row @param {string} mark @param {number} from @param {number} to */
  async lines(row, mark, from, to) {
    const told = await this.#ask("rows", { lines: { window: this.number, row: row.row, mark, from, to } });
    return told.rows[0];
  }

  /** The row of a message that is not posted.
   * @param {any} draft */
  preview(draft) {
    return this.#ask("preview", { preview: { window: this.number, draft } });
  }

  /**
   * Posts a message: at once it stands where and as large as it will, and is sent again until it is answered.
   *
   * @param {any} body @param {{order?: number, id?: string}} [options] an order where nobody is asked for a token
   */
  async post(body, options = {}) {
    const { order, id = freshName() } = options;
    const event = {
      conversation: this.conversation, message: id, revision: 1, sender: this.reader.own, time: Date.now(), body,
      ...(order !== undefined && { order }),
    };
    /** @type {Pending} */
    const own = { id, body, neighbours: [], state: "drawing", again: () => this.#send(own, event) };
    this.pending.push(own);
    const { conversation: _, revision: __, message: ___, ...draft } = event;
    this.preview({ ...draft, status: "sending" }).then(({ row, neighbours }) => {
      if (!row || !this.pending.includes(own)) return;
      Object.assign(own, { row, neighbours });
      this.#tell();
    }, () => {});
    await this.#send(own, event);
    return id;
  }

  /** @param {Pending} own @param {any} event */
  async #send(own, event) {
    own.state = "sending";
    try {
      const [{ answer, field, reason }] = await this.forme.post(this.conversation, [event]);
      if (answer === "invalid") Object.assign(own, { state: "refused", why: `${field ? `${field}: ` : ""}${reason}` });
    } catch (error) {
      Object.assign(own, { state: "refused", why: error instanceof Error ? error.message : "" });
    }
    this.#settlePending();
    this.#tell();
  }

  #settlePending() {
    if (!this.pending.length) return;
    const known = new Set(this.rows.map(({ message }) => message));
    this.pending = this.pending.filter(({ id }) => !known.has(id));
  }

  /** Says something of a message that is there.
   * @param {Row} row @param {any} change */
  say(row, change) {
    return this.forme.post(this.conversation, [{ conversation: this.conversation, message: row.message, revision: (row.said?.revision ?? 1) + 1, ...change }]);
  }

  /** What this reader says to a message: all of it.
   * @param {Row} row @param {{emoji?: string[], options?: string[]}} what */
  react(row, what) {
    return this.say(row, { revision: Date.now(), react: { reader: this.reader.own, ...what } });
  }

  /** @param {Row} row @param {any} body */
  edit(row, body) {
    return this.say(row, { sender: row.said.sender, time: row.said.time, body });
  }

  /** Shows all of a row that is longer than it is shown at first.
   * @param {Row} row @param {boolean} isExpanded */
  expand(row, isExpanded) {
    this.mirror.expand(row, isExpanded);
    this.#tell();
  }

  /** @param {Row} row */
  remove(row) {
    return this.say(row, { deleted: true });
  }
}
