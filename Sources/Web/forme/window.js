// A window of a conversation: rows that stand where the gateway says, followed as long as it is open.

import { recalled, snapshot } from "./kept.js";
import { Mirror } from "./mirror.js";
import { Outbox } from "./outbox.js";
import { Questions } from "./questions.js";
import { Refusal, rest } from "./refusal.js";
import { exact, placed, spelled } from "./spelling.js";

/**
 * @typedef {import("./mirror.js").Row} Row
 * @typedef {import("./mirror.js").Anchor} Anchor
 * @typedef {{width: number, scale: number, textScale?: number, mirrored?: boolean}} Target in points, and device pixels to a point
 * @typedef {"newest" | "unread" | {message: string} | {date: number} | {y: number}} Place
 * @typedef {{target?: Target, reader?: Record<string, any>, around?: Place, screen?: number, count?: number}} Options
 */

const most = 1200;
/** Widths that follow each other within so many milliseconds are those of a drag. */
const drag = 250;

/** Answers that have another name than their questions.
 * @type {Record<string, string>} */
const questions = { pending: "place", unavailable: "place", rejected: "preview" };

/**
 * Events: `update`, at most one a frame, when rows came, went or changed; its `detail` has `fresh` where the window is another one, and `seen`, the
 * row that is seen first of it. `state`: connecting, live, offline, resync or refused. A window that is closed is in the state `closed`, and tells nothing.
 */
export class Window extends EventTarget {
  /** @type {import("./stream.js").Stream | undefined} shared with other windows */
  #stream;
  /** @type {import("./stream.js").Member} */
  #member;
  /** @type {{fresh?: boolean, seen?: any, kept?: any}} */
  #news = {};
  #isDue = false;
  #isRenewing = false;
  /** Whether it is opened at its end, as what it was to open around is gone. */
  #isAstray = false;
  #asked = new Questions((word) => this.#say(word));
  /** The screen of the rows that are here; `target` is the one that is wanted.
   * @type {Target | undefined} */
  drawn;
  /** The screen of the rows that come next.
   * @type {Target | undefined} */
  #sought;
  /** One for which nothing can be laid out, and which this window is not asked for again.
   * @type {Target | undefined} */
  #vain;
  #isWidening = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #keeping;

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
    this.number = 0;
    this.mirror = new Mirror();
    this.state = "connecting";
    /** @type {{olderAbove?: number, newerBelow?: number}} where pages are to be asked for */
    this.prefetch = {};
    this.outbox = new Outbox(this, () => this.#tell());
    /** The message around which a reconnection opens: the view of the window sets it.
     * @type {() => Place | undefined} */
    this.seen = () => undefined;
    /** The stretch of the conversation that is on the screen, likewise.
     * @type {() => {y: number, end: number, isAtEnd: boolean} | undefined} */
    this.shown = () => undefined;
    this.isKept = false;
    /** When another width was wanted last. */
    this.resizedAt = -Infinity;
    this.#member = {
      conversation, query: () => this.#query(), word: () => ((this.#sought = this.#possible), this.#word(this.number)), hear: (word) => this.#hear(word),
      state: (state, why, status) => this.#enter(state, why, status), renumber: (number) => (this.number = number),
      has: (number) => number === this.number || !!this.#asked.opening(number),
      mark: () => `${this.number}.${this.mirror.cursor.join(".")}`,
    };
    if (target) this.#begin();
  }

  #begin() {
    this.#recall();
    this.#stream = this.forme.stream();
    this.#stream.join(this.#member);
  }

  /** The rows that were seen last are shown until the gateway answers. */
  async #recall() {
    const { conversation, around, target, forme } = this;
    const seen = around === "newest" || around === "unread" ? await forme.kept?.get(conversation) : undefined;
    if (!seen || !target || this.rows.length || ["live", "refused", "closed"].includes(this.state) || !forme.kept || target !== this.target || seen.target !== spelled(target) || !(seen.isAtEnd || around === "unread")) return;
    if (!recalled(seen, this.mirror)) return;
    this.isKept = true;
    this.#tell({ fresh: true, seen: { y: seen.y }, kept: seen });
  }

  /** Keeps what is seen, for the next time; a while later, as more may happen.
   * @param {number} [wait] */
  keep(wait = 1500) {
    if (!this.forme.kept || (wait && this.#keeping)) return;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#save(), wait);
  }

  #save() {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    const [shown, target, { mirror, forme }] = [this.shown(), this.drawn, this];
    if (!shown || !target || !forme.kept || this.state !== "live") return;
    const seen = snapshot(mirror, shown, spelled(target));
    if (seen) forme.kept.put(this.conversation, seen);
  }

  get rows() { return this.mirror.rows; }

  /** Own messages that have no row yet, the oldest first. */
  get pending() { return this.outbox.pending; }

  get bytes() { return this.#stream?.bytes ?? 0; }

  close() {
    this.#save();
    this.#stream?.leave(this.#member);
    this.state = "closed";
    this.#asked.fail(new Error("closed"));
  }

  #query() {
    this.#sought = this.#possible;
    return {
      target: spelled(/** @type {Target} */ (this.#sought)), screen: `${this.screen}`, count: `${this.count}`, with: "body,fonts", unavailable: "yes", window: `${this.number}`,
      around: placed(this.#around), reader: exact({ ...this.reader, own: this.reader.own || undefined }),
    };
  }

  /** A reader who may not read any more sees nothing any more.
   * @param {number | undefined} status */
  #close(status) {
    if (status === 401) this.forme.forget();
    else this.forme.kept?.forget(this.conversation);
    this.mirror.take({ part: "whole", rows: [], cursor: [], top: 0, extent: [0, 0], rowsAbove: 0, rowsBelow: 0 });
    this.#tell({ fresh: true });
  }

  /** @param {number} number @param {Place} [place] where it is not as the window was opened, or is seen by now */
  #word(number, place = this.#around) {
    const { conversation, reader, screen, count } = this;
    return { open: { window: number, conversation, target: this.#possible, reader, screen, count, around: place, bodies: true, messages: true, fonts: true, rows: 2 } };
  }

  /** The screen that is wanted, or that of the rows where nothing can be laid out for it. */
  get #possible() { return this.#vain === this.target ? this.drawn : this.target; }

  get #around() { return this.#isAstray ? "newest" : this.mirror.cursor.length ? this.seen() ?? "newest" : this.around; }

  /** @param {string} state @param {string} [why] @param {number} [status] */
  #enter(state, why, status) {
    if (state !== "live") {
      this.#asked.fail(new Error(state));
      this.#sought = this.drawn;
    }
    if (state === this.state) return;
    this.state = state;
    if (state === "refused") this.#close(status);
    this.dispatchEvent(new CustomEvent("state", { detail: { state, why } }));
  }

  /** @param {{fresh?: boolean, seen?: any, kept?: any}} [news] */
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
    const [[kind, told]] = Object.entries(word);
    if (kind === "window") this.#takeWindow(told);
    else if (kind === "refused") this.#refuse(told.window, told.because);
    else if (kind === "unreadable") this.#asked.fail(new Refusal(400, told.because));
    else if (told.window !== this.number) return;
    else if (kind === "changes" || (kind === "adjusted" && told.adjusted)) {
      if (!this.mirror.change(told)) return this.#resync();
      this.#enter("live");
      this.outbox.settle();
      // A message that was deleted is not kept any longer.
      if (told.changes.some((/** @type {any} */ one) => one.remove !== undefined || one.replace !== undefined)) this.keep(0);
      if (kind === "adjusted") this.#asked.answer(kind, told);
      this.#tell();
      this.#renew();
      this.#widen();
      if (this.rows.length > most) this.#trim({ most: most / 2, focus: this.mirror.at(this.shown()?.y ?? Infinity) / (this.rows.length - 1) });
    } else this.#asked.answer(questions[kind] ?? kind, told, kind);
  }

  /** @param {number} window @param {string} because */
  #refuse(window, because) {
    const coming = this.#asked.opening(window);
    const why = new Refusal(because === "busy" ? 503 : 404, because, because);
    if (coming) {
      this.#asked.delete("open");
      coming.failed(why);
    } else if (window !== this.number) return;
    else if (this.state === "live" && (because === "busy" || because === "unknownMessage" || (because === "unprepared" && this.#asked.size))) this.#asked.fail(why);
    else {
      this.#isAstray ||= because === "unknownMessage";
      this.#resync(because === "unprepared" ? 5000 : 100);
    }
  }

  /** @param {any} told */
  #takeWindow(told) {
    // The answer to another word may come before it.
    const coming = this.#asked.opening(told.window);
    if (coming) {
      this.#say({ close: { window: this.number } }).catch(() => {});
      this.number = told.window;
      this.#sought = coming.word.open.target;
      // The rows that were held are of the window that is left.
      this.anchor = told.firstVisible && { row: told.firstVisible.row, edge: "top", offset: 0 };
      this.#asked.answer("open", told);
      // Questions about the other window are not answered any more.
      this.#asked.fail(new Error("superseded"));
    } else if (told.window !== this.number) return;
    if (!this.mirror.take(told)) return this.#resync();
    this.isKept = this.#isAstray = false;
    this.prefetch = told.prefetch;
    this.#enter("live");
    this.outbox.settle();
    const isWhole = told.part === "whole";
    if (isWhole) this.drawn = this.#vain = this.#sought;
    this.#asked.answer(isWhole ? "resize" : told.part, told);
    this.#tell(isWhole ? { fresh: true, seen: told.firstVisible } : undefined);
    this.#widen();
  }

  /** Opened afresh, around what is seen.
   * @param {number} [pause] */
  #resync(pause) {
    this.#enter("resync");
    this.#stream?.reopen(this.#member, pause);
  }

  /** More rows at a side; nothing where there are none, or they are on their way.
   * @param {"older" | "newer"} side */
  async page(side) {
    if (this.state !== "live" || this.#asked.has(side) || this.#asked.has("adjusted") || !(side === "older" ? this.mirror.rowsAbove : this.mirror.rowsBelow)) return;
    try {
      if (this.rows.length > most) await this.#ask("adjust", { most: most / 2, focus: side === "older" ? 0 : 1 }, "adjusted");
      await this.#ask("page", { side, count: this.count }, side);
    } catch {
      await rest(100);
    }
  }

  /** Rows of an edition that is served no more: opened afresh around what is seen; a moment later, as everybody is told at once. */
  async #renew() {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    while (this.mirror.isOld && this.state === "live") {
      await rest(200 * Math.random());
      if (this.state === "live") await this.jump(this.#around).catch((why) => {
        this.#isAstray = why.because === "unknownMessage";
        return rest(500);
      });
    }
    this.#isRenewing = false;
  }

  /** Asks about the window that is here when its turn has come.
   * @param {string} word @param {Record<string, any>} about @param {string} [kind] of the answer */
  #ask(word, about, kind = word) {
    return this.#asked.ask(kind, () => this.#about(word, about));
  }

  /** A word about the window that is here. One that is on its way would be refused as unknown, and be opened once more.
   * @param {string} word @param {Record<string, any>} about */
  #about(word, about) {
    if (this.state !== "live") throw new Error(this.state);
    return { [word]: { window: this.number, ...about } };
  }

  /** The row at a y, or that of a message, with its place.
   * @param {number | string} what */
  locate(what) {
    return typeof what === "number" ? this.#ask("locate", { y: what }, "place") : this.#ask("position", { message: what }, "place");
  }

  /** Rows around another place instead of these; the `update` that follows is `fresh`.
   * @param {Place} place */
  jump(place) { return this.#asked.ask("open", () => this.#word(this.#stream?.number() ?? 0, place)); }

  /** @param {Record<string, any>} word */
  #say(word) {
    return (["refused", "closed"].includes(this.state) ? undefined : this.#stream?.say(word)) ?? Promise.reject(new Error(this.state));
  }

  /** The same rows on another screen; a window that was opened without one begins with this. Of screens that come faster than answers the last one counts.
   * @param {Target} target @param {Anchor} [anchor] */
  async resize(target, anchor) {
    this.target = target;
    this.anchor = anchor;
    if (!this.#stream) return this.#begin();
    const isDragged = performance.now() - this.resizedAt < drag;
    this.resizedAt = performance.now();
    if (isDragged && !this.#isWidening) this.#trim(this.mirror.around(this.shown()));
    return this.#widen();
  }

  /** Asks for the rows on the screen that is wanted, until they are here. A word that was lost with its line, or with a window that is left, is said again. */
  async #widen() {
    if (this.#isWidening) return;
    this.#isWidening = true;
    while (this.state === "live" && ![this.drawn, this.#vain].includes(this.target)) {
      const { target, screen, anchor } = this;
      this.#sought = target;
      await this.#ask("resize", { target, screen, anchor }).catch(({ because, status }) => {
        if (because !== "unprepared" && status !== 400) return rest(100);
        this.#vain = target;
      });
    }
    this.#isWidening = false;
  }

  /** Lets go of rows that are far from the screen: each width brings all that are here.
   * @param {{most: number, focus: number} | undefined} few how many stay, and how many of those that go are above */
  #trim(few) {
    if (few && !this.#asked.has("adjusted")) this.#ask("adjust", few, "adjusted").catch(() => {});
  }

  /** Rows whose places are told with each change.
   * @param {Anchor[]} anchors */
  async hold(anchors) { return this.#say(this.#about("hold", { anchors })); }

  /** Everything up to an order is read, by this reader and on all devices.
   * @param {Row} row */
  async read(row) {
    let unreadFrom = row.order;
    unreadFrom++; // also where it has 64 bits
    this.reader = { ...this.reader, unreadFrom };
    if (this.reader.own) await this.forme.post(this.conversation, [{ conversation: this.conversation, read: { reader: this.reader.own, order: row.order } }]);
    await this.#say(this.#about("read", { from: unreadFrom }));
  }

  /** Lines of a row that came as an excerpt.
   * @param {Row} row @param {string} mark @param {number} from @param {number} to */
  async lines(row, mark, from, to) {
    return (await this.#ask("lines", { row: row.row, mark, from, to }, "rows")).rows[0];
  }

  /** Where stretches of a text of a row are, and carets: the answer as the page Windows has it.
   * @param {Row} row @param {{path?: string, node?: number, ranges?: number[][], carets?: number[], points?: number[][]}[]} texts @param {boolean} [isExpanded] */
  ranges(row, texts, isExpanded = false) { return this.#ask("ranges", { row: row.row, expanded: isExpanded, texts }); }

  /** The row of a message that is not posted.
   * @param {any} draft */
  preview(draft) { return this.#ask("preview", { draft }); }

  /** Posts a message: at once it stands where and as large as it will, and is sent again until it is answered.
   * @param {any} body @param {{order?: number, id?: string}} [options] an order where nobody is asked for a token */
  post(body, options = {}) { return this.outbox.post(body, options); }

  /** Says something of a message that is there.
   * @param {Row} row @param {any} change */
  say(row, change) {
    return this.forme.post(this.conversation, [{ conversation: this.conversation, message: row.message, revision: (row.said?.revision ?? 1) + 1, ...change }]);
  }

  /** All that this reader says to a message.
   * @param {Row} row @param {{emoji?: string[], options?: string[]}} what */
  react(row, what) {
    return this.say(row, { revision: Date.now(), react: { reader: this.reader.own, ...what } });
  }

  /** @param {Row} row @param {any} body */
  edit(row, body) { return this.say(row, { sender: row.said.sender, time: row.said.time, body }); }

  /** Shows all of a row that is longer than it is shown at first.
   * @param {Row} row @param {boolean} isExpanded */
  expand(row, isExpanded) {
    this.mirror.expand(row, isExpanded);
    this.#tell();
  }

  /** @param {Row} row */
  remove(row) { return this.say(row, { deleted: true }); }
}
