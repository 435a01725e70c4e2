// Words looked for in a conversation: in the rows that are here, and then in older ones. Where they stand is asked of the gateway, and painted.

import { wordsOf } from "../forme/forme-rows.js";

/** Pages that are asked for at once, in search of a hit. */
const mostPages = 60;
const mostHits = 200;

/** Where a text has the words, regardless of their case.
 * @param {string} text @param {string} words */
function placesIn(text, words) {
  const [lower, wanted] = [text.toLocaleLowerCase(), words.toLocaleLowerCase()];
  // Some letters have another length in small.
  const [own, sought] = lower.length === text.length ? [lower, wanted] : [text, words];
  /** @type {number[][]} */
  const found = [];
  for (let at = own.indexOf(sought); at >= 0 && found.length < mostHits; at = own.indexOf(sought, at + sought.length)) found.push([at, at + sought.length]);
  return found;
}

/** @typedef {{row: number, node: number, range: number[], order: number}} Hit */

export class Find {
  /** @type {Hit[]} */
  #hits = [];
  #version = -1;
  #words = "";
  /** @type {Hit | undefined} */
  #now;
  /** The painted ranges, by row.
   * @type {Map<number, {row: any, key: string}>} */
  #painted = new Map();

  /** @param {HTMLElement} bar @param {() => import("./chat.js").Chat | undefined} chat */
  constructor(bar, chat) {
    this.bar = bar;
    this.chat = chat;
    this.input = /** @type {HTMLInputElement} */ (bar.querySelector("input"));
    this.count = /** @type {HTMLElement} */ (bar.querySelector("[role=status]"));
    const [older, newer, close] = bar.querySelectorAll("button");
    this.input.addEventListener("input", () => this.#look());
    older.addEventListener("click", () => this.step(-1));
    newer.addEventListener("click", () => this.step(1));
    close.addEventListener("click", () => this.close());
    bar.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      else if (event.key === "Enter" && event.target === this.input) this.step(event.shiftKey ? 1 : -1);
      else return;
      event.preventDefault();
    });
  }

  open() {
    this.bar.hidden = false;
    this.input.select();
    this.input.focus();
    this.#look();
  }

  close() {
    if (this.bar.hidden) return;
    const hasFocus = this.bar.contains(document.activeElement);
    this.bar.hidden = true;
    this.#words = "";
    this.#clear();
    if (hasFocus) this.bar.dispatchEvent(new CustomEvent("closed"));
  }

  #clear() {
    for (const row of this.#painted.keys()) {
      const view = this.chat()?.scroller.view(row);
      view?.mark([]);
      view?.mark([], "forme-now");
      view?.mark([], "forme-caret");
    }
    this.#painted.clear();
    [this.#hits, this.#now, this.#version] = [[], undefined, -1];
  }

  #look() {
    this.#words = this.input.value.trim();
    this.#clear();
    this.drawn();
    // The newest of those at and above what is seen.
    const chat = this.chat();
    if (!chat || !this.#words) return;
    const { scroller, window } = chat;
    const end = window.mirror.at(scroller.y + scroller.screen);
    const seen = this.#hits.filter(({ row }) => window.mirror.index(row) <= end);
    this.#go(seen.at(-1) ?? this.#hits[0]);
  }

  /** Rows may be others than before. */
  #search() {
    const window = this.chat()?.window;
    if (!window || window.mirror.version === this.#version) return;
    this.#version = window.mirror.version;
    this.#hits = [];
    if (!this.#words) return;
    for (const row of window.rows) {
      if (!row.said || !row.bytes) continue;
      const layout = window.mirror.expanded.has(row.row) ? row.expanded ?? row.layout : row.layout;
      for (const { node, text, part } of layout.nodes) {
        if (!text || part === "time" || this.#hits.length >= 20 * mostHits) continue;
        for (const range of placesIn(wordsOf(text, row.said) ?? "", this.#words)) this.#hits.push({ row: row.row, node, range, order: Number(row.order) });
      }
    }
  }

  /** The hit beside the one that is shown; older rows are fetched while none is found.
   * @param {number} by */
  async step(by) {
    const chat = this.chat();
    const { window } = chat ?? {};
    if (!window || !this.#words || this.isLooking) return;
    this.isLooking = true;
    const side = by < 0 ? "older" : "newer";
    for (let pages = 0; pages < mostPages && chat === this.chat() && this.#words; pages++) {
      this.#search();
      const place = this.#now ? this.#hits.findIndex((hit) => hit.row === this.#now?.row && hit.node === this.#now.node && hit.range[0] === this.#now.range[0]) : -1;
      const next = place < 0 ? (by < 0 ? this.#hits.at(-1) : this.#hits[0]) : this.#hits[place + by];
      if (next || !(by < 0 ? window.mirror.rowsAbove : window.mirror.rowsBelow)) {
        this.#go(next ?? this.#now);
        break;
      }
      this.count.textContent = "Searching…";
      await window.page(side);
    }
    this.isLooking = false;
    this.#tell();
  }

  /** @param {Hit | undefined} hit */
  #go(hit) {
    const chat = this.chat();
    this.#now = hit;
    if (hit && chat) {
      const { mirror } = chat.window;
      const { y, screen } = chat.scroller;
      const index = mirror.index(hit.row);
      if (mirror.y(index) < y || mirror.y(index + 1) > y + screen) chat.scroller.scrollTo(mirror.y(index) - Math.round(0.3 * screen));
    }
    this.drawn();
  }

  #tell() {
    const place = this.#now ? this.#hits.indexOf(this.#hits.find((hit) => hit.row === this.#now?.row && hit.range[0] === this.#now.range[0] && hit.node === this.#now.node) ?? this.#hits[0]) : -1;
    const more = this.chat()?.window.mirror.rowsAbove ? "+" : "";
    const text = !this.#words ? "" : this.#hits.length ? `${place + 1} of ${this.#hits.length}${more}` : more ? "None in these messages" : "Nothing found";
    // A count that is there already is not told again.
    if (this.count.textContent !== text) this.count.textContent = text;
  }

  /** Rows were drawn: those with hits are painted. */
  drawn() {
    const chat = this.chat();
    if (this.bar.hidden || !chat) return;
    this.#search();
    this.#tell();
    /** @type {Map<number, Hit[]>} */
    const byRow = new Map();
    for (const hit of this.#hits) if (chat.scroller.view(hit.row)) byRow.set(hit.row, [...(byRow.get(hit.row) ?? []), hit]);
    for (const [row, hits] of byRow) this.#paint(chat, row, hits.slice(0, mostHits)).catch(() => {});
  }

  /** @param {import("./chat.js").Chat} chat @param {number} number @param {Hit[]} hits */
  async #paint(chat, number, hits) {
    const view = chat.scroller.view(number);
    if (!view) return;
    const current = hits.find((hit) => hit === this.#now || (hit.row === this.#now?.row && hit.node === this.#now.node && hit.range[0] === this.#now.range[0]));
    const key = `${this.#words}|${view.state}|${current ? `${current.node}.${current.range[0]}` : ""}|${chat.window.target?.width}|${chat.window.target?.textScale}`;
    const known = this.#painted.get(number);
    if (known && known.row === view.row && known.key === key) return;
    const { row } = view;
    this.#painted.set(number, { row, key });
    const nodes = [...new Set(hits.map(({ node }) => node))];
    const texts = nodes.map((node) => ({
      node, ranges: hits.filter((hit) => hit.node === node).map(({ range }) => range), ...(current?.node === node && { carets: [current.range[1]] }),
    }));
    const told = await chat.window.ranges(row, texts, view.state === "expanded");
    if (view.row !== row || this.#painted.get(number)?.key !== key || told.kind !== "ranges") return;
    const frames = told.texts.flatMap((/** @type {any} */ text) => text.ranges.flatMap((/** @type {any} */ range) => range.frames));
    view.mark(frames);
    const about = told.texts.find((/** @type {any} */ text) => text.node === current?.node);
    const side = about?.carets[0]?.upstream ?? about?.carets[0]?.downstream;
    view.mark(about?.ranges.find((/** @type {any} */ range) => range.start === current?.range[0])?.frames ?? [], "forme-now");
    view.mark(side ? [[side.x, side.top, Math.round(2 * chat.scroller.scale), side.height]] : [], "forme-caret");
  }
}
