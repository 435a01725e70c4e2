// The same texts laid out by the browser itself, beside ours: where lines break and how wide they are. This page alone measures.

import { Forme } from "../forme/forme.js";
import { Fonts, dress, wordsOf } from "../forme/forme-rows.js";
import { drawLines, linesOf } from "./lines.js";
import { scriptOf, tell } from "./sums.js";

/** @param {string} id @returns {any} */
const part = (id) => document.getElementById(id);

const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token") ?? undefined;
given.delete("token");
history.replaceState(null, "", location.pathname);

const forme = new Forme("", { token });
const fonts = Fonts.of(forme);
const scale = devicePixelRatio;
const most = 400;

/** Rows of a conversation for one screen.
 * @type {(conversation: string, width: number, textScale: number) => Promise<any[]>} */
async function rowsOf(conversation, width, textScale) {
  const window = forme.open(conversation, { target: { width, scale, textScale }, reader: { own: "ada" }, count: 200, screen: 2000 });
  await new Promise((done) => window.addEventListener("update", done, { once: true }));
  for (let before = -1; window.rows.length < most && window.rows.length !== before && window.mirror.rowsAbove; ) {
    before = window.rows.length;
    await window.page("older");
  }
  const rows = window.rows.slice(-most);
  window.close();
  return rows;
}

/** Texts of a row with all of their words, but for those that are cut.
 * @param {any} row */
function textsOf(row) {
  const { nodes } = row.expanded ?? row.layout ?? { nodes: [] };
  return nodes.filter((/** @type {any} */ node) => node.text && node.part !== "time" && node.frame[2] > 0).flatMap((/** @type {any} */ node) => {
    const words = wordsOf(node.text, row.said);
    const last = node.text.lines.at(-1);
    if (!words || !last || node.text.lines.some((/** @type {any} */ line) => line.ends_with === "ellipsis") || last.end < words.replace(/\s+$/, "").length) return [];
    // Words of the style's own are in no language of a message.
    return [{ node, words, kind: row.said?.body?.kind ?? "", language: node.text.literal === undefined ? fonts.language(row.said?.body?.lang) : "" }];
  });
}

async function compare() {
  part("state").textContent = "Laying out…";
  part("pairs").replaceChildren();
  await fonts.list();
  dress(fonts);
  document.documentElement.style.setProperty("--families", `${fonts.families(false)}, system-ui, sans-serif`);
  const rows = await rowsOf(part("which").value, Number(part("width").value), Number(part("size").value));
  /** @type {any[]} */
  const found = [];
  const seen = new Set();
  for (const { node, words, kind, language } of rows.flatMap(textsOf)) {
    const key = `${words}|${node.frame[2]}|${node.text.font_size}|${JSON.stringify(node.text.face)}|${language}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const pair = document.createElement("section");
    const ours = document.createElement("div");
    const theirs = document.createElement("div");
    const title = document.createElement("h2");
    // Families are those of a row, for every pitch and language.
    [pair.className, ours.className, theirs.className] = ["pair forme-row", "side", "side theirs"];
    pair.style.position = "relative";
    pair.lang = language;
    pair.append(title, ours, theirs);
    part("pairs").append(pair);
    await drawLines(ours, theirs, node, words, { scale, fonts, language });
    const told = linesOf(theirs, node, words, scale);
    const script = scriptOf(words);
    title.textContent = `${kind} · ${script} · ${node.text.lines.length} lines${told.breaks ? ` · ${told.breaks} other breaks` : ""}`;
    if (told.breaks) pair.classList.add("other");
    found.push({ kind, script, ...told });
  }
  tell(part("sums").tBodies[0], found);
  const breaks = found.reduce((sum, one) => sum + one.breaks, 0);
  const lines = found.reduce((sum, one) => sum + one.lines, 0);
  part("state").textContent = `${found.length} texts, ${lines} lines, ${breaks} break elsewhere`;
  Object.assign(globalThis, { proof: { texts: found.length, lines, breaks } });
}

part("ask").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  compare().catch((error) => (part("state").textContent = `${error}`));
});

const { conversations } = await (await forme.ask("/v1/conversations?count=100&as=ada")).json();
for (const { conversation, title } of conversations) {
  const option = document.createElement("option");
  [option.value, option.textContent] = [conversation, title || conversation];
  option.selected = conversation === given.get("of");
  part("which").append(option);
}
if (given.get("width")) part("width").value = given.get("width");
compare().catch((error) => (part("state").textContent = `${error}`));
