// Pictures of nowhere: each message has its own, drawn from its name, as none is stored here.

const space = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string | number>} values @param {Element[]} [inside] */
function shape(name, values, inside = []) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(values)) element.setAttribute(key, `${value}`);
  element.append(...inside);
  return element;
}

/** Numbers from 0 to 1 that a text decides.
 * @param {string} text */
function dice(text) {
  let state = 2_166_136_261;
  for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 16_777_619);
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

const skies = [
  ["#f6c89f", "#f3906f", "#b5596d"], ["#cfe8f7", "#8fc1e3", "#4d82b8"], ["#fde7b0", "#f3b562", "#d9776b"], ["#26335f", "#5b4b8a", "#c96f8c"],
  ["#dff3e4", "#a6d8c0", "#5a9e97"], ["#f9d5e5", "#d7a3d0", "#7d6bb0"], ["#e8f1f5", "#b6d3df", "#7fa8bb"], ["#1b2a49", "#3a5683", "#8fb0cf"],
];
const grounds = [["#5c6e58", "#3f5347", "#2b3c37"], ["#8a6f5c", "#6a5147", "#463538"], ["#4a6480", "#34495f", "#223345"], ["#6f7f5f", "#4f6350", "#34483f"]];
let count = 0;

/** A ridge of hills, from the left to the right.
 * @param {() => number} random @param {number} height @param {number} rough */
function ridge(random, height, rough) {
  const points = Array.from({ length: 9 }, (_, place) => `${place * 12.5} ${(height - rough * (random() - 0.35)).toFixed(1)}`);
  return `M0 100L${points.join("L")}L100 100z`;
}

/** A landscape.
 * @param {string} seed */
export function landscape(seed) {
  const random = dice(seed);
  const sky = skies[Math.floor(random() * skies.length)];
  const ground = grounds[Math.floor(random() * grounds.length)];
  const id = `sky${(count += 1)}`;
  const sun = { cx: 15 + 70 * random(), cy: 18 + 26 * random(), r: 5 + 6 * random(), fill: "#fff", opacity: 0.82 };
  return shape("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" }, [
    shape("defs", {}, [shape("linearGradient", { id, x1: 0, y1: 1, x2: 0, y2: 0 }, sky.map((colour, place) => shape("stop", { "stop-color": colour, offset: place / 2 })))]),
    shape("rect", { width: 100, height: 100, fill: `url(#${id})` }),
    shape("circle", sun),
    shape("path", { d: ridge(random, 62, 26), fill: ground[0], opacity: 0.75 }),
    shape("path", { d: ridge(random, 74, 22), fill: ground[1], opacity: 0.9 }),
    shape("path", { d: ridge(random, 88, 16), fill: ground[2] }),
  ]);
}

/** Streets of no town.
 * @param {string} seed */
export function map(seed) {
  const random = dice(seed);
  const road = (/** @type {string} */ d, /** @type {number} */ wide) => shape("path", { d, class: "road", "stroke-width": wide });
  const bend = 8 * random();
  return shape("svg", { viewBox: "0 0 100 60", preserveAspectRatio: "xMidYMid slice", class: "map", "aria-hidden": "true" }, [
    shape("rect", { width: 100, height: 60, class: "land" }),
    shape("path", { d: `M0 ${44 + bend}C30 ${36 + bend} 50 ${60 + bend} 100 ${49 + bend}V60H0z`, class: "water" }),
    road(`M-5 ${16 + bend}L105 ${29 + bend}`, 3.4), road(`M${26 + bend} -5L${38 + bend} 65`, 2.4), road(`M${76 - bend} -5L${64 - bend} 65`, 2.4), road("M-5 2L105 13", 1.5),
    road("M50 -5L57 65", 1.2),
  ]);
}
