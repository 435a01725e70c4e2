// The questions of a window, one of a kind at a time, until it is answered.

import { rest } from "./refusal.js";

/** @extends {Map<string, {done: (value: any) => void, failed: (why: Error) => void, word: any}>} */
export class Questions extends Map {
  /** @param {(word: any) => Promise<any>} say */
  constructor(say) {
    super();
    this.say = say;
  }

  /** Another window that is on its way, by its number.
   * @param {number} number */
  opening(number) {
    const asked = this.get("open");
    return asked?.word.open.window === number ? asked : undefined;
  }

  /** @param {Error} why */
  fail(why) {
    for (const { failed } of this.values()) failed(why);
    this.clear();
  }

  /** @param {string} kind @param {any} value @param {string} [as] */
  answer(kind, value, as = kind) {
    const asked = this.get(kind);
    this.delete(kind);
    asked?.done({ ...value, kind: as });
  }

  /** Asks in its turn: until then the window may have become another, so the word is made then.
   * @param {string} kind @param {() => any} make @returns {Promise<any>} */
  ask(kind, make) {
    if (this.has(kind)) return rest(20).then(() => this.ask(kind, make));
    return new Promise((done, failed) => {
      const own = { done, failed, word: make() };
      this.set(kind, own);
      this.say(own.word).catch((error) => {
        // A question that failed already may have left its place to another.
        if (this.get(kind) === own) this.delete(kind);
        failed(error);
      });
    });
  }
}
