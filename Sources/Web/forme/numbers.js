// Numbers, one after another, out of bytes that may hold anything: each read gives a value or throws.

const text = new TextDecoder("utf-8", { fatal: true });

/** Short texts are mostly ASCII, and then letter by letter is quicker. Throws for what is no UTF-8.
 * @param {Uint8Array} bytes @param {number} start @param {number} end */
export function decoded(bytes, start, end) {
  if (end - start > 32) return text.decode(bytes.subarray(start, end));
  let string = "";
  for (let place = start; place < end; place++) {
    if (bytes[place] > 127) return text.decode(bytes.subarray(start, end));
    string += String.fromCharCode(bytes[place]);
  }
  return string;
}

/** The complaint that bytes are no row, no frame, or no number in its bounds. */
export class DecodingError extends Error {
  /** @param {string} what */
  constructor(what) {
    super(what);
    this.name = "DecodingError";
  }
}

/** The entry of a list at a place that bytes name.
 * @template Entry @param {Entry[]} list @param {number} place @param {string} what */
export function listed(list, place, what) {
  const found = list[place];
  if (found === undefined) throw new DecodingError(`${what}: there is no ${place}`);
  return /** @type {Exclude<Entry, undefined>} */ (found);
}

/** Reads the numbers of stored rows: seven bits to a byte, the lowest first. Lengths wrap at 32 bits, as all arithmetic of rows does. */
export class NumberReader {
  /** @param {Uint8Array} bytes */
  constructor(bytes, start = 0, end = bytes.length) {
    this.bytes = bytes;
    this.place = start;
    this.end = end;
  }

  /** Unsigned, of 32 bits at most and in the shortest form. */
  number() {
    const { bytes, end } = this;
    let place = this.place;
    if (place >= end) throw new DecodingError("the bytes end within a row");
    let byte = bytes[place++];
    if (byte < 128) {
      this.place = place;
      return byte;
    }
    let value = byte & 127;
    for (let shift = 7; shift < 35; shift += 7) {
      if (place >= end) throw new DecodingError("the bytes end within a number");
      byte = bytes[place++];
      if (byte < 128) {
        if (byte === 0 || (shift === 28 && byte > 15)) break;
        this.place = place;
        return (value + byte * 2 ** shift) >>> 0;
      }
      value += (byte & 127) * 2 ** shift;
    }
    throw new DecodingError("number: there is none");
  }

  /** @param {number} most @param {string} what */
  atMost(most, what) {
    const value = this.number();
    if (value > most) throw new DecodingError(`${what}: ${value} is more than ${most}`);
    return value;
  }

  /** So many things that take a byte each at least: what is left bounds it.
   * @param {string} what @param {number} most */
  count(what, most = Infinity) {
    return this.fitting(what, this.number(), most);
  }

  /** The same of a number that was read before.
   * @param {string} what @param {number} value @param {number} most */
  fitting(what, value, most = Infinity) {
    if (value > most || value > this.end - this.place) throw new DecodingError(`${what}: ${value} cannot be here`);
    return value;
  }

  /** A length, which is below zero in no valid row. */
  length() {
    return this.number() | 0;
  }

  /** 0, -1, 1, -2, … */
  signed() {
    const value = this.number();
    return (value >>> 1) ^ -(value & 1);
  }

  /** @param {number} count */
  utf8(count) {
    const start = this.place;
    this.place += this.fitting("text", count);
    try {
      return decoded(this.bytes, start, this.place);
    } catch {
      throw new DecodingError("a text is not UTF-8");
    }
  }
}
