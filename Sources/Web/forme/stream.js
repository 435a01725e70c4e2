// The words of a gateway about a window, for as long as somebody listens: a stream of frames that is taken up again where it broke off.

import { decodeFrame } from "./frames.js";
import { Refusal, rest } from "./refusal.js";

const form = "application/vnd.forme; rows=2";
/** After so long without a byte nobody is there: a sign of life comes every 15 seconds. */
const patience = 40_000;
/** A line that breaks sooner makes the next pause no shorter. */
const good = 250;

/** Blocks of bytes, each behind its length.
 * @param {ReadableStream<Uint8Array>} body @param {() => void} alive @returns {AsyncGenerator<Uint8Array>} */
export async function* blocks(body, alive) {
  const reader = body.getReader();
  let left = new Uint8Array();
  /** The next bytes; nothing where the stream ends before.
   * @param {number} size */
  const next = async (size) => {
    const whole = new Uint8Array(size);
    for (let has = 0; has < size; ) {
      if (!left.length) {
        const { value, done } = await reader.read();
        if (done) return;
        alive();
        left = value;
      }
      const part = left.subarray(0, size - has);
      whole.set(part, has);
      has += part.length;
      left = left.subarray(part.length);
    }
    return whole;
  };
  try {
    for (let head; (head = await next(4)); ) {
      const size = new DataView(head.buffer).getUint32(0);
      if (size > 1 << 26) throw new Error("a block is too large");
      const block = await next(size);
      // Without bytes it is a sign of life.
      if (block?.length) yield block;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * One of the windows of a stream.
 *
 * @typedef {object} Member
 * @property {string} conversation
 * @property {() => Record<string, string>} query that opens it as it is by now
 * @property {() => {open: any}} word likewise
 * @property {() => string} mark its number and the moment that it has reached
 * @property {(number: number) => boolean} has
 * @property {(number: number) => void} renumber
 * @property {(word: Record<string, any>) => void} hear
 * @property {(state: string, why?: string, status?: number) => void} state
 */

/** Windows of a stream; each may have another one while it goes elsewhere, and a gateway takes sixteen. */
const mostMembers = 7;
/** How long a stream waits for another window after its last one. */
const patienceWithNobody = 2000;
const hopeless = [400, 401, 403];

export class Stream {
  /** @type {Member[]} */
  #members = [];
  /** Those that the gateway was asked for on this stream, and whether their rows have come.
   * @type {Map<Member, boolean>} */
  #opened = new Map();
  /** Windows that nobody has any more, and that keep the stream open.
   * @type {number[]} */
  #left = [];
  #numbers = 0;
  #isRunning = false;
  /** @type {AbortController | undefined} */
  #attempt;
  /** @type {Promise<unknown>} */
  #said = Promise.resolve();
  #wake = () => {};
  #path = "";
  /** @type {string | undefined} */
  #name;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #end;

  /** @param {import("./session.js").Forme} forme */
  constructor(forme) {
    this.forme = forme;
    this.bytes = 0;
    globalThis.addEventListener?.("online", () => this.#wake());
  }

  get hasRoom() {
    return this.#members.length < mostMembers;
  }

  /** A number that no window of this stream had. */
  number() {
    return (this.#numbers += 1);
  }

  /** @param {Member} member */
  join(member) {
    clearTimeout(this.#end);
    member.renumber(this.number());
    this.#members.push(member);
    if (!this.#isRunning) this.#run();
    else if (this.#name) this.#open(member);
  }

  /** @param {Member} member */
  leave(member) {
    if (!this.#members.includes(member)) return;
    this.#members = this.#members.filter((other) => other !== member);
    if (this.#opened.delete(member)) this.#left.push(numberOf(member));
    if (this.#members.length) return this.#letGo();
    // A window that is opened soon finds the line open.
    this.#end = setTimeout(() => {
      this.#attempt?.abort();
      this.#wake();
    }, patienceWithNobody);
  }

  /** A window that does not fit what is told of it comes again, whole.
   * @param {Member} member @param {number} [pause] */
  async reopen(member, pause = 100) {
    if (this.#opened.delete(member)) this.#left.push(numberOf(member));
    member.renumber(this.number());
    await rest(pause);
    if (this.#members.includes(member) && !this.#opened.has(member) && this.#name) this.#open(member);
  }

  #letGo() {
    for (const window of this.#left.splice(0)) this.say({ close: { window } }).catch(() => {});
  }

  /** @param {Member} member */
  #open(member) {
    this.#opened.set(member, false);
    this.say(member.word()).then(() => this.#letGo(), (error) => {
      if (hopeless.includes(error.status)) this.#expel(member, error);
      else this.#attempt?.abort();
    });
  }

  /** @param {Member} member @param {Refusal} why */
  #expel(member, why) {
    this.#opened.delete(member);
    this.#members = this.#members.filter((other) => other !== member);
    member.state("refused", why.message, why.status);
  }

  async #run() {
    this.#isRunning = true;
    for (let turn = 0; this.#members.length; ) {
      try {
        this.#tell("connecting");
        await this.#listen(() => (turn = 0));
      } catch (error) {
        const [first] = this.#members;
        if (error instanceof Refusal && first) {
          if (error.status === 401) for (const member of this.#members) this.#expel(member, error);
          else if (hopeless.includes(error.status)) this.#expel(first, error);
          else if (error.because === "unknownMessage") first.hear({ refused: { window: numberOf(first), because: error.because } });
          // A reason to keep one of them back is none for the others.
          else this.#members.push(...this.#members.splice(0, 1));
        }
      }
      if (!this.#members.length) break;
      this.#tell("offline");
      const pause = turn ? Math.min(10_000, 125 * 2 ** turn) * (0.75 + Math.random() / 2) : 30;
      turn += 1;
      await Promise.race([rest(pause), new Promise((done) => (this.#wake = () => done(0)))]);
    }
    [this.#isRunning, this.#name, this.#left] = [false, undefined, []];
    this.#opened.clear();
  }

  /** @param {string} state */
  #tell(state) {
    for (const member of this.#members) member.state(state);
  }

  /** Where the stream was broken off: the first window by its moment alone, others by number and moment. One whose rows have not come has the moment of others. */
  get #mark() {
    const marks = [...this.#opened].flatMap(([member, isHere]) => (isHere ? member.mark() : [])).sort();
    return this.#name && marks.length ? [this.#name, ...marks].join(";").replace(";1.", ".") : undefined;
  }

  /** @param {() => void} hasLasted is called at the end of a line that was good for a while */
  async #listen(hasLasted) {
    const attempt = (this.#attempt = new AbortController());
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => attempt.abort(), patience);
    };
    alive();
    let start = Infinity;
    const [first] = this.#members;
    const [mark, before] = [this.#mark, this.#name];
    this.#name = undefined;
    try {
      const path = `/v1/conversations/${encodeURIComponent(first.conversation)}`;
      const answer = await this.forme.ask(`${path}/changes?${new URLSearchParams(first.query())}`, {
        headers: { Accept: form, ...(mark && { "Last-Event-ID": mark }) }, signal: attempt.signal, turns: 0,
      });
      const name = answer.headers.get("Forme-Stream");
      if (!answer.body || !name) return;
      if (!mark || name !== before) [this.#left] = [[], this.#opened.clear()];
      [this.#name, this.#path, start] = [name, path, performance.now()];
      // The word that opens others may be lost with the line that broke, or was said while there was none.
      for (const member of this.#members) if (member !== first && !this.#opened.get(member)) this.#open(member);
      if (!this.#opened.has(first)) this.#opened.set(first, false);
      this.#letGo();
      for await (const block of blocks(answer.body, alive)) {
        this.bytes += block.length + 4;
        this.#hear(decodeFrame(block).word);
      }
    } finally {
      // One that breaks as soon as it is there is no sign that the next one holds.
      if (performance.now() - start > good) hasLasted();
      // By this name it is taken up again.
      this.#name ??= before;
      clearTimeout(timer);
      attempt.abort();
    }
  }

  /** @param {Record<string, any>} word */
  #hear(word) {
    if (word.refused?.because === "unauthorized") {
      throw this.forme.renew() ? new Error("unauthorized") : new Refusal(401, "the token does not hold any more");
    }
    const window = word.window?.window;
    // One that was asked for on a line that broke.
    if (window && !this.#left.includes(window) && !this.#members.some((member) => member.has(window)) && this.#members.length) this.say({ close: { window } }).catch(() => {});
    for (const member of [...this.#members]) {
      if (window && member.has(window)) this.#opened.set(member, true);
      member.hear(word);
    }
  }

  /** Words arrive in the order in which they are said.
   * @param {Record<string, any>} word */
  say(word) {
    const attempt = this.#attempt;
    const said = this.#said.then(() => !this.#name || attempt?.signal.aborted ? Promise.reject(new Error("nobody hears it")) : this.forme.say(`${this.#path}/streams/${this.#name}`, word, { signal: attempt?.signal }));
    this.#said = said.catch(() => {});
    return said;
  }
}

/** @param {Member} member */
const numberOf = (member) => member.word().open.window;
