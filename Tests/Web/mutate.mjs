// Rows of a gateway, changed in every way that a network or an attacker changes bytes: each decodes or is refused, and none takes long.
//
// usage: node mutate.mjs URL CONVERSATION COUNT [SEED]
import assert from "node:assert/strict";
import { decodeFrame } from "../../Sources/Web/forme/frames.js";
import { DecodingError } from "../../Sources/Web/forme/numbers.js";
import { decodeRow } from "../../Sources/Web/forme/row.js";

const [url, conversation, count, seed = "1"] = process.argv.slice(2);
let state = Number(seed) >>> 0 || 1;

/** Below a bound: the same in every run of one seed. @param {number} bound */
function random(bound) {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % bound;
}

const ways = [
  (bytes) => bytes.subarray(0, random(bytes.length)),
  (bytes) => { bytes[random(bytes.length)] ^= 1 << random(8); return bytes; },
  (bytes) => { for (let i = 0; i < 4; i++) bytes[random(bytes.length)] = random(256); return bytes; },
  (bytes) => { bytes.copyWithin(random(bytes.length), random(bytes.length)); return bytes; },
  (bytes) => { bytes.fill([0, 0x7f, 0x80, 0xff][random(4)], random(bytes.length)); return bytes; },
];

/** Whether it decodes. Anything but a DecodingError is a defect. @param {(bytes: Uint8Array) => unknown} decode @param {Uint8Array} bytes */
function survives(decode, bytes) {
  // Processor time: a busy machine may take its time.
  const started = process.cpuUsage();
  try {
    decode(bytes);
    return true;
  } catch (error) {
    if (!(error instanceof DecodingError)) throw new Error(`${Buffer.from(bytes).toString("hex").slice(0, 2000)}: ${error}`);
    return false;
  } finally {
    const used = process.cpuUsage(started);
    assert.ok(used.user + used.system < 2_000_000, `${bytes.length} bytes took too long`);
  }
}

const answer = await fetch(`${url}/v1/conversations/${conversation}/window?target=375@2&count=256&with=body,fonts&as=ada`, {
  headers: { Accept: "application/vnd.forme; rows=2" },
});
const frame = new Uint8Array(await answer.arrayBuffer());
const rows = decodeFrame(frame).word.window.rows.map((row) => row.bytes);
assert.ok(rows.length > 100);
let decoded = 0;
for (let i = 0; i < Number(count); i++) {
  const changed = ways[random(ways.length)](Uint8Array.from(i % 50 ? rows[random(rows.length)] : frame.subarray(0, 4000)));
  if (survives(i % 50 ? decodeRow : decodeFrame, changed)) decoded += 1;
}
assert.ok(decoded > 0 && decoded < Number(count), "changes that nothing or everything survives change nothing");
console.log(`${count} changed rows and frames: ${decoded} decode, the others are refused`);
