// The common part of questions to a gateway.

/** @param {number} milliseconds */
export const rest = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** A name that nobody else chooses. */
export const freshName = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** A question that a gateway refuses for good. */
export class Refusal extends Error {
  /** @param {number} status @param {string} what @param {string} [because] the name of the reason, where it has one */
  constructor(status, what, because) {
    super(what);
    this.name = "Refusal";
    this.status = status;
    this.because = because;
  }
}

/** Whether asking again is of no use. A network that fails has no status, and a proxy says 500 and more while its gateway is away.
 * @param {any} error */
export const isFinal = ({ status }) => status < 429;
