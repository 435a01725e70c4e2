// What a gateway says of a window, for as long as somebody listens: a stream of frames that is taken up again where it broke off.

import { decodeFrame } from "./frames.js";
import { Refusal, rest } from "./refusal.js";

const form = "application/vnd.forme; rows=2";
/** After so long without a byte nobody is there: a sign of life comes every 15 seconds. */
const patience = 40_000;

/** Blocks of bytes, each behind its length.
 * @param {ReadableStream<Uint8Array>} body @param {() => void} alive @returns {AsyncGenerator<Uint8Array>} */
export async function* blocks(body, alive) {
  const reader = body.getReader();
  /** @type {Uint8Array[]} */
  let parts = [];
  let [has, needs] = [0, 4];
  let isHead = true;
  try {
    for (;;) {
      while (has >= needs) {
        const whole = new Uint8Array(has);
        let place = 0;
        for (const part of parts) {
          whole.set(part, place);
          place += part.length;
        }
        const block = whole.slice(0, needs);
        parts = [whole.subarray(needs)];
        has -= needs;
        if (isHead) {
          needs = new DataView(block.buffer).getUint32(0);
          if (needs > 1 << 26) throw new Error("a block that no gateway sends");
          isHead = needs === 0;
          if (isHead) needs = 4;
        } else {
          yield block;
          [isHead, needs] = [true, 4];
        }
      }
      const { value, done } = await reader.read();
      if (done) return;
      alive();
      parts.push(value);
      has += value.length;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

export class Stream {
  #stop = new AbortController();
  /** @type {AbortController | undefined} */
  #attempt;
  /** @type {Promise<unknown>} */
  #said = Promise.resolve();
  #wake = () => {};

  /**
   * @param {import("./session.js").Forme} forme
   * @param {string} conversation
   * @param {{query: () => Record<string, string>, mark: () => string, hear: (word: Record<string, any>) => void,
   *   state: (state: string, why?: string) => void}} owner what its window is by now, the moments that were reached, and who is told
   */
  constructor(forme, conversation, owner) {
    this.forme = forme;
    this.path = `/v1/conversations/${encodeURIComponent(conversation)}`;
    this.owner = owner;
    /** @type {string | undefined} */
    this.name = undefined;
    this.bytes = 0;
    globalThis.addEventListener?.("online", () => this.#wake(), { signal: this.#stop.signal });
    this.#run();
  }

  close() {
    this.#stop.abort();
    this.#attempt?.abort();
    this.#wake();
  }

  /** Goes back to the gateway, as if the line had broken. */
  restart() {
    this.#attempt?.abort();
  }

  async #run() {
    for (let turn = 0; !this.#stop.signal.aborted; ) {
      try {
        this.owner.state("connecting");
        await this.#listen(() => (turn = 0));
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (error instanceof Refusal && [400, 401, 403].includes(error.status)) return this.owner.state("refused", error.message);
      }
      if (this.#stop.signal.aborted) return;
      this.owner.state("offline");
      const pause = turn ? Math.min(10_000, 125 * 2 ** turn) * (0.75 + Math.random() / 2) : 30;
      turn = Math.min(turn + 1, 10);
      await Promise.race([rest(pause), new Promise((done) => (this.#wake = () => done(0)))]);
    }
  }

  /** @param {() => void} isHere */
  async #listen(isHere) {
    const attempt = (this.#attempt = new AbortController());
    let timer = setTimeout(() => attempt.abort(), patience);
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => attempt.abort(), patience);
    };
    const mark = this.name && this.owner.mark();
    try {
      const answer = await this.forme.ask(`${this.path}/changes?${new URLSearchParams(this.owner.query())}`, {
        headers: { Accept: form, ...(mark && { "Last-Event-ID": this.name + mark }) }, signal: attempt.signal, turns: 0,
      });
      this.name = answer.headers.get("Forme-Stream") ?? undefined;
      if (!answer.body) return;
      for await (const block of blocks(answer.body, alive)) {
        isHere();
        this.bytes += block.length + 4;
        const { word } = decodeFrame(block);
        if (word.refused?.because === "unauthorized" && !this.forme.renew()) throw new Refusal(401, "the token does not hold any more");
        this.owner.hear(word);
      }
    } finally {
      clearTimeout(timer);
      attempt.abort();
    }
  }

  /** Words arrive in the order in which they are said.
   * @param {Record<string, any>} word */
  say(word) {
    const said = this.#said.then(() => this.name === undefined ? Promise.reject(new Error("nobody hears it")) : this.forme.say(`${this.path}/streams/${this.name}`, word, { signal: this.#attempt?.signal }));
    this.#said = said.catch(() => {});
    return said;
  }
}
