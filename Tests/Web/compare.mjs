// Asks a gateway for windows in both forms, and holds what forme.js decodes of frames to what JSON says.
//
// usage: node compare.mjs URL CONVERSATION TARGET[,TARGET…]
import assert from "node:assert/strict";
import { decodeFrame } from "../../Sources/Web/forme/frames.js";

const [url, conversation, ...targets] = process.argv.slice(2);
const frames = "application/vnd.forme; rows=2";
const json = "application/json; rows=2";

/** @param {string} path @param {string} accept */
async function ask(path, accept) {
  for (let turn = 0; ; turn++) {
    const answer = await fetch(`${url}/v1/conversations/${conversation}/${path}`, { headers: { Accept: accept } });
    if (answer.status !== 503 || turn > 50) return answer;
    await new Promise((done) => setTimeout(done, 100));
  }
}

let [rows, named] = [0, 0];
for (const target of targets) {
  for (const reader of ["ada", "bo", "nobody"]) {
    const query = `window?target=${target}&count=256&with=body,fonts&as=${reader}`;
    const [told, framed] = await Promise.all([ask(query, json), ask(query, frames)]);
    assert.equal(told.status, 200, await told.clone().text());
    const expected = (await told.json()).window;
    const { word } = decodeFrame(new Uint8Array(await framed.arrayBuffer()));
    assert.equal(word.window.rows.length, expected.rows.length);
    word.window.rows.forEach((row, i) => {
      const decoded = JSON.parse(JSON.stringify({ ...row, layout: row.layout, ...(row.expanded && { expanded: row.expanded }) }));
      const { mark, ...other } = expected.rows[i];
      // In JSON places of a list, here the files themselves.
      if (other.fonts) other.fonts = other.fonts.map((place) => expected.fonts[place]);
      delete decoded.decoration.height;
      same(rounded(decoded), rounded(other), `${target} ${reader} ${other.message}`);
      rows += 1;
      named += row.fonts?.length ?? 0;
    });
    const { rows: _, ...frame } = word.window;
    const { rows: __, fonts: ___, ...toldFrame } = expected;
    assert.deepEqual(frame, toldFrame);
  }
}
assert.ok(named > 0, "no row names the files of its fonts");
console.log(`${rows} rows are the same`);

/** JSON writes sizes of fonts to two places. @param {any} value @returns {any} */
function rounded(value) {
  return JSON.parse(JSON.stringify(value, (key, own) => (key === "font_size" ? Math.round(own * 100) / 100 : own)));
}

/** Fails at the first member that differs, by its path. @param {any} own @param {any} other @param {string} path */
function same(own, other, path) {
  if (typeof own !== "object" || own === null || typeof other !== "object" || other === null) return assert.deepEqual(own, other, path);
  for (const key of new Set([...Object.keys(own), ...Object.keys(other)])) same(own[key], other[key], `${path}.${key}`);
}
