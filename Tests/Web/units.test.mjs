// What needs no browser: a mirror beside what a gateway would have, bytes in pieces, and words from strangers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { firstWords, lastSaid, wordsIn } from "../../Sources/Web/demo/chat.js";
import { Composer } from "../../Sources/Web/demo/composer.js";
import { List } from "../../Sources/Web/demo/list.js";
import { nextSize } from "../../Sources/Web/demo/sizes.js";
import { Fonts } from "../../Sources/Web/forme/fonts.js";
import { Kept } from "../../Sources/Web/forme/kept.js";
import { Mirror } from "../../Sources/Web/forme/mirror.js";
import { address, clock, hue, initials, wordsOf } from "../../Sources/Web/forme/said.js";
import { Questions } from "../../Sources/Web/forme/questions.js";
import { Refusal } from "../../Sources/Web/forme/refusal.js";
import { Forme } from "../../Sources/Web/forme/session.js";
import { Stream, blocks } from "../../Sources/Web/forme/stream.js";
import { Window } from "../../Sources/Web/forme/window.js";

// Browsers have had it for long; Node has since 19.
globalThis.CustomEvent ??= class extends Event {
  constructor(type, init) {
    super(type, init);
    this.detail = init?.detail ?? null;
  }
};

/** The same numbers for the same seed. @param {number} seed */
function dice(seed) {
  let state = seed;
  return (/** @type {number} */ bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % bound;
  };
}

/** @param {number} number @param {number} height */
const row = (number, height) => ({ row: number, message: `m${number}`, order: number, height, lead: 2, strip: height - 2 });

/** @param {any[]} rows @param {number} stamp */
const frame = (rows, stamp) => ({ cursor: [1, stamp, 0], top: -500, extent: [-900, -500 + rows.reduce((sum, one) => sum + one.height, 0)], rowsAbove: 3, rowsBelow: 0 });

test("a mirror that does all changes has what a new one would have", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = dice(seed);
    let [rows, next, stamp] = [Array.from({ length: random(20) }, (_, number) => row(number, 10 + random(90))), 1000, 1];
    const mirror = new Mirror();
    mirror.take({ part: "whole", rows, ...frame(rows, stamp) });
    for (let turn = 0; turn < 20; turn++) {
      const changes = [];
      const own = [...rows];
      for (let left = random(4); left >= 0; left--) {
        const [kind, at] = [random(5), random(own.length + 1)];
        if (kind === 0 || !own.length) {
          const fresh = [row(next++, 10 + random(90)), row(next++, 10 + random(90))];
          changes.push({ insert: Math.min(at, own.length), rows: fresh });
          own.splice(Math.min(at, own.length), 0, ...fresh);
        } else {
          const place = Math.min(at, own.length - 1);
          const other = { ...own[place], height: 10 + random(90) };
          if (kind === 1) changes.push({ remove: place, count: 1 }), own.splice(place, 1);
          else if (kind === 2) changes.push({ replace: place, rows: [other] }), (own[place] = other);
          else if (kind === 3) changes.push({ redecorate: place, rows: [other] }), (own[place] = other);
          else {
            const to = random(own.length);
            changes.push({ move: place, to, rows: [other] });
            own.splice(place, 1);
            own.splice(to, 0, other);
          }
        }
      }
      assert.equal(mirror.change({ since: [9, 9, 9], changes, ...frame(own, 0) }), false, "changes of another moment are refused");
      assert.ok(mirror.change({ since: [1, stamp, 0], changes, ...frame(own, stamp + 1) }));
      [rows, stamp] = [own, stamp + 1];
      assert.deepEqual(mirror.rows, rows);
      assert.equal(mirror.bottom, mirror.extent[1]);
      rows.forEach((one, index) => {
        assert.equal(mirror.at(mirror.y(index)), index);
        assert.equal(mirror.yOf({ row: one.row, edge: "top", offset: 3 }), mirror.y(index) + 5);
      });
    }
  }
});

test("a set that does not fit changes nothing", () => {
  const mirror = new Mirror();
  const rows = [row(1, 10)];
  mirror.take({ part: "whole", rows, ...frame(rows, 1) });
  assert.equal(mirror.change({ since: [1, 1, 0], changes: [{ insert: 0, rows: [row(2, 10)] }, { remove: 5, count: 1 }], ...frame(rows, 2) }), false);
  assert.deepEqual(mirror.rows, rows);
});

test("a row that is expanded moves those below it, and the end", () => {
  const mirror = new Mirror();
  const rows = [{ ...row(1, 100), layout: { size: [1, 90] }, expanded: { size: [1, 390] } }, row(2, 50)];
  mirror.take({ part: "whole", rows, ...frame(rows, 1) });
  mirror.expand(rows[0], true);
  assert.deepEqual([mirror.y(1), mirror.bottom, mirror.end], [-100, -50, -50]);
  mirror.expand(rows[0], false);
  assert.deepEqual([mirror.y(1), mirror.end], [-400, -350]);
});

test("blocks come out as they went in, however they are cut", async () => {
  const sent = [[1], [], [2, 3, 4], Array(3000).fill(7), []];
  const bytes = sent.flatMap((block) => [0, 0, block.length >> 8, block.length & 255, ...block]);
  for (const size of [1, 2, 3, 7, 1000, bytes.length]) {
    const body = new ReadableStream({
      start(control) {
        for (let at = 0; at < bytes.length; at += size) control.enqueue(Uint8Array.from(bytes.slice(at, at + size)));
        control.close();
      },
    });
    const found = [];
    for await (const block of blocks(body, () => {})) found.push([...block]);
    assert.deepEqual(found, sent.filter((block) => block.length), "a length of 0 is a sign of life");
  }
});

test("links lead to where people go, and nowhere else", () => {
  for (const [kind, words, to] of [
    ["url", "https://example.org/a?b#c", "https://example.org/a?b#c"], ["url", "example.org/a", "https://example.org/a"], ["url", "example.org:8080", "https://example.org:8080/"],
    ["email", "ada@example.org", "mailto:ada@example.org"], ["phone", "+44 20 7946 0000", "tel:+442079460000"], ["url", "javascript:alert(1)", undefined],
    ["url", "JaVaScRiPt:alert(1)", undefined], ["url", "data:text/html,x", undefined], ["url", "vbscript:x", undefined], ["url", "blob:https://example.org/x", undefined],
    ["url", "java\tscript:alert(1)", undefined], ["url", "", undefined],
  ]) assert.equal(address(kind, words), to, words);
});

test("words of a message are looked up, and never what an object has by itself", () => {
  assert.equal(wordsOf({ path: "options[1].text" }, { body: { options: [{ text: "a" }, { text: "b" }] } }), "b");
  assert.equal(wordsOf({ path: "text", pieces: [[0, 2], [3, 5]] }, { body: { text: "ab*cd" } }), "abcd");
  for (const path of ["constructor.name", "__proto__.toString", "text.length"]) assert.equal(wordsOf({ path }, { body: { text: "x" } }), undefined);
  assert.equal(wordsOf({ path: "x", literal: "Read more" }, {}), "Read more");
});

test("names have colours and letters, and moments a time of day", () => {
  assert.deepEqual(["Ada Lovelace", "noor_haddad", "李伟", "", "🎉"].map(initials), ["AL", "NH", "李", "", ""]);
  assert.ok(["a", "b", "ada", "李伟"].every((name) => hue(name) >= 0 && hue(name) < 8 && hue(name) === hue(name)));
  assert.equal(clock(1_700_000_000_000, { zone: { offset: 3600 } }), "23:13");
  assert.equal(clock(1_700_000_000_000, { zone: { offset: 0, changes: [[1_600_000_000, -3600]] }, clock: "12" }), "09:13 PM");
});

/** A window whose gateway is this test. @param {any} [options] */
function opened(options) {
  const said = [];
  let [member, number] = [undefined, 0];
  const stream = {
    join: (one) => (one.renumber(stream.number()), one.query(), (member = one)), number: () => (number += 1), say: async (word) => void said.push(word), leave() {},
    reopen: (one) => (one.renumber(stream.number()), said.push(one.word())),
  };
  const own = new Window({ stream: () => stream }, "c1", { target: { width: 400, scale: 1 }, ...options });
  const whole = (window, stamp, old) => member.hear({ window: { window, part: "whole", rows: [row(1, 50), row(2, 60)], ...frame([], stamp), prefetch: {}, ...(old && { old }) } });
  return { own, said, whole, hear: (word) => member.hear(word) };
}

test("a width is answered while another window is on its way, and both come to an end", async () => {
  const { own, said, whole } = opened();
  whole(1, 1);
  const widened = own.resize({ width: 300, scale: 1 });
  const jumped = own.jump({ y: 7 });
  await null;
  assert.deepEqual(said.map((word) => Object.keys(word)[0]), ["resize", "open"]);
  whole(1, 2);
  await widened;
  assert.equal(own.number, 1);
  whole(2, 3);
  await jumped;
  assert.equal(own.number, 2);
});

test("rows of an edition that is served no more are opened afresh around what is seen", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  own.seen = () => ({ message: "m2" });
  hear({ changes: { window: 1, since: [1, 1, 0], changes: [], ...frame([], 2), old: true } });
  for (let turn = 0; turn < 100 && !said.length; turn++) await new Promise((done) => setTimeout(done, 10));
  assert.deepEqual([said[0].open.around, said[0].open.window, own.mirror.isOld], [{ message: "m2" }, 2, true]);
  whole(2, 1);
  assert.deepEqual([own.number, own.mirror.isOld, own.state], [2, false, "live"]);
});

test("a window around a message that is gone opens at its end, and afterwards around what is seen again", () => {
  const { own, said, whole, hear } = opened({ around: { message: "gone" } });
  hear({ refused: { window: 1, because: "unknownMessage" } });
  hear({ refused: { window: 2, because: "busy" } });
  assert.deepEqual(said.map(({ open }) => [open.window, open.around]), [[2, "newest"], [3, "newest"]]);
  whole(3, 1);
  own.seen = () => ({ message: "m2" });
  // What is asked of a window that is there is no reason to open it elsewhere.
  hear({ refused: { window: 3, because: "unknownMessage" } });
  assert.deepEqual([own.state, said.length], ["live", 2]);
  hear({ refused: { window: 3, because: "resync" } });
  assert.deepEqual(said[2].open.around, { message: "m2" });
});

test("a stream around a message that is gone is asked for at the end, once", async () => {
  const asked = [];
  const ask = async (/** @type {string} */ path) => {
    asked.push(new URL(path, "http://gateway").searchParams.get("around"));
    if (asked.length === 1) throw new Refusal(404, "there is no such message, row or y in this conversation", "unknownMessage");
    throw new Refusal(403, "not yours");
  };
  const stream = new Stream({ ask });
  const own = new Window({ stream: () => stream }, "c1", { target: { width: 400, scale: 1 }, around: { message: "gone" } });
  await new Promise((done) => own.addEventListener("state", ({ detail }) => detail.state === "refused" && done(0)));
  assert.deepEqual(asked, ["message:gone", "newest"]);
});

test("a leap to a message that is gone fails, and the next one goes where it should", async () => {
  const { own, whole, hear } = opened();
  whole(1, 1);
  const leap = own.jump({ message: "gone" });
  hear({ refused: { window: 2, because: "unknownMessage" } });
  await assert.rejects(leap, (error) => error instanceof Refusal && error.because === "unknownMessage");
  const next = own.jump({ message: "m2" });
  whole(3, 2);
  await next;
  assert.deepEqual([own.number, own.state], [3, "live"]);
});

test("of a collection only the faces that are asked are loaded, and its file is fetched once", async () => {
  const asked = [];
  /** @param {number} index @param {any} more */
  const face = (index, more) => ({ family: `F${index}`, weight: 400, italic: false, index, hash: "c0", characters: "U+4E00-9FFF", ...more });
  const fonts = [face(2, {}), face(0, { instead: "F2", languages: ["ja"] }), face(1, { instead: "F2", languages: ["ko"] })];
  const own = new Fonts({ ask: async (path) => (asked.push(path), { json: async () => ({ fonts, settings: { css: {} } }), arrayBuffer: async () => new ArrayBuffer(16) }) });
  Object.assign(globalThis, { document: { fonts: { add() {} } }, FontFace: class { load = async () => this; } });
  await own.list();
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(own.named(["c0"]), ["c0#2"]);
  assert.deepEqual(own.named(["c0"], "ja"), ["c0#2", "c0#0"]);
  assert.equal(own.named(["d1"]), undefined);
  asked.length = 0;
  await own.load(["c0#0", "c0#1"]);
  assert.deepEqual(asked, ["/v1/fonts/c0"]);
});

test("what is kept waits for a slow disk once, and not as often as it was said", async () => {
  const [stored, asked] = [[], []];
  /** @param {any} result */
  const request = (result) => {
    const own = { result };
    asked.push(own);
    return own;
  };
  const store = { put: (seen) => void stored.push(seen.y), count: () => request(1) };
  Object.assign(globalThis, { BroadcastChannel: class {}, IDBKeyRange: { bound() {} }, indexedDB: { open: () => request({ transaction: () => ({ objectStore: () => store }) }) } });
  const kept = new Kept("test");
  const puts = [1, 2, 3, 4, 5].map((y) => kept.put("c1", { y, rows: [] }));
  const other = kept.put("c2", { y: 9, rows: [] });
  for (let turn = 0; turn < 20; turn++) {
    for (const own of asked.splice(0)) own.onsuccess?.();
    await new Promise((done) => setTimeout(done));
  }
  await Promise.all([...puts, other]);
  assert.deepEqual(stored.sort(), [1, 5, 9]);
});

test("a window that lets go of rows is asked for a page once, however often it is drawn meanwhile", async () => {
  const { own, said, hear } = opened();
  const rows = Array.from({ length: 1300 }, (_, number) => row(number, 10));
  hear({ window: { window: 1, part: "whole", rows, ...frame(rows, 1), prefetch: {} } });
  for (let turn = 0; turn < 50; turn++) own.page("older");
  await new Promise((done) => setTimeout(done, 50));
  hear({ adjusted: { window: 1, adjusted: false } });
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual(said.map((word) => Object.keys(word)[0]), ["adjust", "page"]);
});

test("a window that messages come to lets go of rows that are far from the screen", async () => {
  const { own, said, hear } = opened();
  const rows = Array.from({ length: 1200 }, (_, number) => row(number, 10));
  hear({ window: { window: 1, part: "whole", rows, ...frame(rows, 1), prefetch: {} } });
  own.shown = () => ({ y: own.mirror.top + 9000, end: own.mirror.top + 9800, isAtEnd: false });
  const come = (/** @type {number} */ number) => hear({ changes: { window: 1, since: [1, 1, number - 1200], ...frame([...own.rows, row(number, 10)], 1), cursor: [1, 1, number - 1199], changes: [{ insert: own.rows.length, rows: [row(number, 10)] }] } });
  come(1200);
  come(1201);
  await null;
  assert.deepEqual(said, [{ adjust: { window: 1, most: 600, focus: 900 / 1200 } }]);
});

/** Calls what is given while pauses take no time. @param {() => Promise<void>} act */
async function hurried(act) {
  const before = globalThis.setTimeout;
  globalThis.setTimeout = /** @type {any} */ ((next) => before(next, 0));
  await act().finally(() => (globalThis.setTimeout = before));
}

test("the list of fonts is waited for while a proxy answers for its gateway, and who was refused may ask again", () => hurried(async () => {
  const answers = [new Refusal(502, "Bad gateway"), new TypeError("fetch failed"), new Refusal(401, "who are you?"), new Refusal(503, "Busy"), { fonts: [], settings: { css: { "--own": "1" } } }];
  const own = new Fonts({ ask: async () => (answers[0] instanceof Error ? Promise.reject(answers.shift()) : { json: async () => answers.shift() }) });
  await assert.rejects(own.list(), { status: 401 });
  assert.equal(answers.length, 2);
  await own.list();
  assert.deepEqual([answers.length, own.css], [0, { "--own": "1" }], "a list without fonts is a list, too");
}));

test("a message is posted again while a proxy answers for its gateway, and not where it is refused", () => hurried(async () => {
  const statuses = [502, 504, 200, 413];
  globalThis.fetch = /** @type {any} */ (async () => Response.json({ answers: [{ answer: "accepted" }] }, { status: statuses.shift() }));
  const own = new Forme("http://gateway");
  assert.deepEqual(await own.post("c1", [{}]), [{ answer: "accepted" }]);
  await assert.rejects(own.post("c1", [{}]), { status: 413 });
  assert.equal(statuses.length, 0);
}));

test("what waits for its turn is asked about the window that is there by then", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  const [first, second] = [1, 2].map((number) => own.ranges(row(number, 50), [{ node: 0 }]));
  const leap = own.jump({ y: 7 });
  whole(2, 2);
  await assert.rejects(first, /superseded/);
  await leap;
  await new Promise((done) => setTimeout(done, 50));
  assert.deepEqual(said.at(-1).ranges, { window: 2, row: 2, expanded: false, texts: [{ node: 0 }] });
  hear({ ranges: { window: 2, texts: [] } });
  assert.equal((await second).kind, "ranges");
});

test("a question that fails late takes no other with it", async () => {
  /** @type {((why: Error) => void)[]} */
  const failing = [];
  const asked = new Questions(() => new Promise((_, failed) => void failing.push(failed)));
  const first = asked.ask("place", () => 1);
  asked.fail(new Error("offline"));
  await assert.rejects(first, /offline/);
  const second = asked.ask("place", () => 2);
  failing[0](new Error("nobody hears it"));
  await null;
  asked.answer("place", { rank: 7 });
  assert.equal((await second).rank, 7);
});

test("a width that is wanted while a window is on its way is asked for when that has come", async () => {
  const { own, said, whole } = opened();
  own.resize({ width: 300, scale: 1 });
  assert.deepEqual(said, [], "nobody would hear it");
  whole(1, 1);
  await null;
  assert.deepEqual([said.length, said[0].resize.target.width, said[0].resize.window], [1, 300, 1]);
  const leap = own.jump({ y: 7 });
  whole(1, 2);
  await new Promise((done) => setTimeout(done));
  const wide = own.resize({ width: 500, scale: 1 });
  whole(1, 3);
  await wide;
  said.length = 0;
  whole(2, 4);
  await leap;
  await null;
  // The window that was on its way has the width of when it was asked for.
  assert.deepEqual(said.map((word) => [Object.keys(word)[0], word.resize?.target.width, word.resize?.window]), [["close", undefined, undefined], ["resize", 500, 2]]);
});

test("a width that is asked for behind a leap holds what the leap shows, and not what was seen before", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  own.jump({ message: "m2" });
  own.resize({ width: 500, scale: 1 }, { row: 1, edge: "top", offset: 0 });
  hear({ window: { window: 2, part: "whole", rows: [row(2, 60)], ...frame([], 3), prefetch: {}, firstVisible: { row: 2, y: -500 } } });
  await new Promise((done) => setTimeout(done, 150));
  assert.deepEqual([said.at(-1).resize.window, said.at(-1).resize.anchor], [2, { row: 2, edge: "top", offset: 0 }]);
});

test("a width that is not answered is asked for again, unless nothing can be laid out for it", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  own.resize({ width: 300, scale: 1 });
  hear({ refused: { window: 1, because: "busy" } });
  await new Promise((done) => setTimeout(done, 150));
  assert.deepEqual(said.map(({ resize }) => resize.target.width), [300, 300]);
  hear({ refused: { window: 1, because: "unprepared" } });
  await new Promise((done) => setTimeout(done, 150));
  assert.deepEqual([said.length, own.state], [2, "live"]);
});

test("rows are kept under the width that they have, also where another one that was wanted cannot be laid out", async () => {
  const { own, said, hear } = opened();
  const kept = [];
  own.forme.kept = { put: (name, seen) => void kept.push(seen.target) };
  own.shown = () => ({ y: -500, end: -400, isAtEnd: false });
  const whole = (/** @type {number} */ stamp) => hear({ window: { window: 1, part: "whole", rows: [{ ...row(1, 50), bytes: new Uint8Array(1) }], ...frame([], stamp), prefetch: {} } });
  const keep = () => {
    own.keep(0);
    return new Promise((done) => setTimeout(done, 5));
  };
  whole(1);
  own.resize({ width: 300, scale: 2 });
  await keep();
  hear({ refused: { window: 1, because: "unprepared" } });
  await keep();
  assert.equal(said.length, 1);
  own.resize({ width: 320, scale: 2 });
  whole(2);
  await keep();
  assert.deepEqual(kept, ["400@1", "400@1", "320@2"]);
  assert.equal(own.drawn, own.target);
});

test("where nothing can be laid out for a width, windows that are opened have that of the rows, and it is asked for once in each", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  own.resize({ width: 300, scale: 1 });
  hear({ refused: { window: 1, because: "unprepared" } });
  await new Promise((done) => setTimeout(done));
  const leap = own.jump({ message: "m2" });
  whole(2, 2);
  await leap;
  hear({ refused: { window: 2, because: "unprepared" } });
  await new Promise((done) => setTimeout(done));
  hear({ refused: { window: 2, because: "resync" } });
  whole(3, 3);
  await new Promise((done) => setTimeout(done));
  assert.deepEqual(said.flatMap(({ open, resize }) => (open ?? resize)?.target.width ?? []), [300, 400, 300, 400, 300]);
  assert.deepEqual([own.state, own.drawn.width, own.target.width], ["live", 400, 300]);
});

test("nothing is asked of a window that is on its way, so it is opened once", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  const asked = [1, 2].map((number) => own.ranges(row(number, 50), [{ node: 0 }]));
  hear({ refused: { window: 1, because: "resync" } });
  const told = await Promise.race([Promise.allSettled([...asked, own.hold([]), own.read(row(2, 60))]), new Promise((done) => setTimeout(() => done([]), 1000))]);
  assert.deepEqual(told.map(({ reason }) => reason?.message), Array(4).fill("resync"));
  assert.deepEqual(said.map((word) => Object.keys(word)[0]), ["ranges", "open"]);
  whole(2, 1);
  own.ranges(row(1, 50), [{ node: 0 }]);
  assert.equal(said.at(-1).ranges.window, 2);
});

test("a window that is closed asks for nothing any more", async () => {
  const { own, said, whole, hear } = opened();
  whole(1, 1);
  hear({ changes: { window: 1, since: [1, 1, 0], changes: [], ...frame([], 2), old: true } });
  own.close();
  await new Promise((done) => setTimeout(done, 250));
  assert.deepEqual([said, own.state], [[], "closed"]);
});

test("what waits for its turn fails where the window is closed meanwhile", async () => {
  const { own, whole } = opened();
  whole(1, 1);
  const asked = [1, 2, 3].map((number) => own.ranges(row(number, 50), [{ node: 0 }]));
  own.close();
  for (const one of asked) await assert.rejects(Promise.race([one, new Promise((done) => setTimeout(done, 1000))]), /closed/);
});

test("texts grow and shrink from any size that an address names", () => {
  assert.deepEqual([[100, 1], [100, -1], [110, 1], [110, -1], [200, 1], [85, -1], [300, 1], [300, -1], [25, 1], [25, -1]].map(([size, step]) => nextSize(size, step)),
    [115, 85, 115, 100, 200, 85, 300, 200, 85, 25]);
});

test("the list of conversations is asked for again where its line gives no sign of life", async () => {
  /** @type {AbortSignal[]} */
  const asked = [];
  const ask = async (/** @type {string} */ _, /** @type {any} */ { signal }) => {
    asked.push(signal);
    if (asked.length > 1) return new Promise(() => {});
    return new Response(new ReadableStream({ start: (line) => signal?.addEventListener("abort", () => line.error(signal.reason)) }));
  };
  await hurried(async () => {
    new List(/** @type {any} */ (new EventTarget()), /** @type {any} */ ({ ask }), /** @type {any} */ ({}), "ada");
    for (let turn = 0; turn < 100 && asked.length < 2; turn++) await new Promise((done) => setTimeout(done));
  });
  assert.deepEqual([asked.length, asked[0]?.aborted], [2, true]);
});

test("who may not read any more sees no list, and leaves none", async () => {
  const element = () => Object.assign(new EventTarget(), {
    /** @type {any[]} */
    children: [],
    classList: { add() {}, remove() {} },
    setAttribute() {},
    append(/** @type {any[]} */ ...parts) {
      this.children.push(...parts);
    },
    insertBefore(/** @type {any} */ part) {
      this.children.push(part);
    },
    replaceChildren() {
      this.children.length = 0;
    },
  });
  Object.assign(globalThis, { document: { createElement: element } });
  const fonts = { needs: () => [], has: () => true, list: async () => {}, load: async () => {} };
  let [asked, forgotten] = [0, 0];
  const kept = { get: async () => ({ conversations: [{ conversation: "c1" }] }), put() {} };
  const ask = () => (asked++ ? new Promise(() => {}) : Promise.reject(new Refusal(401, "who are you?")));
  const nav = element();
  /** @type {number[]} */
  const counts = [];
  await hurried(async () => {
    const own = new List(/** @type {any} */ (nav), /** @type {any} */ ({ kept, ask, forget: () => (forgotten += 1) }), /** @type {any} */ (fonts), "ada");
    own.addEventListener("change", () => counts.push(nav.children.length));
    for (let turn = 0; turn < 100 && asked < 2; turn++) await new Promise((done) => setTimeout(done));
  });
  assert.deepEqual([counts, nav.children.length, forgotten], [[1], 0, 1]);
});

test("a message is copied whole, quoted in whole letters, and heard when it is said", () => {
  const said = (/** @type {any} */ body) => ({ said: { body } });
  const long = said({ kind: "text", text: `a${"😄".repeat(200)}` });
  assert.equal(wordsIn(long), long.said.body.text);
  assert.equal(firstWords(long), `a${"😄".repeat(119)}`);
  assert.deepEqual([wordsIn(said({ kind: "photo" })), firstWords(said({ kind: "photo" }))], ["", "photo"]);
  const rows = [said({ kind: "text", text: "one" }), said({ kind: "typing" })];
  assert.equal(lastSaid(rows), rows[0]);
});

test("what is being written is lost neither to an edit, nor to another conversation, nor to words that come back", () => {
  const part = (/** @type {any} */ more) => Object.assign(new EventTarget(), { classList: { toggle() {} }, focus() {}, hidden: true, value: "", ...more });
  const words = part();
  const about = part({ firstElementChild: {}, querySelector: () => part() });
  const own = new Composer(part({ querySelector: (/** @type {string} */ name) => (name === "#words" ? words : about) }));
  const said = { said: { body: { text: "as it was" } } };
  own.turn("c1");
  words.value = "half a thought";
  own.edit(said);
  assert.equal(words.value, "as it was");
  own.turn("c2");
  words.value = "elsewhere";
  own.restore("c1", "not sent");
  own.restore("c2", "nor this");
  assert.equal(words.value, "nor this\nelsewhere");
  own.turn("c1");
  assert.equal(words.value, "not sent\nhalf a thought");
  own.edit(said);
  words.value = "as it is";
  /** @type {string[]} */
  const sent = [];
  own.addEventListener("send", ({ detail }) => void sent.push(detail.text));
  own.send();
  assert.deepEqual([sent, words.value], [["as it is"], "not sent\nhalf a thought"]);
});

/** A stream whose gateway is this test: its lines, and what was asked and said. */
function streamed() {
  /** @type {{name: string, lines: any[], marks: any[], said: any[], isOver: boolean}} */
  const gateway = { name: "s1", lines: [], marks: [], said: [], isOver: false };
  const ask = async (/** @type {string} */ path, /** @type {any} */ { headers }) => {
    if (gateway.isOver) throw new Refusal(403, "not yours");
    gateway.marks.push(headers["Last-Event-ID"]);
    return { headers: new Headers({ "Forme-Stream": gateway.name }), body: new ReadableStream({ start: (line) => void gateway.lines.push(line) }) };
  };
  const stream = new Stream({ ask, say: async (path, word) => void gateway.said.push(word) });
  const open = () => new Window({ stream: () => stream }, "c1", { target: { width: 400, scale: 1 } });
  /** Breaks the line, and waits for the next. @param {string} [name] of the stream on it */
  const breakOff = async (name = gateway.name) => {
    const count = gateway.lines.length;
    gateway.name = name;
    gateway.lines[count - 1].close();
    await until(() => gateway.lines.length > count);
  };
  const tell = (/** @type {Buffer} */ block) => gateway.lines.at(-1).enqueue(block);
  /** Nothing is left that waits. */
  const end = () => {
    gateway.isOver = true;
    gateway.lines.at(-1).close();
  };
  return { gateway, open, tell, breakOff, end };
}

/** @param {number} size @param {number} [value] */
const integer = (size, value = 0) => Buffer.from(value.toString(16).padStart(2 * size, "0"), "hex");

/** A word of a gateway behind its length. @param {Buffer[]} word */
function block(...word) {
  const bytes = Buffer.concat([Buffer.from("FRME"), integer(1, 5), integer(1, 5), integer(10), ...word]);
  return Buffer.concat([integer(4, bytes.length), bytes]);
}

/** A window without rows. @param {number} window @param {number} stamp */
const emptyWindow = (window, stamp) => block(integer(1, 1), integer(4, window), integer(1, 1), integer(1, 2), integer(8, 1), integer(8, stamp), integer(57));

/** @param {number} window */
const resync = (window) => block(integer(1, 8), integer(4, window), integer(1, 5));

/** @param {() => boolean} isSo */
async function until(isSo) {
  for (let turn = 0; turn < 300 && !isSo(); turn++) await new Promise((done) => setTimeout(done, 10));
  assert.ok(isSo());
}

test("a window that is opened while its line is broken is opened on the line that is taken up", async () => {
  const { gateway, open, tell, breakOff, end } = streamed();
  const first = open();
  await until(() => gateway.lines.length === 1);
  tell(emptyWindow(1, 7));
  await until(() => first.state === "live");
  gateway.lines[0].close();
  await until(() => first.state === "offline");
  const second = open();
  await until(() => gateway.said.some((word) => word.open?.window === 2));
  tell(emptyWindow(2, 9));
  await until(() => second.state === "live");
  await breakOff();
  assert.deepEqual(gateway.marks, [undefined, "s1.1.7.0", "s1.1.7.0;2.1.9.0"]);
  end();
});

test("a window that is opened afresh names no moment before its rows have come", async () => {
  const { gateway, open, tell, breakOff, end } = streamed();
  const own = open();
  await until(() => gateway.lines.length === 1);
  tell(emptyWindow(1, 7));
  await until(() => own.state === "live");
  tell(resync(1));
  await until(() => gateway.said.some((word) => word.open?.window === 2));
  await breakOff();
  tell(emptyWindow(2, 7));
  await until(() => own.state === "live");
  await breakOff("s2");
  await breakOff();
  tell(emptyWindow(2, 7));
  await until(() => own.state === "live");
  await breakOff();
  assert.deepEqual(gateway.marks, [undefined, undefined, "s1;2.1.7.0", undefined, "s2;2.1.7.0"]);
  end();
});

test("a line that breaks at once each time is taken up at longer and longer intervals", async () => {
  const { gateway, open, tell } = streamed();
  open();
  const start = performance.now();
  for (let told = 0; performance.now() - start < 450; ) {
    // Bytes that are no frame.
    if (told < gateway.lines.length) told++, tell(Buffer.from("00000001ff", "hex"));
    await new Promise((done) => setTimeout(done, 5));
  }
  assert.ok(gateway.lines.length > 1 && gateway.lines.length < 5, `${gateway.lines.length} lines`);
  gateway.isOver = true;
});

test("orders of 64 bits are said with all their digits", async () => {
  const { own, said, hear } = opened({ reader: { own: "ada" } });
  /** @type {string[]} */
  const posted = [];
  globalThis.fetch = /** @type {any} */ (async (/** @type {string} */ _, /** @type {RequestInit} */ { body }) => (posted.push(`${body}`), Response.json({ answers: [{ answer: "accepted" }] })));
  own.forme = Object.assign(new Forme("http://gateway"), own.forme);
  const last = { ...row(3, 50), order: 1234567890123456789n };
  hear({ window: { window: 1, part: "whole", rows: [last], ...frame([last], 1), prefetch: {} } });
  await own.read(last);
  assert.deepEqual(posted, ['{"events":[{"conversation":"c1","read":{"reader":"ada","order":1234567890123456789}}]}']);
  await own.forme.say("/streams/s1", said[0]);
  assert.equal(posted[1], '{"read":{"window":1,"from":1234567890123456790}}');
  const words = { text: 'as "42\uffff', other: "7\uffff" };
  await own.forme.say("/streams/s1", words);
  assert.equal(posted[2], JSON.stringify(words));
});
