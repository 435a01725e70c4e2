// A row as a chat shows it, drawn from the row and its message alone: every place is in the row, and colours are the page's own.

import { blurred, glyph } from "./glyphs.js";
import { label, readOut } from "./reading.js";
import { at, clock, hue, initials, textAt, wordsOf } from "./said.js";
import { drawText } from "./text.js";

/**
 * The tools that rows are drawn with.
 *
 * @typedef {object} Easel
 * @property {number} scale device pixels to a point
 * @property {boolean} [mirrored]
 * @property {import("./fonts.js").Fonts} fonts
 * @property {any} [reader] as the window's
 * @property {(node: any, row: any) => Element | undefined} [picture] of a node that shows one, where the page has it
 * @property {(day: number[]) => string} [day] words for a day
 * @property {string} [unread] words of the line above what was not read
 * @property {(label: string) => string} [label] words for what a model calls a node, such as `play`: for those who hear rows
 */

const sheet = `
.forme-row{position:absolute;left:0;contain:layout style}
.forme-row :is(div,svg,canvas,img){position:absolute;box-sizing:border-box}
.forme-row .clips{overflow:hidden}
.forme-row .picture>*{left:0;top:0;width:100%;height:100%;border-radius:inherit}
.forme-line{white-space:pre;line-height:1.2;font-weight:400;user-select:text;cursor:text}
.forme-row.waiting .forme-line,.forme-row.waiting .pill{visibility:hidden}
.forme-line .bold{font-weight:700}.forme-line .italic{font-style:italic}
.forme-line .strike{text-decoration:line-through}.forme-line .underline{text-decoration:underline}
.forme-glyph{fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round;overflow:visible}
.forme-glyph.solid{fill:currentColor;stroke:none;fill-rule:evenodd}
.forme-row .spoiler{cursor:pointer}.forme-row .spoiler.open{opacity:0;pointer-events:none}
.forme-row [data-action]{cursor:pointer}
.forme-whole{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap;user-select:none;pointer-events:none}
.forme-row:focus{outline:none}.forme-row:focus-visible{z-index:1}.forme-row:focus-visible>.content{outline:2px solid var(--focus,Highlight);outline-offset:2px;border-radius:18px}
.forme-row :focus-visible{outline:2px solid var(--focus,Highlight);outline-offset:1px}
.forme-mark{background:var(--mark,#ffd54f80);border-radius:3px;pointer-events:none}.forme-now{background:var(--mark-now,#ff980080);border-radius:3px;pointer-events:none}
.forme-mark,.forme-now{mix-blend-mode:var(--mark-blend,multiply)}
.forme-caret{background:currentColor;pointer-events:none}
.forme-row .pill{left:50%;top:50%;transform:translate(-50%,-50%);white-space:pre}`;

/** @type {CSSStyleSheet | undefined} */
let shared;

/** The sheet that all rows share, in the document once.
 * @param {import("./fonts.js").Fonts} fonts */
export function dress(fonts) {
  if (!shared) document.adoptedStyleSheets.push((shared = new CSSStyleSheet()));
  const settings = Object.entries(fonts.css).map(([name, value]) => `${name}:${value};`).join("");
  const families = `.forme-row{font-family:${fonts.families(false)}}.forme-row .fixed{font-family:${fonts.families(true)}}`;
  const languages = fonts.languages.map((tag) => `.forme-row :lang(${tag}){font-family:${fonts.families(false, tag)}}.forme-row .fixed:lang(${tag}){font-family:${fonts.families(true, tag)}}`);
  shared.replaceSync(`.forme-line{${settings}}${sheet}${families}${languages.join("")}`);
}

/** Pages tell a touch of a node by this event: its `detail` has row, action, about, part and view. */
export const acted = "forme-action";

export class RowView {
  /** @type {Map<Element, any>} */
  #nodes = new Map();
  /** The words of each text.
   * @type {Map<number, string>} */
  #words = new Map();
  /** @type {Map<number, any>} */
  #byNumber = new Map();
  /** Where files of fonts are noted that texts need; undefined where the row says them.
   * @type {Set<string> | undefined} */
  #wanted;

  /** @param {any} row @param {Easel} easel @param {"layout" | "expanded"} [state] */
  constructor(row, easel, state = "layout") {
    this.easel = easel;
    this.state = state;
    this.row = row;
    this.element = document.createElement("article");
    this.element.tabIndex = -1;
    this.element.addEventListener("click", (event) => this.#touched(event));
    /** @type {Set<string>} */
    this.needs = new Set();
    this.draw(row);
  }

  /** Another state of the same row, in its place.
   * @param {any} row @param {"layout" | "expanded"} [state] */
  draw(row, state = this.state) {
    [this.row, this.state] = [row, state];
    const { element, easel } = this;
    const { decoration } = row;
    this.#nodes.clear();
    this.#words.clear();
    this.needs.clear();
    element.className = `forme-row ${decoration?.variant ?? ""}`;
    const more = state === "expanded" && row.expanded ? row.expanded.size[1] - row.layout.size[1] : 0;
    element.style.height = `${(row.height + more) / easel.scale}px`;
    element.style.width = "100%";
    element.replaceChildren();
    if (!decoration) return;
    let said = row.said ?? {};
    const sender = textAt(said, "sender") ?? "";
    // How far a message has come is for who sent it.
    if (decoration.variant !== "own" && said.sender !== easel.reader?.own) said = { ...said, status: undefined, body: { ...said.body, status: undefined } };
    const name = textAt(said, "name") ?? "";
    this.#dress(decoration, sender, name);
    const content = this.#place(element, decoration.content, "content");
    /** @type {HTMLElement[]} */
    const elements = [];
    const layout = row[state] ?? row.layout;
    const files = row.fonts && easel.fonts.named(row.fonts, easel.fonts.language(said.body?.lang));
    for (const name of files ?? []) this.needs.add(name);
    this.#wanted = files ? undefined : this.needs;
    this.#byNumber = new Map(layout.nodes.map((/** @type {any} */ node) => [node.node, node]));
    for (const node of layout.nodes) {
      const parent = this.#byNumber.get(node.parent);
      const [left, top] = parent ? parent.frame : [0, 0];
      const own = this.#place(parent ? elements[parent.node] : content, [node.frame[0] - left, node.frame[1] - top, node.frame[2], node.frame[3]], `${node.role} t-${node.token ?? ""} p-${node.part}`);
      elements[node.node] = own;
      this.#drawNode(own, node, parent, said, sender || name);
    }
    readOut(element, elements, layout.reading, { words: this.#words, said, name: name || sender, label: easel.label });
    this.#reveal();
  }

  /** Words are hidden until their letters are there, for three seconds at most. */
  #reveal() {
    const { element, easel, needs } = this;
    if (!needs.size || easel.fonts.has(needs)) return;
    element.classList.add("waiting");
    const drawn = this.row;
    const show = () => drawn === this.row && element.classList.remove("waiting");
    const timer = setTimeout(() => {
      easel.fonts.late += 1;
      show();
    }, 3000);
    easel.fonts.load(needs).catch(() => {}).then(() => {
      clearTimeout(timer);
      show();
    });
  }

  /** @param {Element} parent @param {number[]} rect @param {string} name */
  #place(parent, [left, top, wide, high], name) {
    const { scale } = this.easel;
    const element = document.createElement("div");
    element.className = name;
    element.style.cssText = `left:${left / scale}px;top:${top / scale}px;width:${wide / scale}px;height:${high / scale}px`;
    parent.append(element);
    return element;
  }

  /** The parts around the content.
   * @param {any} decoration @param {string} sender @param {string} name */
  #dress(decoration, sender, name) {
    const { easel, element } = this;
    const pill = (/** @type {number[]} */ rect, /** @type {string} */ words, /** @type {string} */ kind) => {
      const line = this.#place(element, rect, kind);
      const inside = document.createElement("div");
      inside.className = "pill";
      inside.textContent = words;
      line.append(inside);
      for (const own of easel.fonts.needs(words, { weight: 400 })) this.needs.add(own);
    };
    if (decoration.dateLine) pill(decoration.dateLine, (easel.day ?? ((day) => day.join("-")))(decoration.day), "dateLine");
    if (decoration.unreadLine) pill(decoration.unreadLine, easel.unread ?? "Unread messages", "unreadLine");
    if (decoration.avatar) this.#disc(this.#place(element, decoration.avatar, `avatar disc d${hue(sender || name)}`), decoration.avatar, initials(name || sender));
    for (const key of ["failed", "selection"]) {
      if (!decoration[key]) continue;
      const own = this.#place(element, decoration[key], `${key} disc`);
      const [, , wide, high] = decoration[key];
      if (key === "failed") own.append(/** @type {Node} */ (glyph("failed", wide / easel.scale, high / easel.scale)));
    }
  }

  /** @param {HTMLElement} element @param {number[]} rect @param {string} letters */
  #disc(element, [, , wide, high], letters) {
    const { scale, fonts } = this.easel;
    const person = letters ? undefined : glyph("person", wide / scale, high / scale, 0.72);
    if (person) return element.append(person);
    const line = document.createElement("div");
    const size = (0.4 * high) / scale;
    line.className = "forme-line initials";
    line.style.cssText = `width:100%;text-align:center;font-size:${size}px;top:${high / scale / 2 - 0.6 * size}px`;
    line.textContent = letters;
    element.append(line);
    for (const own of fonts.needs(letters, { weight: 700 })) this.needs.add(own);
  }

  /** @param {HTMLElement} element @param {any} node @param {any} parent @param {any} said @param {string} who */
  #drawNode(element, node, parent, said, who) {
    const { scale, mirrored } = this.easel;
    const [, , wide, high] = node.frame.map((/** @type {number} */ value) => value / scale);
    if (node.corners) element.style.borderRadius = this.#corners(node, parent, mirrored);
    if (node.clips) element.classList.add("clips");
    if (node.action !== undefined) {
      element.dataset.action = node.action;
      element.tabIndex = -1;
      this.#nodes.set(element, node);
      const about = at(said, node.about ?? node.source ?? "");
      if (about?.own || about?.chosen || (Array.isArray(about?.by) && about.by.includes(this.easel.reader?.own))) element.classList.add("chosen");
    }
    if (node.token === "bubble" && !parent && this.row.decoration.tail) this.#tail(element, node, mirrored);
    if (node.token === "name") element.classList.add(`n${hue(who)}`);
    if (node.bars) this.#bars(element, node.bars, wide, high);
    if (node.role === "media") return this.#media(element, node, said, who);
    if (node.role === "avatar") {
      element.classList.add("disc", `d${hue(`${who}${node.source ?? ""}`)}`);
      element.append(/** @type {Node} */ (glyph("person", wide, high, 0.72)));
    }
    const status = node.part === "status" && (node.role === "stamp" || node.role === "icon") ? textAt(said, "status") : undefined;
    // Where what failed is marked beside the content, it is not told again.
    const drawing = status === "failed" && this.row.decoration.failed ? undefined : status ?? (node.role === "icon" ? this.#icon(element, node, said) : undefined);
    const drawn = drawing ? glyph(drawing, wide, high, status ? status === "failed" ? 1 : 1.1 : node.part === "pin" || node.part === "deletedIcon" ? 1 : 0.62) : undefined;
    if (drawn) element.append(drawn);
    if (!node.text) return;
    this.#entities(element, node, "code");
    const time = node.part === "time" && node.text.literal !== undefined ? at(said, "time") : undefined;
    const instead = typeof time === "number" ? clock(time, this.easel.reader) : undefined;
    this.#words.set(node.node, instead ?? wordsOf(node.text, said) ?? "");
    drawText(element, node, said, this.easel, this.#wanted, instead);
    this.#entities(element, node, "spoiler");
  }

  /** @param {any} node @param {any} parent @param {boolean | undefined} mirrored */
  #corners(node, parent, mirrored) {
    const { radii } = this.row.decoration;
    const own = ["topStart", "topEnd", "bottomStart", "bottomEnd"].map((corner, place) => !node.corners.includes(corner) ? 0 : parent ? node.radius : radii?.[place] ?? node.radius);
    const [a, b, c, d] = mirrored ? [own[1], own[0], own[3], own[2]] : own;
    return [a, b, d, c].map((radius) => `${radius / this.easel.scale}px`).join(" ");
  }

  /** @param {HTMLElement} element @param {any} node @param {boolean | undefined} mirrored */
  #tail(element, node, mirrored) {
    const tail = glyph("tail", 16, 16);
    if (!tail) return;
    const isRight = (this.row.decoration.variant === "own") !== !!mirrored;
    tail.style.cssText = `top:auto;bottom:0;width:16px;height:16px;${isRight ? "right:-8px" : "left:-8px;transform:scaleX(-1)"}`;
    element.append(tail);
  }

  /** @param {HTMLElement} element @param {number[]} bars @param {number} wide @param {number} high */
  #bars(element, bars, wide, high) {
    // Whole pixels of the device, so that all are alike.
    const whole = (/** @type {number} */ length) => Math.round(length * this.easel.scale) / this.easel.scale;
    const pitch = whole(wide / bars.length);
    const width = Math.min(whole(pitch * 0.6), wide - (bars.length - 1) * pitch);
    bars.forEach((bar, place) => {
      const height = Math.max(bar / this.easel.scale, width);
      const own = document.createElement("div");
      own.className = "bar";
      own.style.cssText = `left:${place * pitch}px;top:${(high - height) / 2}px;width:${width}px;height:${height}px;border-radius:${pitch}px`;
      element.append(own);
    });
  }

  /** A picture: the page's own, else a blurred one, else a colour.
   * @param {HTMLElement} element @param {any} node @param {any} said @param {string} who */
  #media(element, node, said, who) {
    const source = node.source ?? "";
    const words = textAt(said, `${source}.alt`);
    if (words) {
      this.#words.set(node.node, words);
      element.title = words;
    }
    const picture = this.easel.picture?.(node, this.row) ?? blurred(at(said, `${source}.blurhash`));
    element.classList.add("picture");
    if (picture) return element.append(picture);
    if (node.part === "sticker") {
      const emoji = textAt(said, "emoji");
      const line = document.createElement("div");
      const size = (0.78 * node.frame[3]) / this.easel.scale;
      // At the edge where the message stands, however wide its picture is.
      const isAtEnd = node.pins.includes("end") && !node.pins.includes("start");
      line.className = "forme-line";
      line.style.cssText = `text-align:${isAtEnd !== !!this.easel.mirrored ? "right" : "left"};font-size:${size}px;line-height:${node.frame[3] / this.easel.scale}px`;
      line.textContent = [...new Intl.Segmenter().segment(emoji ?? "\u{1f642}")][0]?.segment ?? "";
      for (const own of this.easel.fonts.needs(line.textContent, { weight: 400 })) this.needs.add(own);
      return element.append(line);
    }
    element.classList.add(`m${hue(`${who}${source}${this.row.message}`)}`);
  }

  /** The drawing of an icon.
   * @param {HTMLElement} element @param {any} node @param {any} said */
  #icon(element, node, said) {
    if (node.part === "tick") {
      const about = this.#about(node);
      const [isChosen, isRight] = [at(said, `${about}.chosen`), at(said, `${about}.right`)];
      // Where one answer is right, a chosen one may be wrong.
      const isWrong = isChosen && !isRight && (at(said, "options") ?? []).some?.((/** @type {any} */ one) => one?.right);
      element.classList.toggle("chosen", !!(isChosen || isRight));
      element.classList.toggle("wrong", !!isWrong);
      return isWrong ? "cross" : isChosen || isRight ? "check" : undefined;
    }
    if (node.label === "download") return "download";
    const reading = (this.row[this.state] ?? this.row.layout).reading.find((/** @type {any} */ one) => one.node === node.node);
    return reading?.label === "download" ? "download" : node.part;
  }

  /** The subject of an action on a node, or on the one that it stands in.
   * @param {any} node */
  #about(node) {
    for (let own = node; own; own = this.#byNumber.get(own.parent)) if (own.action !== undefined) return own.about ?? own.source ?? "";
    return node.source ?? "";
  }

  /** Code behind words, spoilers above them.
   * @param {HTMLElement} element @param {any} node @param {string} kind */
  #entities(element, node, kind) {
    for (const entity of node.text.entities ?? []) {
      if (entity.kind !== kind) continue;
      for (const [left, top, wide, high] of entity.frames) {
        const own = this.#place(element, [left - node.frame[0], top - node.frame[1], wide, high], kind);
        if (kind === "spoiler") label(own, "button", this.easel.label?.(kind) ?? kind);
      }
    }
  }

  /** Marks stretches of texts, or carets, as `ranges` tells where they are, until the row is drawn anew; these instead of those before.
   * @param {number[][]} frames @param {string} [kind] */
  mark(frames, kind = "forme-mark") {
    for (const old of this.element.querySelectorAll(`.${kind.split(" ")[0]}`)) old.remove();
    const content = /** @type {HTMLElement | null} */ (this.element.querySelector(".content"));
    for (const rect of content ? frames : []) this.#place(/** @type {HTMLElement} */ (content), rect, kind);
  }

  /** Its actions that keys can reach, in the order in which they are drawn.
   * @returns {HTMLElement[]} */
  get actions() {
    return [...this.element.querySelectorAll("[data-action],a,.spoiler:not(.open)")].flatMap((one) => (one instanceof HTMLElement ? [one] : []));
  }

  /** @param {MouseEvent} event */
  #touched(event) {
    if (!(event.target instanceof Element)) return;
    if (event.target.classList.contains("spoiler")) {
      for (const other of this.element.querySelectorAll(".spoiler")) other.classList.add("open");
      return;
    }
    if (event.target.closest("a")) return;
    const element = event.target.closest("[data-action]");
    const node = element && this.#nodes.get(element);
    if (!node) return;
    const detail = { row: this.row, action: node.action, about: node.about ?? node.source ?? "", part: node.part, view: this };
    this.element.dispatchEvent(new CustomEvent(acted, { bubbles: true, detail }));
  }
}

