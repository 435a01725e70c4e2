// The actions on a message: a menu where the pointer is.

const reactions = ["👍", "❤️", "😂", "🎉", "😮", "🙏"];

export class Menu {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    document.addEventListener("pointerdown", (event) => {
      if (!element.hidden && event.target instanceof Node && !element.contains(event.target)) this.close();
    });
    element.addEventListener("keydown", (event) => {
      const all = [...element.querySelectorAll("button")];
      const place = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      if (event.key === "Escape" || event.key === "Tab") this.close();
      else if (event.key === "ArrowDown" || event.key === "ArrowRight") all[(place + 1) % all.length].focus();
      else if (event.key === "ArrowUp" || event.key === "ArrowLeft") all[(place + all.length - 1) % all.length].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  close() {
    this.element.hidden = true;
    this.before?.focus({ preventScroll: true });
    this.before = undefined;
  }

  /** Where the pointer is; in the middle where it was opened by a key.
   * @param {number | undefined} x @param {number | undefined} y @param {{name: string, isGrave?: boolean, act: () => void}[]} actions @param {(emoji: string) => void} [react] */
  open(x, y, actions, react) {
    this.before = document.activeElement instanceof HTMLElement ? document.activeElement : undefined;
    const button = (/** @type {string} */ name, /** @type {() => void} */ act, /** @type {string} */ kind) => {
      const own = document.createElement("button");
      own.textContent = name;
      own.className = kind;
      own.setAttribute("role", "menuitem");
      own.addEventListener("click", () => {
        this.close();
        act();
      });
      return own;
    };
    const row = document.createElement("div");
    row.className = "reactions";
    if (react) row.append(...reactions.map((emoji) => button(emoji, () => react(emoji), "emoji")));
    this.element.replaceChildren(...(react ? [row] : []), ...actions.map(({ name, act, isGrave }) => button(name, act, isGrave ? "grave" : "")));
    // Its own size is in the style: it is placed without being measured.
    const [wide, high] = [252, (react ? 60 : 14) + 40 * actions.length];
    const [left, top] = [x ?? (innerWidth - wide) / 2, y ?? (innerHeight - high) / 2];
    this.element.style.left = `${Math.max(8, Math.min(left, innerWidth - wide - 8))}px`;
    this.element.style.top = `${Math.max(8, Math.min(top, innerHeight - high - 8))}px`;
    this.element.hidden = false;
    this.element.querySelector("button")?.focus({ preventScroll: true });
  }
}
