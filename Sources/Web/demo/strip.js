// The page's measurements of itself: calls that would have a browser lay out, below the scroller; shifts; frames; bytes.

/** Members that have a layout done before they answer, by what has them.
 * @type {[string, string[]][]} */
const forcing = [
  ["Element", ["getBoundingClientRect", "getClientRects", "scrollIntoView", "scrollIntoViewIfNeeded", "checkVisibility", "computedStyleMap"]],
  ["Element", ["clientWidth", "clientHeight", "clientTop", "clientLeft", "scrollWidth", "scrollHeight", "scrollTop", "scrollLeft"]],
  ["HTMLElement", ["offsetWidth", "offsetHeight", "offsetTop", "offsetLeft", "offsetParent", "innerText", "outerText"]],
  ["Range", ["getBoundingClientRect", "getClientRects"]],
  ["SVGGraphicsElement", ["getBBox", "getCTM", "getScreenCTM"]],
  ["SVGTextContentElement", ["getComputedTextLength", "getNumberOfChars", "getSubStringLength", "getExtentOfChar", "getStartPositionOfChar"]],
  ["CanvasRenderingContext2D", ["measureText"]],
  ["VisualViewport", ["width", "height", "offsetTop", "offsetLeft", "pageTop", "pageLeft", "scale"]],
];

/** How often any of them was called below an element, and on that element itself. */
export class Watch {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.below = 0;
    this.own = 0;
    const count = (/** @type {any} */ subject) => {
      const node = subject instanceof Node ? subject : globalThis.Range && subject instanceof Range ? subject.commonAncestorContainer : undefined;
      if (node === element) this.own += 1;
      else if (!node || element.contains(node)) this.below += 1;
    };
    for (const [type, members] of forcing) {
      const prototype = /** @type {any} */ (globalThis)[type]?.prototype;
      for (const member of prototype ? members : []) {
        const found = Object.getOwnPropertyDescriptor(prototype, member);
        if (!found) continue;
        const key = found.get ? "get" : "value";
        const before = found[key];
        /** @this {any} @param {...any} words */
        const watched = function (...words) {
          count(this);
          return before.apply(this, words);
        };
        Object.defineProperty(prototype, member, { ...found, [key]: watched });
      }
    }
    const style = globalThis.getComputedStyle;
    globalThis.getComputedStyle = (of, ...rest) => (count(of), style(of, ...rest));
  }
}

const size = (/** @type {number} */ bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(0)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

export class Strip {
  /** @type {number[]} */
  #frames = [];
  #last = 0;

  /** @param {HTMLElement} element @param {Watch} watch @param {import("../forme/fonts.js").Fonts} fonts */
  constructor(element, watch, fonts) {
    this.watch = watch;
    this.fonts = fonts;
    this.shift = 0;
    /** Microseconds of decoding, and rows. */
    this.decoded = [0, 0];
    /** @type {Set<any>} */
    this.seen = new Set();
    /** @type {HTMLElement[]} */
    this.values = ["measuring calls", "layout shift", "frame p99", "received", "decode / row", "drift"].map((name) => {
      const item = document.createElement("span");
      const value = document.createElement("b");
      item.append(value, ` ${name}`);
      element.append(item);
      return value;
    });
    if (globalThis.PerformanceObserver?.supportedEntryTypes.includes("layout-shift")) {
      new PerformanceObserver((list) => {
        // As browsers count it: what somebody's click moves is wanted; and so is what a width moves that somebody drags.
        for (const entry of /** @type {any[]} */ (list.getEntries())) if (!entry.hadRecentInput && !this.#isDragged(entry.startTime)) this.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    }
    requestAnimationFrame((time) => this.#frame(time));
    setInterval(() => this.#draw(), 500);
  }

  /** @param {import("../forme/scroller.js").Scroller | undefined} scroller */
  follow(scroller) {
    this.scroller = scroller;
    this.seen.clear();
    // How long frames take is told of what follows on the first ones.
    setTimeout(() => (this.#frames = []), 1500);
    scroller?.window.addEventListener("update", () => this.#decode(scroller.window.rows));
  }

  /** @param {number} time */
  #isDragged(time) {
    const at = this.scroller?.window.resizedAt ?? -Infinity;
    return time > at - 500 && time < at + 500;
  }

  /** @param {any[]} rows */
  #decode(rows) {
    const fresh = rows.filter((row) => row.bytes && !this.seen.has(row.bytes));
    if (!fresh.length) return;
    if (this.seen.size > 5000) this.seen.clear();
    const start = performance.now();
    for (const row of fresh) void row.decoded;
    this.decoded[0] += 1000 * (performance.now() - start);
    this.decoded[1] += fresh.length;
    for (const row of fresh) this.seen.add(row.bytes);
  }

  /** @param {number} time */
  #frame(time) {
    if (this.#last) this.#frames.push(time - this.#last);
    if (this.#frames.length > 600) this.#frames.shift();
    this.#last = time;
    requestAnimationFrame((next) => this.#frame(next));
  }

  get p99() {
    const sorted = [...this.#frames].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  }

  #draw() {
    const { scroller, watch, decoded } = this;
    const texts = [
      `${watch.below}`, this.shift.toFixed(3).replace(/\.000$/, ""), `${this.p99.toFixed(1)} ms`, size((scroller?.window.bytes ?? 0) + this.fonts.bytes),
      decoded[1] ? `${(decoded[0] / decoded[1]).toFixed(0)} µs` : "–", `${scroller?.drift ?? 0} px`,
    ];
    texts.forEach((text, place) => {
      if (this.values[place].textContent !== text) this.values[place].textContent = text;
    });
  }
}
