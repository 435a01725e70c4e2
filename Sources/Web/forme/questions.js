// What is asked in a window, one question of a kind at a time, until it is answered.

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

  /** A page comes by itself: who asks for it again meanwhile need not wait.
   * @param {string} kind @param {any} word @returns {Promise<any>} */
  ask(kind, word) {
    if (this.has(kind)) return word.page ? Promise.reject(new Error("busy")) : rest(20).then(() => this.ask(kind, word));
    return new Promise((done, failed) => {
      this.set(kind, { done, failed, word });
      this.say(word).catch((error) => {
        this.delete(kind);
        failed(error);
      });
    });
  }
}
