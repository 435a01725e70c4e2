// Where one writes: it grows with its words, keeps drafts of each conversation, and says what an answer or an edit is about.

export class Composer extends EventTarget {
  /** @type {Map<string, string>} */
  #drafts = new Map();
  #conversation = "";
  /** @type {any} */
  #reply;
  /** @type {any} */
  #edit;
  /** The words that an edit has put aside. */
  #draft = "";

  /** @param {HTMLFormElement} form */
  constructor(form) {
    super();
    this.form = form;
    this.words = /** @type {HTMLTextAreaElement} */ (form.querySelector("#words"));
    this.about = /** @type {HTMLElement} */ (form.querySelector("#about-what"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    this.words.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.send();
      } else if (event.key === "Escape") this.forget();
      else if (event.key === "ArrowUp" && !this.words.value) this.dispatchEvent(new CustomEvent("last"));
    });
    this.words.addEventListener("input", () => this.#changed());
    this.about.querySelector("button")?.addEventListener("click", () => {
      this.forget();
      this.words.focus();
    });
  }

  /** @param {string} conversation */
  turn(conversation) {
    this.forget();
    this.#drafts.set(this.#conversation, this.words.value);
    this.#conversation = conversation;
    this.words.value = this.#drafts.get(conversation) ?? "";
    this.#changed();
  }

  #changed() {
    this.form.classList.toggle("full", this.words.value.trim() !== "");
  }

  /** Words that could not be sent stand in front of those that are being written there by now.
   * @param {string} conversation @param {string} words */
  restore(conversation, words) {
    const before = (/** @type {string} */ own) => [words, own].filter(Boolean).join("\n");
    if (conversation !== this.#conversation) this.#drafts.set(conversation, before(this.#drafts.get(conversation) ?? ""));
    else if (this.#edit) this.#draft = before(this.#draft);
    else this.words.value = before(this.words.value);
    this.#changed();
  }

  forget() {
    if (this.#edit) this.words.value = this.#draft;
    this.#reply = this.#edit = undefined;
    this.about.hidden = true;
    this.#changed();
  }

  /** @param {any} row @param {string} words */
  reply(row, words) {
    this.forget();
    this.#reply = row;
    this.#tell(`Reply to ${row.said?.body?.name ?? row.said?.sender ?? ""}: ${words}`);
  }

  /** @param {any} row */
  edit(row) {
    this.forget();
    this.#draft = this.words.value;
    this.#edit = row;
    this.words.value = row.said.body.text ?? row.said.body.caption ?? "";
    this.#tell("Edit the message");
  }

  /** @param {string} words */
  #tell(words) {
    /** @type {HTMLElement} */ (this.about.firstElementChild).textContent = words;
    this.about.hidden = false;
    this.words.focus();
    this.#changed();
  }

  send() {
    const text = this.words.value.trim();
    if (!text) return;
    const [reply, edit] = [this.#reply, this.#edit];
    if (!edit) this.words.value = "";
    this.forget();
    this.dispatchEvent(new CustomEvent("send", { detail: { text, reply, edit } }));
  }
}
