// One conversation that is open: its rows, and what is done with them.

import { Scroller, acted, wordsOf, written } from "../forme/forme-rows.js";
import { landscape, map } from "./pictures.js";

const days = new Intl.DateTimeFormat("en", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });
const oldDays = new Intl.DateTimeFormat("en", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

/** @param {number[]} day */
function dayWords([year, month, day]) {
  const [date, now] = [Date.UTC(year, month - 1, day), new Date()];
  const off = Math.round((Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) - date) / 86_400_000);
  return off === 0 ? "Today" : off === 1 ? "Yesterday" : (off < 300 ? days : oldDays).format(date);
}

/** The words of a message; none where it has only pictures or sounds.
 * @param {any} row */
export const wordsIn = (row) => {
  const body = row.said?.body ?? {};
  return `${body.text ?? body.caption ?? body.question ?? body.title ?? body.file?.name ?? ""}`;
};

/** The first words of a message, or its kind. None is half a letter: a gateway takes no message with one.
 * @param {any} row */
export const firstWords = (row) => [...(wordsIn(row) || `${row.said?.body?.kind ?? ""}`).slice(0, 240)].slice(0, 120).join("");

/** The newest row in which something is said: who is writing has not said it yet, and will in the same row.
 * @param {any[]} rows */
export const lastSaid = (rows) => rows.findLast(({ said }) => said?.body?.kind !== "typing");

export class Chat extends EventTarget {
  /**
   * @param {HTMLElement} element that scrolls
   * @param {import("../forme/session.js").Forme} forme
   * @param {string} conversation
   * @param {{reader: any, textScale: number, isMirrored: boolean, around?: any, hasTokens: boolean}} options
   */
  constructor(element, forme, conversation, { reader, textScale, isMirrored, around = "newest", hasTokens }) {
    super();
    this.conversation = conversation;
    this.hasTokens = hasTokens;
    this.stop = new AbortController();
    this.window = forme.open(conversation, { reader, around, count: 60 });
    this.scroller = new Scroller(element, this.window, {
      mirrored: isMirrored,
      day: dayWords,
      picture: (node, row) => {
        if (node.token === "map") return map(row.message);
        return node.part === "sticker" ? undefined : landscape(`${row.message}${node.source ?? ""}${node.node}`);
      },
    });
    this.scroller.textScale = textScale;
    const { signal } = this.stop;
    element.addEventListener(acted, (event) => this.#act(/** @type {CustomEvent} */ (event).detail), { signal });
    element.addEventListener("contextmenu", (event) => this.#ask(event), { signal });
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.defaultPrevented || !(event.target instanceof HTMLElement) || !event.target.classList.contains("forme-row")) return;
      if (event.target.matches(".refused, .superseded")) event.target.click();
      else this.#ask(event);
    }, { signal });
    element.addEventListener("click", (event) => {
      const refused = event.target instanceof Element ? event.target.closest(".forme-row:is(.refused, .superseded)") : null;
      const own = this.window.pending.find(({ id }) => refused && this.scroller.view(id)?.element === refused);
      if (own?.state === "superseded") this.window.outbox.drop(own);
      else own?.again();
    }, { signal });
    document.addEventListener("copy", (event) => {
      const selection = getSelection();
      const words = selection && written(selection, element);
      if (!words) return;
      event.clipboardData?.setData("text/plain", words);
      event.preventDefault();
    }, { signal });
    this.window.addEventListener("update", () => this.#read(), { signal });
    this.scroller.addEventListener("draw", () => this.#read(), { signal });
  }

  close() {
    this.stop.abort();
    this.scroller.close();
    this.window.close();
  }

  /** How many rows are below the screen. */
  get below() {
    const { mirror } = this.window;
    const { y, screen } = this.scroller;
    return mirror.rowsBelow + Math.max(0, mirror.rows.length - mirror.at(y + screen) - 1);
  }

  /** Rows that were seen are read. */
  #read() {
    if (document.hidden) return;
    const { mirror, reader } = this.window;
    const { y, screen } = this.scroller;
    const row = mirror.rows[Math.min(mirror.rows.length - 1, mirror.at(y + screen - 1))];
    if (!row || (this.readTo ?? -Infinity) >= row.order || !reader.own || this.window.state !== "live") return;
    this.readTo = row.order;
    clearTimeout(this.reading);
    this.reading = setTimeout(() => this.window.forme.post(this.conversation, [{ conversation: this.conversation, read: { reader: reader.own, order: this.readTo } }]).catch(() => {}), 400);
  }

  /** @param {any} body @param {any} [reply] */
  send(body, reply) {
    const about = reply && { reply: { sender: reply.said?.body?.name ?? reply.said?.sender ?? "", text: firstWords(reply), message: reply.message } };
    // Somebody who answers has read what is there: no line above one's own words says otherwise.
    const last = this.window.rows.at(-1);
    if (last && !this.window.mirror.rowsBelow) this.window.read(last).catch(() => {});
    this.scroller.jump("newest").catch(() => {});
    return this.window.post({ ...body, ...about }, this.hasTokens ? {} : { order: Date.now() });
  }

  /** @param {{row: any, action: string, about: string, view: any}} what */
  #act({ row, action, about, view }) {
    const own = this.window.reader.own;
    if (action === "expand") return this.window.expand(row, view.state !== "expanded");
    if (action === "openReply" || action === "openForwarded") {
      const message = row.said?.body?.[action === "openReply" ? "reply" : "forward"]?.message;
      return message && this.scroller.jump({ message }).catch(() => {});
    }
    if (action === "react") return this.react(row, about ? wordAt(row.said, `${about}.emoji`) : "");
    if (action === "vote" && own) {
      const id = wordAt(row.said, `${about}.id`) || wordAt(row.said, `${about}.text`);
      if (id) this.#heard("Not voted", this.window.react(row, { options: [id] }));
    }
    if (action === "openLink") {
      const url = wordAt(row.said, "preview.url");
      if (/^https?:/i.test(url)) open(url, "_blank", "noopener,noreferrer");
    }
  }

  /** Takes it back where this reader said it.
   * @param {any} row @param {string} emoji */
  react(row, emoji) {
    const own = this.window.reader.own;
    if (!emoji || !own) return;
    const said = (row.said?.reactions ?? []).filter((/** @type {any} */ one) => one.emoji && one.by?.includes(own)).map((/** @type {any} */ one) => one.emoji);
    this.#heard("Not said", this.window.react(row, { emoji: said.includes(emoji) ? said.filter((/** @type {string} */ one) => one !== emoji) : [...said, emoji].slice(-8) }));
  }

  /** @param {any} row @param {string} text */
  edit(row, text) {
    this.#heard("Not changed", this.window.edit(row, { ...row.said.body, text, edited: true }), text);
  }

  /** @param {any} row */
  remove(row) {
    this.#heard("Not deleted", this.window.remove(row));
  }

  /** Waits for the answer to what was said of a message, and tells the page where that is not taken.
   * @param {string} what @param {Promise<any[]>} said @param {string} [words] that would be lost */
  async #heard(what, said, words) {
    try {
      const [{ answer, field, reason }] = await said;
      if (answer === "invalid") throw new Error(`${field ? `${field}: ` : ""}${reason}`);
      if (answer === "superseded" && words) throw new Error("it was changed elsewhere meanwhile");
    } catch (error) {
      this.dispatchEvent(new CustomEvent("failed", { detail: { what, why: /** @type {any} */ (error).message, words } }));
    }
  }

  /** @param {MouseEvent | KeyboardEvent} event */
  #ask(event) {
    const number = event.target instanceof Element ? this.scroller.rowOf(event.target) : undefined;
    const row = this.window.rows.find((own) => own.row === number);
    if (!row?.said || !(getSelection()?.isCollapsed ?? true)) return;
    event.preventDefault();
    const { clientX: x, clientY: y } = event instanceof MouseEvent ? event : { clientX: undefined, clientY: undefined };
    this.dispatchEvent(new CustomEvent("menu", { detail: { row, x, y } }));
  }
}

/** @param {any} said @param {string} path */
const wordAt = (said, path) => wordsOf({ path }, said) ?? "";
