// Rows of a window in an element that scrolls: exact to the device pixel, however long the conversation is. Below that element nothing is measured.

import { Fonts } from "./fonts.js";
import { Keys } from "./keys.js";
import { Pointed } from "./pointed.js";
import { RowView, dress } from "./view.js";

/** Higher than this, in device pixels, no element is: browsers keep places exact to 1/64 of one up to 2²⁵. */
const highest = 2 ** 24 - 2 ** 16;
/** Rows that are drawn beyond each edge, in screens. */
const margin = 0.75;
/** A step of more screens than this, and of more pixels in a millisecond, is a drag of the thumb, or a key that goes to an end. */
const leap = { screens: 1.5, speed: 50 };
/** So near an end, in device pixels, the thumb is as far from its own end as the screen is, and steps find room. */
const near = 2 ** 14;

/**
 * `y` is where the top of the screen is in the conversation, in device pixels. The scrolled element has a runway, at most `highest` high: where the
 * conversation is higher, a step moves by as much as it says, and a leap goes to the same part of the whole.
 */
export class Scroller extends EventTarget {
  /** @type {Map<number | string, {view: RowView, y: number}>} */
  #views = new Map();
  #stop = new AbortController();
  #isDue = false;
  #idle = 0;
  #widened = 0;
  /** Where in the runway rows are told from, and which y that is. */
  #base = { css: 0, y: 0 };
  /** `scrollTop` as it was last seen or set. */
  #top = 0;
  #runway = 0;
  #steppedAt = 0;
  /** Rows that have changed since are not told of yet: until they are, nothing is put anywhere. */
  #version = 0;
  /** Whether it is known which y the screen shows. */
  #isPlaced = false;
  /** Whether it is known how rows look. */
  #isDressed = false;
  /** @type {import("./mirror.js").Anchor | undefined} */
  #anchor;

  /** @param {HTMLElement} element @param {import("./window.js").Window} window @param {Partial<import("./view.js").Easel>} [easel] */
  constructor(element, window, easel = {}) {
    super();
    this.element = element;
    this.window = window;
    /** @type {import("./view.js").Easel} */
    this.easel = { scale: globalThis.devicePixelRatio, mirrored: window.target?.mirrored, fonts: Fonts.of(window.forme), reader: window.reader, ...easel };
    this.width = this.height = this.drift = 0;
    /** Where the next rows are to be seen: where they say, at a y, or where the screen is already.
     * @type {"seen" | "here" | number | undefined} */
    this.target = undefined;
    /** @type {{anchor: import("./mirror.js").Anchor, message: string, at: number, y: number} | undefined} */
    this.held = undefined;
    /** Of texts, in percent.
     * @type {number | undefined} */
    this.textScale = window.target?.textScale;
    this.isAtEnd = window.around === "newest";
    this.rail = document.createElement("div");
    this.sheet = document.createElement("div");
    // Places count from the left in every page, and lines say their own direction.
    this.sheet.dir = "ltr";
    this.rail.append(this.sheet);
    element.replaceChildren(this.rail);
    Object.assign(element.style, { overflowY: "scroll", overflowX: "hidden", overflowAnchor: "none" });
    this.rail.style.cssText = "position:relative;width:100%;overflow:hidden;contain:strict";
    this.sheet.style.cssText = "position:absolute;left:0;width:100%;height:0";
    element.setAttribute("role", "feed");
    element.tabIndex = -1;
    const { signal } = this.#stop;
    this.keys = new Keys(this, signal);
    element.addEventListener("scroll", () => this.#scrolled(), { signal, passive: true });
    this.pointed = new Pointed(element, (own) => this.rowOf(own), signal);
    window.addEventListener("update", (event) => this.#updated(/** @type {CustomEvent} */ (event).detail), { signal });
    window.seen = () => this.#place();
    window.shown = () => this.#shown;
    this.observer = new ResizeObserver(([entry]) => this.#resized(entry));
    this.observer.observe(element);
    // Rows stand at once; the list says which letters they wait for.
    this.easel.fonts.list().then(() => {
      dress(this.easel.fonts);
      this.#isDressed = true;
      this.#draw();
    }, () => {});
  }

  close() {
    this.#stop.abort();
    this.observer.disconnect();
    for (const timer of [this.#idle, this.#widened]) clearTimeout(timer);
    this.element.replaceChildren();
  }

  get scale() { return this.easel.scale; }

  /** The top of the screen in the conversation. */
  get y() { return this.#base.y + Math.round((this.#top - this.#base.css) * this.scale); }

  /** Of a screen, in device pixels. */
  get screen() { return Math.round(this.height * this.scale); }

  /** Both ends: own messages that have no row yet stand behind the last one. */
  get extent() {
    const { extent: [from], end: to } = this.window.mirror;
    const more = this.window.mirror.rowsBelow ? 0 : this.window.pending.reduce((sum, { row }) => sum + (row?.height ?? 0), 0);
    return [from, to + more];
  }

  /** The last y at which a screen is full. */
  get last() {
    const [from, to] = this.extent;
    return Math.max(from, to - this.screen);
  }

  /** @param {ResizeObserverEntry} entry */
  #resized({ contentRect: { width, height } }) {
    const isFirst = this.width === 0;
    [this.width, this.height] = [width, height];
    if (!width || !height) return;
    const { window } = this;
    window.screen = Math.max(1, this.screen);
    const scale = Math.min(8, Math.max(0.5, globalThis.devicePixelRatio));
    const { width: before, scale: old, textScale } = window.target ?? {};
    const { mirrored } = this.easel;
    if (width !== before || scale !== old || this.textScale !== textScale) {
      const target = { width: Math.floor(width * 64) / 64, scale, ...(this.textScale && { textScale: this.textScale }), ...(mirrored && { mirrored }) };
      window.resize(target, isFirst || this.isAtEnd ? undefined : this.held?.anchor);
    }
    if (this.#isPlaced) this.#settle(this.isAtEnd ? this.last : this.y);
    this.#draw();
  }

  #scrolled() {
    const top = this.element.scrollTop;
    const step = top - this.#top;
    if (step === 0) return;
    const [room, [from], now] = [this.#runway - this.height, this.extent, performance.now()];
    this.#top = top;
    const speed = Math.abs(step) / Math.min(100, Math.max(4, now - this.#steppedAt));
    this.#steppedAt = now;
    if (Math.abs(step) > leap.screens * this.height && speed > leap.speed && this.#total() > this.#most) {
      // A leap: the same part of the whole. Ends are ends.
      const part = top <= 0 ? 0 : top >= room - 1 ? 1 : top / room;
      this.#rebase(Math.round(from + part * (this.last - from)));
    }
    this.isAtEnd = this.y >= this.last - 2 * this.scale;
    this.pointed.row = this.#anchor = undefined;
    this.#schedule();
    const { y, last } = this;
    const lacks = (/** @type {number} */ there, /** @type {number} */ more) => (there <= 0 ? more > 0 : there * this.scale + 2 < Math.min(more, near / 2));
    if (y < from || y > last || lacks(top, y - from) || lacks(room - top, last - y)) this.#settle(y);
    else this.#later();
  }

  /** The thumb goes where it belongs when no step has come for a while. One that is made and not told of yet is a step. */
  #later() {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => (this.element.scrollTop === this.#top ? (this.#settle(this.y), this.#schedule()) : this.#scrolled()), 200);
  }

  /** Of a runway. Where a point is several pixels, `scrollTop` has to tell these apart, and has 24 bits for it. */
  get #most() { return this.scale === 1 ? highest : 2 ** (this.scale > 3.5 ? 21 : 22) - 2 ** 12; }

  #total() { return (this.extent[1] - this.extent[0]) / this.scale; }

  /** Puts a y at the top of the screen, and the thumb where it belongs: nothing on the screen moves but by that. Rows are drawn afterwards.
   * @param {number} wanted */
  #settle(wanted) {
    if (!this.height || this.#version !== this.window.mirror.version) return;
    const [from] = this.extent;
    const y = Math.min(Math.max(wanted, from), this.last);
    const total = this.#total();
    const runway = Math.max(this.height, Math.min(total, this.#most));
    if (runway !== this.#runway) {
      this.#runway = runway;
      this.rail.style.height = `${runway}px`;
    }
    const room = runway - this.height;
    const [above, below, edge] = [y - from, this.last - y, near / this.scale];
    const top = total <= this.#most || above < near ? Math.min(room, above / this.scale) : below < near ? Math.floor(room - below / this.scale)
      : Math.round(edge + ((above - near) / (above + below - 2 * near)) * (room - 2 * edge));
    if (Math.abs(top - this.#top) >= 0.5 / this.scale) {
      this.element.scrollTop = top;
      this.#top = this.element.scrollTop;
    }
    // A position far away from the base loses the sixty-fourths of a pixel.
    if (this.y !== y || Math.abs(this.#top - this.#base.css) > 1e5) this.#rebase(y);
  }

  /** The top of the screen is a y from now on. Rows are told from a whole number: a browser has no other ones so far down.
   * @param {number} y */
  #rebase(y) {
    const css = Math.floor(this.#top);
    this.#base = { css, y: y - Math.round((this.#top - css) * this.scale) };
  }

  /** @param {number} y */
  scrollTo(y) {
    this.isAtEnd = y >= this.last - 2 * this.scale;
    // Rows that came are told of with the next frame.
    if (this.#version !== this.window.mirror.version) this.target = y;
    this.#settle(y);
    this.#draw();
  }

  #schedule() {
    if (this.#isDue) return;
    this.#isDue = true;
    requestAnimationFrame(() => {
      this.#isDue = false;
      this.#draw();
    });
  }

  /** The number of the row that an element is drawn in.
   * @param {Element} element */
  rowOf(element) {
    const own = element.closest(".forme-row");
    for (const [key, { view }] of own ? this.#views : []) if (view.element === own && typeof key === "number") return key;
    return undefined;
  }

  /** The row that stays where it is on the screen: that under the pointer, else the same as before, until a step comes. */
  hold() {
    return this.window.mirror.hold(this.y, this.screen, this.pointed.row ?? this.#anchor?.row);
  }

  /** Where a reconnection opens.
   * @returns {import("./window.js").Place | undefined} */
  #place() {
    const held = this.isAtEnd ? undefined : this.#anchor && this.held;
    return held ? { message: held.message } : this.isAtEnd ? "newest" : undefined;
  }

  /** The rows on the screen, of those that are here, also where they are not told of yet. */
  get #shown() {
    const { held, isAtEnd, window: { mirror } } = this;
    const y = this.#version === mirror.version ? this.y : isAtEnd ? this.last : ((held && mirror.yOf(held.anchor)) ?? this.y) - (held?.at ?? 0);
    return this.#isPlaced && this.height ? { y, end: y + this.screen, isAtEnd } : undefined;
  }

  /** @param {{seen?: any, kept?: any}} news */
  #updated({ seen, kept }) {
    const { mirror, drawn = this.window.target } = this.window;
    this.easel.reader = this.window.reader;
    this.#isPlaced = true;
    this.#version = mirror.version;
    const old = this.scale;
    this.easel.scale = drawn?.scale ?? old;
    this.sheet.style.setProperty("--text", `${(drawn?.textScale ?? 100) / 100}`); // for what a page draws in sizes of its own
    const [held, y] = [this.held, this.held && mirror.yOf(this.held.anchor)];
    if (kept && this.window.isKept) {
      this.#settle(seen.y);
      [this.isAtEnd, this.target] = [this.window.around === "newest", this.window.around === "unread" ? "seen" : undefined];
    } else if (this.target !== undefined) {
      const wanted = this.target === "seen" ? seen?.y : typeof this.target === "number" ? this.target : this.y;
      this.target = undefined;
      this.#settle(wanted ?? this.last);
      this.isAtEnd = this.y >= this.last - 2 * this.scale;
    } else if (this.isAtEnd) this.#settle(this.last);
    else if (y !== undefined && held) {
      // Steps since it was drawn are steps.
      const at = Math.round(((held.at + held.y - this.y) * this.scale) / old);
      this.#shift(y - at);
      if (this.y > this.extent[0] && this.y < this.last) this.drift = Math.max(this.drift, Math.abs(y - this.y - at));
    } else if (seen) this.#settle(seen.y);
    this.#draw();
  }

  /** The same place of the screen has another y: the thumb goes there when no step has come for a while.
   * @param {number} y */
  #shift(y) {
    if (y >= this.extent[0] && y <= this.last && this.#total() > this.#most) {
      this.#rebase(y);
      this.#later();
    } else if (y !== this.y || Math.max(this.height, Math.min(this.#total(), this.#most)) !== this.#runway) this.#settle(y);
  }

  /** Rows of the screen and a little beyond. */
  #draw() {
    const { mirror, prefetch } = this.window;
    if (!this.#isPlaced || !this.#isDressed || !this.height || this.#version !== mirror.version) return;
    const { y, screen } = this;
    // While a width changes, what is not seen would be drawn for nothing.
    const isWidening = performance.now() - this.window.resizedAt < 150;
    const beyond = Math.round((isWidening ? 0.05 : margin) * screen);
    clearTimeout(this.#widened);
    if (isWidening) this.#widened = setTimeout(() => this.#schedule(), 160);
    const first = mirror.at(y - beyond);
    /** @type {Set<number | string>} */
    const kept = new Set();
    this.sheet.style.top = `${this.#base.css}px`;
    for (let index = first; index < mirror.rows.length && mirror.y(index) < y + screen + beyond; index++) {
      const { row, message } = mirror.rows[index];
      kept.add(row);
      const { element: shown } = this.#show(row, this.window.outbox.overlaid(mirror.rows[index]), mirror.y(index), mirror.expanded.get(row));
      shown.classList.toggle("moved", this.window.outbox.moved.has(message));
      const place = `${mirror.rowsAbove + index + 1}`;
      if (shown.ariaPosInSet !== place) [shown.ariaPosInSet, shown.ariaSetSize] = [place, `${mirror.rowsAbove + mirror.rows.length + mirror.rowsBelow}`];
    }
    if (!mirror.rowsBelow) {
      let end = mirror.bottom;
      for (const own of this.window.pending) {
        if (!own.row) continue;
        kept.add(own.id);
        const { element: shown } = this.#show(own.id, own.row, end);
        for (const state of ["refused", "superseded"]) shown.classList.toggle(state, own.state === state);
        // One that waits for its reader is reached by Tab.
        shown.tabIndex = shown.matches(".refused,.superseded") ? 0 : -1;
        end += own.row.height;
      }
    }
    // The one with the focus is not lost while it is among the rows.
    const { row: focused, isInside } = this.keys;
    const place = isInside && focused !== undefined && !kept.has(focused) ? mirror.index(focused) : -1;
    if (focused !== undefined && place >= 0) kept.add(focused) && this.#show(focused, mirror.rows[place], mirror.y(place), mirror.expanded.get(focused));
    const { activeElement } = /** @type {Document} */ (this.element.getRootNode());
    for (const [key, { view }] of this.#views) {
      if (kept.has(key)) continue;
      if (view.element.contains(activeElement)) this.element.focus({ preventScroll: true });
      view.element.remove();
      this.#views.delete(key);
    }
    const held = this.hold();
    if (!held) return this.#told();
    [this.held, this.#anchor] = [held, held.anchor];
    // Under a width that changes only what the screen lacks.
    if (isWidening && y >= mirror.top && y + screen <= mirror.bottom) return this.#told();
    const ahead = isWidening ? 0 : 2 * screen;
    if (mirror.rowsAbove && (y < (prefetch.olderAbove ?? -Infinity) || y - ahead < mirror.top)) this.window.page("older");
    if (mirror.rowsBelow && (y + screen > (prefetch.newerBelow ?? Infinity) || y + screen + ahead > mirror.bottom)) this.window.page("newer");
    if (y + screen < mirror.top || y > mirror.bottom) this.#fetch(y);
    this.#told();
  }

  #told() {
    this.window.keep();
    this.keys.settle();
    this.dispatchEvent(new CustomEvent("draw"));
  }

  /** Rows of a place that no page reaches soon.
   * @param {number} y */
  #fetch(y) {
    if (this.isFetching) return;
    this.isFetching = true;
    this.window.jump({ y }).then(() => {
      this.target ??= "here";
    }, () => {}).finally(() => {
      this.isFetching = false;
      setTimeout(() => this.#schedule(), 50);
    });
  }

  /** @param {number | string} key @param {any} row @param {number} y @param {number} [more] by which it is higher, expanded */
  #show(key, row, y, more) {
    const state = more === undefined ? "layout" : "expanded";
    let shown = this.#views.get(key);
    if (!shown) {
      shown = { view: new RowView(row, this.easel, state), y: NaN };
      this.#views.set(key, shown);
      this.sheet.append(shown.view.element);
    } else if (shown.view.row !== row || shown.view.state !== state) {
      shown.view.draw(row, state);
      if (typeof key === "number") this.keys.redrawn(key);
    }
    const top = (y - this.#base.y) / this.scale;
    if (shown.y !== top) {
      shown.y = top;
      shown.view.element.style.top = `${top}px`;
    }
    return shown.view;
  }

  /** Shows a message: at once where it is among the rows, else by asking for it.
   * @param {import("./window.js").Place} place */
  async jump(place) {
    const { mirror } = this.window;
    if (place === "newest" && !mirror.rowsBelow) return this.scrollTo(this.last);
    const index = typeof place === "object" && "message" in place ? mirror.rows.findIndex(({ message }) => message === place.message) : -1;
    if (index >= 0) return this.scrollTo(mirror.y(index) - Math.round(0.3 * this.screen));
    await this.window.jump(place);
    // Before the update that shows it.
    this.isAtEnd = place === "newest";
    this.target = this.isAtEnd ? undefined : "seen";
  }

  /** Texts larger or smaller than the style has them.
   * @param {number} percent */
  scaleTexts(percent) {
    this.textScale = percent;
    if (this.window.target) this.window.resize({ ...this.window.target, textScale: percent }, this.isAtEnd ? undefined : this.held?.anchor);
  }

  /** @param {number | string} row a number, or the name of an own message that has none */
  view(row) {
    return this.#views.get(row)?.view;
  }
}
