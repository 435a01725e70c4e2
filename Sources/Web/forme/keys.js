// Rows by the keyboard: one of them has the focus or had it last, and Tab leads out of them. Arrows go from row to row, and to the side through what can be done with one.

/** The rows as keys reach them.
 * @typedef {import("./scroller.js").Scroller} Scroller */

export class Keys {
  /** The row that Tab leads to.
   * @type {number | undefined} */
  row;
  /** Whether the focus is in it.*/
  isInside = false;
  /** The row that gets the focus as soon as it is drawn.
   * @type {number | "first" | "last" | undefined} */
  #wanted;
  /** The number of its action that has the focus; -1 for the row itself. */
  #action = -1;

  /** @param {Scroller} scroller @param {AbortSignal} signal */
  constructor(scroller, signal) {
    this.scroller = scroller;
    const { element } = scroller;
    element.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    element.addEventListener("focusin", (event) => this.#entered(event), { signal });
    element.addEventListener("focusout", () => (this.isInside = false), { signal });
  }

  /** @param {FocusEvent} event */
  #entered({ target }) {
    const row = target instanceof Element ? this.scroller.rowOf(target) : undefined;
    if (row === undefined) return;
    this.isInside = true;
    this.#lead(row);
    this.#action = this.#view?.actions.findIndex((one) => one === target) ?? -1;
  }

  get #view() {
    return this.row === undefined ? undefined : this.scroller.view(this.row);
  }

  /** @param {number} row */
  #lead(row) {
    if (row !== this.row && this.#view) this.#view.element.tabIndex = -1;
    this.row = row;
    if (this.#view) this.#view.element.tabIndex = 0;
  }

  /** Rows were drawn: one of them is reached by Tab, and the one that was waited for has the focus. */
  settle() {
    const { scroller } = this;
    const { mirror } = scroller.window;
    const { rows } = mirror;
    if (!rows.length) return;
    if (this.#wanted === "first" && !mirror.rowsAbove) this.#wanted = rows[0].row;
    if (this.#wanted === "last" && !mirror.rowsBelow) this.#wanted = rows[rows.length - 1].row;
    if (typeof this.#wanted === "number" && scroller.view(this.#wanted)) {
      this.#lead(this.#wanted);
      this.#action = -1;
      this.#wanted = undefined;
      this.#view?.element.focus({ preventScroll: true });
    } else if (!this.#view || !this.isInside) {
      // The last one that is on the screen as a whole.
      const last = Math.max(0, Math.min(rows.length - 1, mirror.at(scroller.y + scroller.screen)));
      const index = last > 0 && mirror.y(last + 1) > scroller.y + scroller.screen ? last - 1 : last;
      this.#lead(rows[index].row);
    } else this.#view.element.tabIndex = 0;
  }

  /** A row was drawn anew: what had the focus in it has it again.
   * @param {number} row */
  redrawn(row) {
    if (row === this.row && this.isInside && this.#action >= 0) this.#view?.actions[this.#action]?.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
    const isForward = this.scroller.easel.mirrored ? "ArrowLeft" : "ArrowRight";
    const isBack = this.scroller.easel.mirrored ? "ArrowRight" : "ArrowLeft";
    const { scroller } = this;
    const screen = Math.round(0.9 * scroller.screen);
    if (event.key === "ArrowDown") this.#step(1);
    else if (event.key === "ArrowUp") this.#step(-1);
    else if (event.key === "PageDown") this.#turn(screen);
    else if (event.key === "PageUp") this.#turn(-screen);
    else if (event.key === "Home") this.#end("first");
    else if (event.key === "End") this.#end("last");
    else if (event.key === isForward) this.#act(this.#action + 1);
    else if (event.key === isBack && this.#action >= 0) this.#act(this.#action - 1);
    else if (event.key === "Escape" && this.#action >= 0) this.#act(-1);
    else if ((event.key === "Enter" || event.key === " ") && this.#action >= 0) event.target.click();
    else return;
    event.preventDefault();
  }

  /** @param {number} by */
  #step(by) {
    const { scroller } = this;
    const { mirror } = scroller.window;
    const index = this.row === undefined ? -1 : mirror.index(this.row);
    const next = index < 0 ? mirror.at(scroller.y) : index + by;
    if (next < 0 || next >= mirror.rows.length) return void scroller.window.page(by < 0 ? "older" : "newer");
    this.#wanted = mirror.rows[next].row;
    const [top, end] = [mirror.y(next), mirror.y(next + 1)];
    const { y, screen } = scroller;
    if (top < y || end - top > screen) scroller.scrollTo(top);
    else if (end > y + screen) scroller.scrollTo(end - screen);
    this.settle();
  }

  /** @param {number} by */
  #turn(by) {
    const { scroller } = this;
    scroller.scrollTo(scroller.y + by);
    const { mirror } = scroller.window;
    const index = by < 0 ? mirror.at(scroller.y) : mirror.at(scroller.y + scroller.screen - 1);
    this.#wanted = mirror.rows[Math.max(0, Math.min(mirror.rows.length - 1, index))]?.row;
    this.settle();
  }

  /** @param {"first" | "last"} which */
  #end(which) {
    this.#wanted = which;
    if (which === "last") this.scroller.jump("newest").catch(() => {});
    else this.scroller.scrollTo(this.scroller.extent[0]);
    this.settle();
  }

  /** @param {number} place */
  #act(place) {
    const view = this.#view;
    const { length } = view?.actions ?? [];
    if (!view || (place >= length && length > 0) || (place >= 0 && !length)) return;
    this.#action = place;
    (place < 0 ? view.element : view.actions[place]).focus({ preventScroll: true });
  }
}
