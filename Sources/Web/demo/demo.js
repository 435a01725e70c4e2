// A chat in a page: the list at one side, a conversation at the other, and under it what the page measures of itself.

import { Forme } from "../forme/forme.js";
import { Fonts, hue, initials } from "../forme/forme-rows.js";
import { answer, writing } from "./answers.js";
import { Chat, firstWords, lastSaid, wordsIn } from "./chat.js";
import { Composer } from "./composer.js";
import { Find } from "./find.js";
import { flow } from "./flow.js";
import { List, is12 } from "./list.js";
import { Menu } from "./menu.js";
import { icons } from "./icons.js";
import { nextSize } from "./sizes.js";
import { Strip, Watch } from "./strip.js";

/** @param {string} id @returns {any} */
const part = (id) => document.getElementById(id);

// A token comes behind the address, goes from there at once, and is kept nowhere but here.
const given = new URLSearchParams(location.hash.slice(1));
const token = given.get("token") ?? undefined;
const own = given.get("as") ?? "ada";
given.delete("token");
history.replaceState(null, "", `${location.pathname}${given.size ? `#${given}` : ""}`);

const watch = new Watch(part("rows"));
const forme = new Forme("", { token, keep: own });
const fonts = Fonts.of(forme);
const list = new List(part("list"), forme, fonts, token ? undefined : own);
const composer = new Composer(part("composer"));
const menu = new Menu(part("menu"));
const strip = new Strip(part("strip"), watch, fonts);
/** @type {Chat | undefined} */
let chat;
const find = new Find(part("search-bar"), () => chat);
let isMirrored = given.has("mirrored");
let textScale = Math.max(25, Math.min(400, Math.round(Number(given.get("text"))) || 100));
/** @type {(() => void) | undefined} */
let stopFlow;

icons(document);
fonts.list().then(() => document.documentElement.style.setProperty("--families", `${fonts.families(false)}, system-ui, sans-serif`)).catch(() => {});

/** @param {string} conversation @param {any} [around] */
function open(conversation, around) {
  document.body.classList.add("open");
  given.set("open", conversation);
  history.replaceState(null, "", `#${given}`);
  if (chat?.conversation === conversation && !around) return;
  find.close();
  leave();
  stopFlow?.();
  part("date").hidden = true;
  part("nothing").hidden = true;
  part("chat").hidden = false;
  part("empty").hidden = true;
  list.choose(conversation);
  composer.turn(conversation);
  const listed = list.get(conversation);
  const reader = { own, ...(listed?.read !== undefined && { unreadFrom: listed.read + 1 }), clock: is12 ? "12" : "24" };
  const place = around ?? (listed?.unread && listed.read !== undefined ? "unread" : "newest");
  const opened = (chat = new Chat(part("rows"), forme, conversation, { reader, textScale, isMirrored, around: place, hasTokens: token !== undefined }));
  chat.addEventListener("menu", (event) => ask(/** @type {CustomEvent} */ (event).detail));
  chat.window.addEventListener("state", (event) => {
    reason = /** @type {CustomEvent} */ (event).detail.why ?? "";
    head();
  });
  chat.window.addEventListener("update", () => head());
  // Also after another conversation was opened, as messages are sent until they are answered.
  chat.window.addEventListener("update", () => giveBack(opened));
  chat.addEventListener("failed", (event) => {
    const { what, why, words } = /** @type {CustomEvent} */ (event).detail;
    fail(opened, what, why, words);
  });
  chat.window.addEventListener("update", announce);
  chat.scroller.addEventListener("draw", () => {
    below();
    find.drawn();
    const wide = `${Math.round(opened.scroller.width)}`;
    if (handle.ariaValueNow !== wide) handle.ariaValueNow = wide;
  });
  strip.follow(chat.scroller);
  delete document.body.dataset.state;
  reason = "";
  head();
  Object.assign(globalThis, { chat });
}

/** @param {string} conversation */
const titleOf = (conversation) => list.get(conversation)?.title || conversation;

/** Closes the conversation that is open. */
function leave() {
  const before = chat;
  chat = undefined;
  before?.close();
  if (before) giveBack(before);
}

/** Gives words that could not be sent back to where they were written, unless they are seen where they would stand.
 * @param {Chat} own */
function giveBack(own) {
  const { window } = own;
  for (const bad of window.pending.filter(({ state, row }) => state === "refused" && (!row || own !== chat))) {
    window.outbox.drop(bad);
    fail(own, "Not sent", bad.why ?? "", bad.body.text);
  }
}

/** The last failure, in words, for some seconds. */
let fault = "";
/** @type {ReturnType<typeof setTimeout> | undefined} */
let forgetting;

/** @param {Chat} own @param {string} what @param {string} why @param {string} [words] that would be lost */
function fail(own, what, why, words) {
  if (words) composer.restore(own.conversation, words);
  part("told").textContent = fault = `${what}${own === chat ? "" : ` in ${titleOf(own.conversation)}`}: ${why}`;
  clearTimeout(forgetting);
  forgetting = setTimeout(() => {
    fault = "";
    head();
  }, 10_000);
  head();
}

/** A text that is there already is not laid out again.
 * @param {Element} element @param {string} text */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** The reason for the state of the window, where its gateway says one. */
let reason = "";
/** The number of own messages that stand there refused. */
let refused = 0;
function head() {
  if (!chat) return;
  const { conversation, window } = chat;
  const name = titleOf(conversation);
  say(part("title"), name);
  part("face").className = `face d${hue(conversation)}`;
  say(part("face"), list.get(conversation)?.picture?.emoji ?? (initials(name) || "#"));
  const count = window.mirror.rowsAbove + window.rows.length + window.mirror.rowsBelow;
  // The messages that have no place yet where they are seen.
  const waiting = window.pending.filter(({ row }) => !row).length;
  const states = /** @type {Record<string, string>} */ ({
    connecting: "Connecting…", offline: `Offline · ${waiting ? `${waiting} to send` : "reconnecting…"}`, resync: "Catching up…", refused: `Not allowed${reason ? `: ${reason}` : ""}`,
    live: writing(window) ?? `${count.toLocaleString("en")} message${count === 1 ? "" : "s"}`,
  });
  const before = document.body.dataset.state;
  // A page that is offline stays so while a line is tried; and rows that were seen last are no state that somebody waits for.
  const state = window.state !== "connecting" ? window.state : before === "offline" ? before : window.isKept ? "live" : window.state;
  if (before !== state && (state !== "live" || before === "offline")) part("told").textContent = state === "live" ? "Connected again" : states[state];
  const failed = window.pending.filter(({ state: own }) => own === "refused").length;
  if (failed > refused) part("told").textContent = "A message was not sent";
  refused = failed;
  say(part("about"), fault || (states[state] ?? ""));
  part("about").className = fault ? "refused" : state;
  document.body.dataset.state = state;
  const isEmpty = window.state === "refused" || (window.state === "live" && !count && !window.pending.length);
  part("empty").hidden = !isEmpty;
  const [title, more] = part("empty").children;
  const words = window.state === "refused" ? ["This conversation is not yours to read", reason] : ["No messages here yet", "What you write is the first."];
  [title, more].forEach((element, place) => say(element, words[place]));
  part("composer").hidden = window.state === "refused";
}

/** The message that was told last to those who hear the page, while they are at the end. */
let heard = { conversation: "", order: 0 };
function announce() {
  const row = chat && lastSaid(chat.window.rows);
  if (!chat || !row || chat.window.isKept) return;
  const isFirst = heard.conversation !== chat.conversation;
  // An older one is the last where others went, or are not here.
  if (!isFirst && row.order <= heard.order) return;
  heard = { conversation: chat.conversation, order: row.order };
  if (!isFirst && !stopFlow && chat.scroller.isAtEnd && row.said?.sender !== own) part("told").textContent = `${row.said?.body?.name ?? row.said?.sender ?? ""}: ${firstWords(row)}`;
}

function below() {
  if (!chat) return;
  const count = chat.scroller.isAtEnd ? 0 : chat.below;
  part("newest").hidden = !count;
  const label = `Newest message, ${count.toLocaleString("en")} below`;
  if (part("newest").ariaLabel !== label) part("newest").ariaLabel = label;
  say(part("count"), count > 999 ? `${Math.floor(count / 1000).toLocaleString("en")}K` : `${count || ""}`);
}

/** @param {{row: any, x: number, y: number}} what */
function ask({ row, x, y }) {
  if (!chat) return;
  const open = chat;
  const isOwn = row.said.sender === own;
  const words = wordsIn(row);
  menu.open(x, y, [
    { name: "Reply", act: () => composer.reply(row, firstWords(row)) },
    ...(words ? [{ name: "Copy", act: () => void navigator.clipboard?.writeText(words).catch(() => {}) }] : []),
    ...(isOwn && row.said.body?.text !== undefined ? [{ name: "Edit", act: () => composer.edit(row) }] : []),
    ...(isOwn || !token ? [{ name: "Delete", isGrave: true, act: () => open.remove(row) }] : []),
  ], (emoji) => open.react(row, emoji));
}

composer.addEventListener("send", (event) => {
  const { text, reply, edit } = /** @type {CustomEvent} */ (event).detail;
  if (!chat) return;
  if (edit) chat.edit(edit, text);
  else {
    const open = chat;
    const sent = open.send({ kind: /[*`_#>-]/.test(text) && /\*\*|`|^[#>-] /m.test(text) ? "rich" : "text", text }, reply);
    // With a token nobody speaks for others.
    if (given.has("answers") && !token) sent.then(() => answer(open)).catch(() => {});
  }
});
composer.addEventListener("last", () => {
  const row = chat?.window.rows.findLast((one) => one.said?.sender === own && one.said.body?.text !== undefined);
  if (row) composer.edit(row);
});
const isWide = () => matchMedia("(min-width: 720px)").matches;
// An element that hides itself hands the focus on: keys would begin at the top of the page.
const toRows = () => part("rows").focus({ preventScroll: true });
list.addEventListener("open", (event) => {
  open(/** @type {CustomEvent} */ (event).detail);
  if (!isWide()) toRows();
});
list.addEventListener("change", () => {
  const wanted = given.get("open") ?? (isWide() ? list.first : undefined);
  if (!chat && wanted) open(wanted);
  head();
});
part("find").addEventListener("input", () => list.search(part("find").value));
part("newest").addEventListener("click", () => {
  if (document.activeElement === part("newest")) toRows();
  chat?.scroller.jump("newest").catch(() => {});
});
part("back").addEventListener("click", () => {
  document.body.classList.remove("open");
  given.delete("open");
  history.replaceState(null, "", `${location.pathname}#${given}`);
  part("list").querySelector("[aria-current=true]")?.focus({ preventScroll: true });
});
part("leave").hidden = token === undefined;
part("leave").addEventListener("click", async () => {
  chat?.close();
  await forme.forget();
  location.replace(location.pathname);
  location.reload();
});
part("search").addEventListener("click", () => find.open());
part("search-bar").addEventListener("closed", () => part("search").focus());
part("date").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const moment = part("date").querySelector("input").valueAsNumber;
  if (Number.isFinite(moment)) chat?.scroller.jump({ date: moment }).catch(() => {});
  part("date").hidden = true;
  toRows();
});
const closeDate = () => {
  part("date").hidden = true;
  part("more").focus();
};
part("undate").addEventListener("click", closeDate);
part("date").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Escape") closeDate();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "f" && (event.ctrlKey || event.metaKey) && chat) {
    event.preventDefault();
    find.open();
  }
});

/** @param {number} step */
function scaleTexts(step) {
  textScale = nextSize(textScale, step);
  chat?.scroller.scaleTexts(textScale);
}

function mirror() {
  isMirrored = !isMirrored;
  document.documentElement.dir = isMirrored ? "rtl" : "ltr";
  const { conversation } = chat ?? {};
  if (!conversation) return;
  find.close();
  leave();
  open(conversation);
}
document.documentElement.dir = isMirrored ? "rtl" : "ltr";

part("more").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  menu.open(event.clientX || undefined, event.clientY || undefined, [
    { name: "Messages of a day…", act: showDate },
    { name: "First unread message", act: () => void chat?.scroller.jump("unread").catch(() => {}) },
    { name: "First message", act: () => chat?.scroller.scrollTo(chat.scroller.extent[0]) },
    { name: "Larger text", act: () => scaleTexts(1) },
    { name: "Smaller text", act: () => scaleTexts(-1) },
    { name: isMirrored ? "From left to right" : "From right to left", act: mirror },
  ]);
});

function showDate() {
  const input = part("date").querySelector("input");
  const row = chat?.window.rows.find((one) => typeof one.said?.time === "number");
  if (row && !input.value) input.valueAsNumber = row.said.time - (row.said.time % 86_400_000);
  part("date").hidden = false;
  input.focus();
}

part("scheme").addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const isDark = dataset.scheme ? dataset.scheme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  dataset.scheme = isDark ? "light" : "dark";
});
for (const [id, step] of [["smaller", -1], ["larger", 1]]) {
  part(`${id}`).addEventListener("click", () => scaleTexts(Number(step)));
}
part("stream").addEventListener("click", () => {
  if (stopFlow) return stopFlow();
  if (!chat) return;
  part("stream").setAttribute("aria-pressed", "true");
  const stop = flow(forme, chat.conversation, 200);
  stopFlow = () => {
    stop();
    part("stream").setAttribute("aria-pressed", "false");
    stopFlow = undefined;
  };
});

// The handle changes the width of the whole conversation under the pointer.
const [column, handle] = [part("column"), part("handle")];
// While it is dragged, no row inherits it: each would be styled anew for every frame.
CSS.registerProperty?.({ name: "--width", syntax: "*", inherits: false });
let width = 0;
handle.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
  handle.setPointerCapture(event.pointerId);
  const [start, from] = [event.clientX, width || chat?.scroller.width || 0];
  const move = (/** @type {PointerEvent} */ now) => widen(from + now.clientX - start);
  handle.addEventListener("pointermove", move);
  handle.addEventListener("lostpointercapture", () => handle.removeEventListener("pointermove", move), { once: true });
});
handle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const step = { ArrowLeft: -16, ArrowRight: 16 }[event.key];
  if (step) widen((width || chat?.scroller.width || 0) + step);
});
/** @param {number} wanted */
function widen(wanted) {
  width = Math.max(280, Math.min(1600, Math.round(wanted)));
  column.style.setProperty("--width", `${width}px`);
}

// Words are shown in the letters that they stay in, or after three seconds in any.
const lettered = () => document.body.classList.add("lettered");
setTimeout(lettered, 3000);
fonts.list().then(() => fonts.load(fonts.needs("x", { weight: 700 }))).finally(() => {
  lettered();
  setTimeout(() => document.body.classList.add("ready"), 300);
});
Object.assign(globalThis, { forme, fonts, watch, strip, openConversation: open });
