// Rows for those who hear them: roles and labels are those of the models, and the lines of a text are one text.

const names = /** @type {Record<string, string>} */ ({ image: "img", progress: "progressbar", field: "textbox", text: "paragraph" });

/** @param {Element} element @param {string} role @param {string} [words] */
export function label(element, role, words) {
  element.setAttribute("role", role);
  if (words) element.setAttribute("aria-label", words);
  if (element instanceof HTMLElement && role === "button") element.tabIndex = -1;
}

/**
 * @param {Element} row @param {Element[]} elements of its nodes, by their numbers @param {{node: number, role: string, label?: string}[]} reading
 * @param {{words: Map<number, string>, said: any, name: string, label?: (label: string) => string}} known
 */
export function readOut(row, elements, reading, { words, said, name, label: translate = (own) => own }) {
  /** @type {string[]} */
  const heard = [];
  let before = "";
  for (const { node, role, label: own } of reading) {
    const element = elements[node];
    if (!element) continue;
    // Where nobody says how far a message has come there is nothing to hear.
    if (own === "status" && !said.status) {
      element.setAttribute("aria-hidden", "true");
      continue;
    }
    const text = words.get(node);
    const told = own === "status" ? translate(said.status ?? own) : own && translate(own);
    // A field is called what stands before it.
    label(element, names[role] ?? role, role === "image" ? text ?? told ?? translate(element.className.split(" p-")[1] ?? role) : role === "field" ? before : told);
    if (role === "heading") element.setAttribute("aria-level", "3");
    if (role === "field") element.setAttribute("aria-readonly", "true");
    if (role === "text" || role === "heading") oneText(element, text ?? "");
    if (role === "image" || (text && !(role === "text" && text === name))) heard.push(text ?? told ?? "");
    before = text ?? before;
  }
  row.setAttribute("aria-label", [name, heard.filter(Boolean).join(", ")].filter(Boolean).join(": ").slice(0, 1000));
}

/** Lines that were broken for the screen, and what is drawn apart in one, are one text; but where a link is in them, they are heard line by line, as it can be followed.
 * @param {Element} element @param {string} text */
function oneText(element, text) {
  const lines = [...element.children].filter(({ classList }) => classList.contains("forme-line"));
  if ((lines.length < 2 && !lines[0]?.firstElementChild) || !text || element.querySelector("a")) return;
  for (const line of lines) line.setAttribute("aria-hidden", "true");
  const whole = document.createElement("span");
  whole.className = "forme-whole";
  whole.textContent = text;
  element.prepend(whole);
}
