// A window as its client holds it: rows with their places, and nothing that has to be measured.

/**
 * @typedef {Record<string, any> & {row: number, message: string, order: number, height: number, lead: number, strip: number}} Row
 * @typedef {{row: number, edge: "top" | "bottom", offset: number}} Anchor an edge of the content of a row, and how far below it
 */

/** It takes what a gateway says, and has afterwards what the gateway has. */
export class Mirror {
  constructor() {
    /** @type {Row[]} */
    this.rows = [];
    /** How far the top of each row is below that of the first; the last one is the end. */
    this.distances = [0];
    /** How much higher rows are that their reader has expanded.
     * @type {Map<number, number>} */
    this.expanded = new Map();
    /** Of the first row, from the origin, in device pixels. */
    this.top = 0;
    /** How often rows have changed. */
    this.version = 0;
    /** Both ends of the conversation. */
    this.extent = [0, 0];
    this.rowsAbove = 0;
    this.rowsBelow = 0;
    /** @type {any[]} */
    this.cursor = [];
    /** Whether another edition is served by now than that of the rows. */
    this.isOld = false;
  }

  /** A window, or a page of one. False where it is of another moment.
   * @param {any} reply */
  take(reply) {
    if (reply.part === "whole") this.rows = reply.rows;
    else if (!this.isAt(reply.cursor)) return false;
    else this.rows = reply.part === "older" ? reply.rows.concat(this.rows) : this.rows.concat(reply.rows);
    this.settle(reply);
    return true;
  }

  /** All changes of a set, or none. False where it does not fit.
   * @param {any} set */
  change(set) {
    if (!this.isAt(set.since)) return false;
    const rows = [...this.rows];
    for (const one of set.changes) {
      const at = one.insert ?? one.remove ?? one.replace ?? one.redecorate ?? one.move;
      const goes = one.remove !== undefined ? one.count : one.insert !== undefined ? 0 : 1;
      if (at + goes > rows.length) return false;
      rows.splice(at, goes, ...(one.move === undefined ? one.rows ?? [] : []));
      if (one.move !== undefined) rows.splice(one.to, 0, one.rows[0]);
    }
    this.rows = rows;
    this.settle(set);
    return true;
  }

  /** @param {any[]} cursor */
  isAt(cursor) {
    return cursor.join() === this.cursor.join();
  }

  /** @param {any} frame */
  settle(frame) {
    for (const key of ["cursor", "top", "extent", "rowsAbove", "rowsBelow"]) Object.assign(this, { [key]: frame[key] });
    this.isOld = !!frame.old;
    this.sum();
  }

  sum() {
    let sum = 0;
    this.version += 1;
    this.distances = [0, ...this.rows.map((row) => (sum += this.height(row)))];
  }

  /** @param {Row} row */
  height(row) {
    return row.height + (this.expanded.get(row.row) ?? 0);
  }

  /** Shows all of a row, or again what it is shown with at first.
   * @param {Row} row @param {boolean} isExpanded */
  expand(row, isExpanded) {
    this.expanded.delete(row.row);
    if (isExpanded && row.expanded) this.expanded.set(row.row, row.expanded.size[1] - row.layout.size[1]);
    this.sum();
  }

  /** The end of the conversation, with what its reader has expanded here. */
  get end() {
    let sum = this.extent[1];
    if (this.expanded.size) for (const { row } of this.rows) sum += this.expanded.get(row) ?? 0;
    return sum;
  }

  /** @param {number} index */
  y(index) {
    return this.top + this.distances[index];
  }

  get bottom() {
    return this.y(this.rows.length);
  }

  /** The first row whose end is below y; as many as there are rows if none is.
   * @param {number} y */
  at(y) {
    let [low, high] = [0, this.rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.y(middle + 1) > y) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The rows of a stretch and of three quarters of it at each side, as `adjust` says them; undefined where most rows are these.
   * @param {{y: number, end: number} | undefined} shown */
  around(shown) {
    if (!shown) return undefined;
    const room = 0.75 * (shown.end - shown.y);
    const above = this.at(shown.y - room);
    const excess = above + Math.max(0, this.rows.length - 1 - this.at(shown.end + room));
    // Each time is a question before the next width.
    return excess < Math.max(8, this.rows.length / 2) || excess >= this.rows.length ? undefined : { most: this.rows.length - excess, focus: above / excess };
  }

  /** @param {number} row */
  index(row) {
    return this.rows.findIndex((own) => own.row === row);
  }

  /** Where an anchor is; undefined where its row is not in the window.
   * @param {Anchor} anchor */
  yOf({ row, edge, offset }) {
    const index = this.index(row);
    if (index < 0) return undefined;
    const { lead, strip } = this.rows[index];
    return this.y(index) + lead + (edge === "top" ? 0 : strip) + offset;
  }

  /** The row that stays where it is on a screen: one that is wanted, where the screen shows it, else the first that is whole.
   * @param {number} y @param {number} screen @param {number} [wanted] */
  hold(y, screen, wanted) {
    if (!this.rows.length) return undefined;
    let index = wanted === undefined ? -1 : this.index(wanted);
    if (index < 0 || this.y(index) > y + screen || this.y(index + 1) < y) {
      index = Math.min(this.rows.length - 1, this.at(y));
      if (this.y(index) < y && index + 1 < this.rows.length && this.y(index + 1) < y + screen) index += 1;
    }
    const { row, lead, message } = this.rows[index];
    return { anchor: { row, edge: /** @type {"top"} */ ("top"), offset: 0 }, message, at: this.y(index) + lead - y, y };
  }
}
