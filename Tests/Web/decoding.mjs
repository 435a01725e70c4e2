// What it takes to read a page of 50 rows with their messages: as JSON, and as frames, every row decoded. In microseconds of a processor, medians of 31.
//
// usage: node decoding.mjs URL CONVERSATION
import { decodeFrame } from "../../Sources/Web/forme/frames.js";

const [url, conversation] = process.argv.slice(2);
const page = `${url}/v1/conversations/${conversation}/window?target=390@3&count=50&with=body&as=ada`;
const ask = (accept) => fetch(page, { headers: { Accept: `${accept}; rows=2` } });
const json = await (await ask("application/json")).text();
const frame = new Uint8Array(await (await ask("application/vnd.forme")).arrayBuffer());

/** @param {() => unknown} read */
function used(read) {
  for (let warm = 0; warm < 300; warm++) read();
  const times = Array.from({ length: 31 }, () => {
    const start = process.cpuUsage();
    for (let turn = 0; turn < 50; turn++) read();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 50;
  });
  return Math.round(times.sort((a, b) => a - b)[15]);
}

const rows = () => decodeFrame(frame).word.window.rows.forEach((row) => row.decoded);
console.log(JSON.stringify({ json_bytes: json.length, json_us: used(() => JSON.parse(json)), frame_bytes: frame.length, frame_us: used(rows) }));
