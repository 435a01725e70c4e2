// One gateway, and who asks it: every request has the token in its head, and comes again when it may.

import { Kept } from "./kept.js";
import { Refusal, isFinal, rest } from "./refusal.js";
import { exact } from "./spelling.js";
import { Stream } from "./stream.js";
import { Window } from "./window.js";

export class Forme {
  /** @type {string | undefined} */
  #token;
  #source;
  /** @type {Stream[]} */
  #streams = [];

  /**
   * @param {string} url of the gateway; "" for that of the page
   * @param {{token?: string | (() => Promise<string>), keep?: string}} [options] a function is asked again when a token does not hold any more; with `keep`,
   *   the name of who reads, what was seen last is kept in this browser until the token ends, or `forget`
   */
  constructor(url = "", options = {}) {
    const { token, keep } = options;
    this.url = url.replace(/\/$/, "");
    this.#source = token;
    this.kept = keep === undefined || !globalThis.indexedDB ? undefined : new Kept(`${this.url}|${keep}`);
  }

  /** An answer that is well, or a Refusal. A gateway that is only busy is asked again.
   * @param {string} path @param {RequestInit & {turns?: number}} [options] */
  async ask(path, options = {}) {
    const { turns = 8, ...init } = options;
    for (let turn = 0, isNew = false; ; turn++) {
      this.#token ??= typeof this.#source === "function" ? await this.#source() : this.#source;
      const own = this.#token;
      const headers = { ...init.headers, ...(own && { Authorization: `Bearer ${own}` }) };
      const answer = await fetch(this.url + path, { ...init, headers });
      if (answer.ok) return answer;
      if (answer.status === 401 && typeof this.#source === "function" && !isNew) {
        if (this.#token === own) this.#token = undefined;
        isNew = true;
      } else if (turn < turns && [429, 503].includes(answer.status)) {
        await rest(Math.min(5000, 1000 * (Number(answer.headers.get("Retry-After")) || 0.2)));
      } else {
        const told = await answer.json().catch(() => ({}));
        throw new Refusal(answer.status, told.detail ?? told.title ?? `${answer.status}`, told.because);
      }
    }
  }

  /** The token does not hold any more: the next request asks for another. */
  renew() {
    this.#token = undefined;
    return typeof this.#source === "function";
  }

  /** The reader goes: nothing of what was seen is in this browser any more. */
  async forget() {
    await this.kept?.forget();
    this.kept = undefined;
  }

  /** @param {string} path @param {unknown} value @param {RequestInit} [init] */
  say(path, value, init) {
    return this.ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: exact(value), ...init });
  }

  /** Has events kept. The same are sent again until they are answered, which doubles nothing; ten times where the network fails, or a gateway is away.
   * @param {string} conversation @param {any[]} events */
  async post(conversation, events) {
    for (let turn = 0; ; turn++) {
      try {
        const told = await (await this.say(`/v1/conversations/${encodeURIComponent(conversation)}/events`, { events })).json();
        const busy = told.answers.find((/** @type {any} */ one) => one.answer === "busy");
        if (!busy) return told.answers;
        await rest(busy.retryAfter ?? 500);
      } catch (error) {
        if (isFinal(error) || turn > 8) throw error;
        await rest(Math.min(8000, 250 * 2 ** turn));
      }
    }
  }

  /** One for many windows: a browser has six connections to a host. */
  stream() {
    let stream = this.#streams.find((one) => one.hasRoom);
    if (!stream) this.#streams.push((stream = new Stream(this)));
    return stream;
  }

  /** @param {string} conversation @param {import("./window.js").Options} options */
  open(conversation, options) {
    return new Window(this, conversation, options);
  }
}
