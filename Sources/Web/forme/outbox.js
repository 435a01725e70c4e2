// Own messages that are on their way: each stands where it will and as large as it will, and is sent again until it is answered.

import { freshName } from "./refusal.js";

/**
 * @typedef {import("./mirror.js").Row} Row
 * @typedef {{id: string, row?: Row, neighbours: Row[], state: "drawing" | "sending" | "refused" | "superseded", why?: string, body: any, again: () => void}} Pending
 */

export class Outbox {
  /** The oldest first.
   * @type {Pending[]} */
  pending = [];
  /** Names of those that have come to stand elsewhere than they were shown, as others came first: for some seconds.
   * @type {Set<string>} */
  moved = new Set();

  /** @param {import("./window.js").Window} window @param {() => void} tell */
  constructor(window, tell) {
    this.window = window;
    this.tell = tell;
  }

  /** @param {any} body @param {{order?: number, id?: string}} options */
  async post(body, { order, id = freshName() }) {
    const { conversation, reader } = this.window;
    const draft = { sender: reader.own, time: Date.now(), body, order };
    const event = { conversation, message: id, revision: 1, ...draft };
    /** @type {Pending} */
    const own = { id, body, neighbours: [], state: "drawing", again: () => this.#send(own, event) };
    this.pending.push(own);
    this.window.preview({ ...draft, status: "sending" }).then(({ row, neighbours }) => {
      if (!row || !this.pending.includes(own)) return;
      Object.assign(own, { row, neighbours });
      this.tell();
    }, () => {});
    await this.#send(own, event);
    return id;
  }

  /** @param {Pending} own @param {any} event */
  async #send(own, event) {
    own.state = "sending";
    try {
      const [{ answer, field, reason }] = await this.window.forme.post(this.window.conversation, [event]);
      if (answer === "invalid") Object.assign(own, { state: "refused", why: `${field ? `${field}: ` : ""}${reason}` });
      // Where it is not deleted, its row comes.
      if (answer === "superseded") own.state = answer;
    } catch (error) {
      Object.assign(own, { state: "refused", why: /** @type {any} */ (error)?.message });
    }
    this.settle();
    this.tell();
  }

  /** A message that has a row is not on its way any more. */
  settle() {
    const { pending, window: { rows } } = this;
    this.pending = pending.filter(({ id, row }) => {
      const place = rows.findIndex(({ message }) => message === id);
      if (row && place >= 0 && rows.slice(place).some(({ message }) => !pending.some((own) => own.id === message))) {
        this.moved.add(id);
        setTimeout(() => {
          this.moved.delete(id);
          this.tell();
        }, 5000);
      }
      return place < 0;
    });
  }

  /** A neighbour of an own message that is on its way looks as it will.
   * @param {Row} row */
  overlaid(row) {
    for (const { neighbours } of this.pending) for (const other of neighbours) if (other.row === row.row && other.height === row.height) return other;
    return row;
  }

  /** @param {Pending} own */
  drop(own) {
    this.pending = this.pending.filter((other) => other !== own);
    this.tell();
  }
}
