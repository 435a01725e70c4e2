// The row under the pointer of a mouse.

export class Pointed {
  /** @type {number | undefined} */
  row;

  /** @param {HTMLElement} element @param {(element: Element) => number | undefined} rowOf @param {AbortSignal} signal */
  constructor(element, rowOf, signal) {
    element.addEventListener("pointermove", ({ pointerType, target }) => {
      if (pointerType === "mouse") this.row = target instanceof Element ? rowOf(target) : undefined;
    }, { signal, passive: true });
    element.addEventListener("pointerleave", () => (this.row = undefined), { signal, passive: true });
  }
}
