// The files that texts were measured with: which of them a text needs, and each fetched once.

import { isFinal, rest } from "./refusal.js";

/** @typedef {{weight: number, italic?: boolean, monospaced?: boolean, language?: string}} Style */

const quiet = /[\p{Default_Ignorable_Code_Point}\p{Cc}]/u;
const pictured = /\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{Emoji_Modifier}/u;
const plain = /^[ -~]*$/;
/** Ascent and descent of all faces, so that baselines are known and not measured; browsers round both to whole pixels. */
const overrides = { ascentOverride: "95%", descentOverride: "25%", lineGapOverride: "0%" };
/**
 * How far the baseline is below the top of a line, and how high that is, in device pixels.
 * @param {number} size of the letters */
export const pitch = (size) => {
  const above = Math.round(0.95 * size);
  return [above, above + Math.round(0.25 * size)];
};

/** @param {string} text */
const ranges = (text) => text.split(",").filter(Boolean).map((word) => word.slice(2).split("-").map((end) => parseInt(end, 16)));

/** @param {number[][]} list @param {number} point */
function has(list, point) {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (/** @type {number} */ (list[middle].at(-1)) < point) low = middle + 1;
    else high = middle;
  }
  return low < list.length && list[low][0] <= point;
}

/** Of each gateway once.
 * @type {WeakMap<object, Fonts>} */
const known = new WeakMap();

export class Fonts {
  /** Those of a gateway, for all who draw what it says.
   * @param {import("./session.js").Forme} forme */
  static of(forme) {
    const fonts = known.get(forme) ?? new Fonts(forme);
    known.set(forme, fonts);
    return fonts;
  }

  /** @type {any[]} */
  #list = [];
  /** @type {Map<string, Promise<void>>} */
  #loads = new Map();
  /** Files that are on their way, by their hashes: a collection has several faces.
   * @type {Map<string, Promise<ArrayBuffer>>} */
  #fetched = new Map();
  /** @type {Map<string, Set<string>>} */
  #needs = new Map();
  /** @type {Map<string, {face: any, file: any}>} */
  #files = new Map();
  /** By the hash of a file what it is called here: a collection has several faces.
   * @type {Map<string, string[]>} */
  #named = new Map();
  #listedAt = 0;
  #segments = new Intl.Segmenter("en");

  /** @param {import("./session.js").Forme} forme */
  constructor(forme) {
    this.forme = forme;
    this.bytes = 0;
    this.late = 0;
    /** @type {Record<string, string>} */
    this.css = {};
    /** @type {Promise<void> | undefined} */
    this.listed = undefined;
  }

  /** The list of fonts. The letters that every text has, and every name, are asked for then; nobody waits for them here. A reader who may not ask is told so, and may ask again. */
  list() {
    return (this.listed ??= this.#begin().catch((error) => {
      this.listed = undefined;
      throw error;
    }));
  }

  async #begin() {
    const kept = await this.forme.kept?.get("\n fonts");
    if (kept) this.#take(kept.told), this.#fetchList().catch(() => {});
    else await this.#await();
    for (const weight of [400, 700]) this.load(this.needs("x\u2026\u2010", { weight })).catch(() => {});
  }

  /** A browser that is offline comes back, and so does a gateway that a proxy answers for meanwhile. */
  async #await() {
    for (;;) {
      try {
        return await this.#fetchList();
      } catch (error) {
        if (isFinal(error)) throw error;
        await rest(1000);
      }
    }
  }

  async #fetchList() {
    this.#listedAt = Date.now();
    const told = await (await this.forme.ask("/v1/fonts")).json();
    this.forme.kept?.put("\n fonts", { told });
    this.#take(told);
  }

  /** @param {{fonts: any[], settings: {css: Record<string, string>}}} told */
  #take({ fonts, settings }) {
    this.#named.clear();
    for (const face of fonts) {
      for (const file of [face, ...(face.slices ?? [])]) {
        file.ranges = ranges(file.characters);
        const name = `${file.hash}#${face.index}`;
        this.#files.set(name, { face, file });
        this.#named.set(file.hash, [...(this.#named.get(file.hash) ?? []), name]);
      }
    }
    this.#list = fonts;
    this.#needs.clear();
    this.css = settings.css;
  }

  /** Files that a gateway names, as they are called here; undefined where the list does not have one. It was made meanwhile, and the list is fetched again.
   * @param {string[]} hashes @param {string} [language] as `language` gives it: of a collection only what is asked there is wanted */
  named(hashes, language) {
    /** @param {string} name */
    const isAsked = (name) => {
      const { instead, languages } = this.#files.get(name)?.face;
      return !instead || languages.includes(language);
    };
    const found = hashes.map((hash) => {
      const all = this.#named.get(hash);
      const asked = all?.filter(isAsked);
      return asked?.length ? asked : all;
    });
    if (!found.includes(undefined)) return /** @type {string[]} */ (found.flat());
    if (this.#list.length && Date.now() - this.#listedAt > 2000) this.#fetchList().catch(() => {});
    return undefined;
  }

  /** Families in their order.
   * @param {boolean} monospaced @param {string} [language] */
  families(monospaced, language) {
    return this.#faces({ weight: 400, monospaced, language }).map(({ family }) => JSON.stringify(family)).join();
  }

  /** Languages that families are listed for, the most exact last.
   * @returns {string[]} */
  get languages() {
    const all = new Set(this.#list.flatMap((face) => face.languages ?? []));
    return [...all].sort((a, b) => a.length - b.length);
  }

  /** The listed language that a tag is, or is a kind of; "" for none.
   * @param {unknown} tag */
  language(tag) {
    if (typeof tag !== "string") return "";
    const own = `${tag.toLowerCase()}-`;
    return this.languages.findLast((known) => own.startsWith(`${known}-`)) ?? "";
  }

  /** The face of each family for a weight, a slant and a pitch, in the order in which they are asked.
   * @param {Style} style @returns {any[]} */
  #faces({ weight, italic, monospaced, language }) {
    /** @param {any} face */
    const off = (face) => (face.italic !== !!italic ? 10_000 : 0) + Math.abs((face.weight ?? weight) - weight);
    const best = new Map();
    for (const face of this.#list) if (!best.has(face.family) || off(face) < off(best.get(face.family))) best.set(face.family, face);
    const all = [...best.values()];
    // Those of the text's language stand in front of what they are there instead of; others are not asked.
    const order = all.filter((face) => !face.instead).flatMap((own) => [
      ...all.filter((face) => language && face.instead === own.family && face.languages.includes(language)), own,
    ]);
    return order.sort((a, b) => Number(a.monospaced !== !!monospaced) - Number(b.monospaced !== !!monospaced));
  }

  /** The files that a text needs, by their names.
   * @param {string} text @param {Style} style @returns {Set<string>} */
  needs(text, style) {
    const kind = `${style.weight}${!!style.italic}${!!style.monospaced}${style.language ?? ""}`;
    const key = kind + (plain.test(text) ? "" : text);
    let found = this.#needs.get(key);
    if (!found) {
      found = this.#find(plain.test(text) ? "x" : text, this.#faces(style));
      if (this.#needs.size > 5000) this.#needs.clear();
      this.#needs.set(key, found);
    }
    return found;
  }

  /** @param {string} text @param {any[]} order */
  #find(text, order) {
    /** @type {Set<string>} */
    const found = new Set();
    for (const { segment } of this.#segments.segment(text)) {
      const points = [...segment].map((letter) => letter.codePointAt(0) ?? 0);
      /** @param {any} face */
      const all = (face) => points.every((point) => quiet.test(String.fromCodePoint(point)) || has(face.ranges, point));
      const face = order.find((one) => one.emoji && pictured.test(segment) && all(one)) ?? order.find(all) ?? order[0];
      if (!face) continue;
      const own = points.filter((point) => has(face.ranges, point));
      const file = face.slices?.find((/** @type {any} */ slice) => own.every((point) => has(slice.ranges, point))) ?? face;
      found.add(`${file.hash}#${face.index}`);
    }
    return found;
  }

  /** Whether they are all there.
   * @param {Iterable<string>} names */
  has(names) {
    for (const name of names) if (this.#loads.get(this.#whole(name)) !== loaded) return false;
    return true;
  }

  /** A face that is there whole has all its slices.
   * @param {string} name */
  #whole(name) {
    const { face } = this.#files.get(name) ?? {};
    const whole = face && `${face.hash}#${face.index}`;
    return whole && this.#loads.has(whole) ? whole : name;
  }

  /** @param {Iterable<string>} names */
  load(names) {
    return Promise.all([...names].map((one) => {
      const name = this.#whole(one);
      let load = this.#loads.get(name);
      if (!load) {
        load = this.#fetch(name).then(() => void this.#loads.set(name, loaded), (error) => {
          this.#loads.delete(name);
          throw error;
        });
        this.#loads.set(name, load);
      }
      return load;
    }));
  }

  /** @param {string} hash */
  async #ask(hash) {
    const bytes = await (await this.forme.ask(`/v1/fonts/${hash}`)).arrayBuffer();
    this.bytes += bytes.byteLength;
    return bytes;
  }

  /** @param {string} name */
  async #fetch(name) {
    const { face, file } = /** @type {{face: any, file: any}} */ (this.#files.get(name));
    const { hash } = file;
    const fetched = this.#fetched.get(hash) ?? this.#ask(hash).finally(() => this.#fetched.delete(hash));
    this.#fetched.set(hash, fetched);
    const bytes = await fetched;
    const font = new FontFace(face.family, file === face ? single(bytes, face.index) : bytes, {
      weight: face.weight ? `${face.weight}` : "1 1000", style: face.italic ? "italic" : "normal", unicodeRange: file.characters, ...overrides,
    });
    document.fonts.add(await font.load());
  }
}

const loaded = Promise.resolve();

/** A face of a collection by itself, as a browser knows only the first.
 * @param {ArrayBuffer} file @param {number} index */
function single(file, index) {
  const view = new DataView(file);
  if (view.getUint32(0) !== 0x74746366) return file; // "ttcf"
  const head = view.getUint32(12 + 4 * index);
  const count = view.getUint16(head + 4);
  const tables = Array.from({ length: count }, (_, place) => head + 12 + 16 * place);
  const lengths = tables.map((at) => (view.getUint32(at + 12) + 3) & ~3);
  const font = new Uint8Array(lengths.reduce((sum, length) => sum + length, 12 + 16 * count));
  const out = new DataView(font.buffer);
  font.set(new Uint8Array(file, head, 12 + 16 * count));
  tables.reduce((to, at, place) => {
    out.setUint32(12 + 16 * place + 8, to);
    font.set(new Uint8Array(file, view.getUint32(at + 8), view.getUint32(at + 12)), to);
    return to + lengths[place];
  }, 12 + 16 * count);
  return font.buffer;
}
