// The list of conversations, in the order of activity, as it changes.

import { clock, hue, initials } from "../forme/forme-rows.js";

/** @typedef {{conversation: string, title?: string, picture?: any, activity?: number, last?: any, read?: number, unread?: number}} Listed */

/** After so long without a byte nobody is there: a sign of life comes every 15 seconds. */
const patience = 40_000;

/** Server-Sent Events, as long as they come.
 * @param {Response} answer @param {() => void} alive @returns {AsyncGenerator<any>} */
async function* events(answer, alive) {
  if (!answer.body) return;
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; ; ) {
    const { value, done } = await reader.read();
    if (done) return;
    alive();
    const parts = (text + value).split("\n\n");
    text = parts.pop() ?? "";
    for (const part of parts) {
      const data = part.split("\n").find((line) => line.startsWith("data: "));
      if (data) yield JSON.parse(data.slice(6));
    }
  }
}

/** Whether times of day are told with AM and PM. */
export const is12 = ["h12", "h11"].includes(new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions().hourCycle ?? "");

/** A moment of today as a time, of this week as a day, else as a date.
 * @param {number} time */
export function when(time) {
  const [date, now] = [new Date(time), new Date()];
  const days = (now.getTime() - time) / 86_400_000;
  if (date.toDateString() === now.toDateString()) return clock(time, { clock: is12 ? "12" : "24" });
  return days < 6 ? date.toLocaleDateString("en", { weekday: "short" }) : date.toLocaleDateString("en", { day: "numeric", month: "short", ...(days > 300 && { year: "numeric" }) });
}

const kinds = /** @type {Record<string, string>} */ ({
  photo: "Photo", album: "Photos", video: "Video", gif: "GIF", audio: "Voice message", roundVideo: "Video message", file: "File", poll: "Poll", quiz: "Quiz", location: "Location",
  contact: "Contact", sticker: "Sticker", link: "Link", form: "Form", buttons: "Buttons", deleted: "Deleted message", typing: "typing…",
});

export class List extends EventTarget {
  /** @type {Map<string, {listed: Listed, element: HTMLElement}>} */
  #known = new Map();

  /** @param {HTMLElement} element @param {import("../forme/session.js").Forme} forme @param {import("../forme/fonts.js").Fonts} fonts @param {string | undefined} own */
  constructor(element, forme, fonts, own) {
    super();
    this.element = element;
    this.forme = forme;
    this.fonts = fonts;
    this.own = own;
    this.open = "";
    this.filter = "";
    this.follow();
  }

  async follow() {
    const kept = await this.forme.kept?.get("\n list");
    if (kept && !this.#known.size) this.take(kept.conversations);
    for (let turn = 0; ; turn = Math.min(turn + 1, 6)) {
      let start = Infinity;
      const attempt = new AbortController();
      /** @type {ReturnType<typeof setTimeout> | undefined} */
      let timer;
      const alive = () => {
        clearTimeout(timer);
        timer = setTimeout(() => attempt.abort(), patience);
      };
      alive();
      try {
        const query = `count=100${this.own ? `&as=${encodeURIComponent(this.own)}` : ""}`;
        const answer = await this.forme.ask(`/v1/conversations/changes?${query}`, { headers: { Accept: "text/event-stream" }, signal: attempt.signal });
        start = performance.now();
        for await (const { conversations } of events(answer, alive)) if (conversations) this.take(conversations);
      } catch (error) {
        // The list comes again, whole; but who may not read it any more sees nothing of it.
        const { status } = /** @type {any} */ (error);
        if ([401, 403].includes(status)) this.#clear();
        if (status === 401) this.forme.forget();
      } finally {
        clearTimeout(timer);
      }
      // A stream that ends as soon as it is there is no sign that the next one lasts.
      if (performance.now() - start > 1000) turn = 0;
      await new Promise((done) => setTimeout(done, 200 * 2 ** turn));
    }
  }

  #clear() {
    clearTimeout(this.keeping);
    this.#known.clear();
    this.element.replaceChildren();
  }

  /** @param {string} conversation */
  get(conversation) {
    return this.#known.get(conversation)?.listed;
  }

  /** @param {Listed[]} conversations */
  take(conversations) {
    for (const listed of conversations) {
      const element = this.#known.get(listed.conversation)?.element ?? this.#entry(listed.conversation);
      this.#known.set(listed.conversation, { listed, element });
      this.#draw(element, listed);
    }
    const order = [...this.#known.values()].sort((a, b) => (b.listed.activity ?? 0) - (a.listed.activity ?? 0));
    const focused = order.find(({ element }) => element === document.activeElement)?.element;
    order.forEach(({ element }, place) => {
      if (this.element.children[place] !== element) this.element.insertBefore(element, this.element.children[place] ?? null);
    });
    // An element that is moved loses the focus.
    if (focused && focused !== document.activeElement) focused.focus({ preventScroll: true });
    this.dispatchEvent(new CustomEvent("change", { detail: conversations }));
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => this.forme.kept?.put("\n list", { conversations: order.slice(0, 100).map(({ listed }) => listed) }), 1000);
  }

  /** The one in which something was said last. */
  get first() {
    return [...this.#known.values()].sort((a, b) => (b.listed.activity ?? 0) - (a.listed.activity ?? 0))[0]?.listed.conversation;
  }

  /** @param {string} filter */
  search(filter) {
    this.filter = filter.toLocaleLowerCase();
    for (const { listed, element } of this.#known.values()) this.#hide(element, listed);
  }

  /** @param {string} conversation */
  choose(conversation) {
    this.open = conversation;
    for (const [name, { element }] of this.#known) element.setAttribute("aria-current", `${name === conversation}`);
  }

  /** @param {string} conversation */
  #entry(conversation) {
    const element = document.createElement("button");
    element.className = "entry";
    element.setAttribute("aria-current", `${conversation === this.open}`);
    element.addEventListener("click", () => this.dispatchEvent(new CustomEvent("open", { detail: conversation })));
    for (const name of ["face", "title", "time", "words", "unread"]) {
      const part = document.createElement("span");
      part.className = name;
      part.dir = "auto";
      element.append(part);
    }
    return element;
  }

  /** @param {HTMLElement} element @param {Listed} listed */
  #draw(element, listed) {
    const name = listed.title || listed.conversation;
    const [face, title, time, words, unread] = element.children;
    const said = listed.last ? (listed.last.kind === "typing" ? "" : listed.last.words) || kinds[listed.last.kind] || "Message" : "Nothing said yet";
    const who = !listed.last || listed.last.kind === "event" ? "" : listed.last.sender === this.own ? "You: " : "";
    face.className = `face d${hue(listed.conversation)}`;
    face.textContent = listed.picture?.emoji ?? (initials(name) || "#");
    title.textContent = name;
    time.textContent = listed.activity === undefined ? "" : when(listed.activity);
    words.textContent = who + said.replace(/\s+/g, " ");
    unread.textContent = !listed.unread ? "" : listed.unread > 99 ? "99+" : `${listed.unread}`;
    element.setAttribute("aria-label", [name, unread.textContent && `${unread.textContent} unread`, words.textContent, time.textContent].filter(Boolean).join(", "));
    const shown = name + words.textContent;
    const needs = () => new Set([...this.fonts.needs(shown, { weight: 400 }), ...this.fonts.needs(name, { weight: 700 })]);
    const show = () => element.classList.remove("waiting");
    if (!this.fonts.has(needs())) element.classList.add("waiting"), setTimeout(show, 3000);
    this.fonts.list().then(() => this.fonts.load(needs())).catch(() => {}).then(show);
    this.#hide(element, listed);
  }

  /** @param {HTMLElement} element @param {Listed} listed */
  #hide(element, listed) {
    element.hidden = !`${listed.title ?? ""} ${listed.conversation}`.toLocaleLowerCase().includes(this.filter);
  }
}
