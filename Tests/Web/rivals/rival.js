// Two usual ways to show a chat, to be measured beside: everything in the document, laid out by the browser; and a scroller that guesses heights, measures rows as they
// appear, and corrects what it guessed.

/** @param {any} message */
function drawn({ sender, body, time }) {
  const row = document.createElement("div");
  row.className = sender === "ada" ? "row own" : "row";
  const bubble = row.appendChild(document.createElement("div"));
  bubble.className = "bubble";
  if (sender !== "ada") Object.assign(bubble.appendChild(document.createElement("span")), { className: "name", textContent: body.name });
  bubble.append(body.text);
  Object.assign(bubble.appendChild(document.createElement("span")), { className: "time", textContent: new Date(time).toISOString().slice(11, 16) });
  return row;
}

class Plain {
  /** @param {HTMLElement} element @param {any[]} messages */
  constructor(element, messages) {
    this.element = element;
    const sheet = document.createElement("div");
    sheet.append(...messages.map(drawn));
    element.replaceChildren(sheet);
    this.rows = [...sheet.children];
    element.scrollTop = 1e9;
  }

  /** The first row that is whole on the screen. */
  held() {
    const { top } = this.element.getBoundingClientRect();
    return this.rows.find((row) => row.getBoundingClientRect().top >= top);
  }
}

const estimate = 64;

class Usual {
  /** @param {HTMLElement} element @param {any[]} messages */
  constructor(element, messages) {
    this.element = element;
    this.messages = messages;
    this.heights = new Map();
    this.shown = new Map();
    this.sheet = document.createElement("div");
    this.sheet.className = "sheet virtual";
    element.replaceChildren(this.sheet);
    this.sums();
    element.scrollTop = 1e9;
    element.addEventListener("scroll", () => this.draw(), { passive: true });
    // What was measured at another width is guessed again.
    new ResizeObserver(() => {
      if (this.width === element.clientWidth) return;
      const first = this.first(element.scrollTop);
      const above = element.scrollTop - this.tops[first];
      this.width = element.clientWidth;
      this.heights.clear();
      this.sums();
      element.scrollTop = this.tops[first] + above;
      this.draw();
    }).observe(element);
    this.width = element.clientWidth;
    this.draw();
    element.scrollTop = 1e9;
  }

  sums() {
    let sum = 0;
    this.tops = this.messages.map((_, place) => (sum += place ? this.heights.get(place - 1) ?? estimate : 0));
    this.total = sum + (this.heights.get(this.messages.length - 1) ?? estimate);
    this.sheet.style.height = `${this.total}px`;
  }

  /** @param {number} y */
  first(y) {
    let [low, high] = [0, this.tops.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.tops[middle] <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  draw() {
    const { element, shown } = this;
    for (let turn = 0; turn < 4; turn++) {
      const [y, high] = [element.scrollTop, element.clientHeight];
      const first = this.first(Math.max(0, y - high / 2));
      const last = this.first(y + 1.5 * high);
      for (const [place, row] of shown) if (place < first || place > last) row.remove(), shown.delete(place);
      for (let place = first; place <= last; place++) {
        if (shown.has(place)) continue;
        const row = drawn(this.messages[place]);
        shown.set(place, row);
        this.sheet.append(row);
      }
      let above = 0;
      let isOther = false;
      for (const [place, row] of shown) {
        const { height } = row.getBoundingClientRect();
        const before = this.heights.get(place) ?? estimate;
        if (height === before) continue;
        this.heights.set(place, height);
        isOther = true;
        if (this.tops[place] < y) above += height - before;
      }
      if (isOther) this.sums();
      for (const [place, row] of shown) row.style.top = `${this.tops[place]}px`;
      if (above) element.scrollTop = y + above;
      if (!isOther) return;
    }
  }

  held() {
    const { top } = this.element.getBoundingClientRect();
    return [...this.shown].sort(([a], [b]) => a - b).map(([, row]) => row).find((row) => row.getBoundingClientRect().top >= top);
  }
}

const kind = new URLSearchParams(location.search).get("kind");
const messages = await (await fetch("/messages.json")).json();
Object.assign(globalThis, { chat: new (kind === "plain" ? Plain : Usual)(document.getElementById("rows"), messages) });
