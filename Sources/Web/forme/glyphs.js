// Small drawings in a square of 24 by 24, and pictures that are not here yet.

/** Lines; solid where they begin with a star.
 * @type {Record<string, string>} */
const paths = {
  play: "*M8.5 5.5v13l11-6.5z",
  download: "M12 5v11m-5-4.5l5 5 5-5",
  cross: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  check: "M5.5 12.5l4.5 4.5 8.5-10",
  sent: "M5 12.5l4 4 8-9",
  delivered: "M1.5 12.5l4 4 8-9m-2.5 7.5l1.5 1.5 8-9",
  sending: "M12 4a8 8 0 1 0 .01 0zM12 8v4.5l3 2",
  failed: "M12 6v7.5M12 17.4v.2",
  deletedIcon: "M12 3.5a8.5 8.5 0 1 0 .01 0zM6 6l12 12",
  picture: "M3.5 5.5h17v13h-17zM3.5 16l5-5 4.5 4.5 2.5-2.5 5 4.5M15.8 9.3a1.3 1.3 0 1 0 .01 0z",
  pin: "*M12 2a7.2 7.2 0 0 0-7.2 7.2c0 5 7.2 12.8 7.2 12.8s7.2-7.8 7.2-12.8A7.2 7.2 0 0 0 12 2zm0 4.6a2.6 2.6 0 1 1-.01 0z",
  person: "*M12 4.5a3.8 3.8 0 1 0 .01 0zM4.5 20c.8-5.2 14.2-5.2 15 0z",
  tail: "*M12-3V10C12 17 15 22 19 24H-15z",
};
paths.read = paths.delivered;
paths.pending = paths.sending;

const space = "http://www.w3.org/2000/svg";

/** In the middle of its parent, as large as a part of its shorter side.
 * @param {string} name @param {number} wide @param {number} high @param {number} [part] */
export function glyph(name, wide, high, part = 1) {
  const path = paths[name];
  if (!path) return undefined;
  const svg = document.createElementNS(space, "svg");
  const size = Math.min(wide, high) * part;
  svg.setAttribute("class", `forme-glyph ${path[0] === "*" ? "solid " : ""}${name}`);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.style.cssText = `left:${(wide - size) / 2}px;top:${(high - size) / 2}px;width:${size}px;height:${size}px`;
  const line = document.createElementNS(space, "path");
  line.setAttribute("d", path.replace("*", ""));
  svg.append(line);
  return svg;
}

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";

/** A blurred picture in a few letters, as some waves of colour; undefined for what is none.
 * @param {unknown} text */
export function blurred(text) {
  if (typeof text !== "string" || text.length < 6 || text.length > 166) return undefined;
  const values = [...text].map((letter) => digits.indexOf(letter));
  const [wide, high] = [(values[0] % 9) + 1, ((values[0] / 9) | 0) + 1];
  if (values.includes(-1) || values.length !== 4 + 2 * wide * high) return undefined;
  const mean = values.slice(2, 6).reduce((sum, value) => sum * 83 + value, 0);
  const waves = [[mean >> 16, mean >> 8, mean].map((value) => ((value & 255) / 255) ** 2)];
  for (let place = 6; place < values.length; place += 2) {
    const value = values[place] * 83 + values[place + 1];
    waves.push([(value / 361) | 0, ((value / 19) | 0) % 19, value % 19].map((step) => {
      const part = (step - 9) / 9;
      return (Math.sign(part) * part * part * (values[1] + 1)) / 166;
    }));
  }
  const canvas = document.createElement("canvas");
  const size = (canvas.width = canvas.height = 20);
  const image = new ImageData(size, size);
  for (let place = 0; place < size * size; place++) {
    const [x, y] = [place % size, (place / size) | 0];
    for (let colour = 0; colour < 3; colour++) {
      const sum = waves.reduce((total, wave, number) => total + wave[colour] * Math.cos((Math.PI * (number % wide) * x) / size) * Math.cos((Math.PI * ((number / wide) | 0) * y) / size), 0);
      image.data[4 * place + colour] = 255 * Math.sqrt(Math.min(1, Math.max(0, sum)));
    }
    image.data[4 * place + 3] = 255;
  }
  canvas.getContext("2d")?.putImageData(image, 0, 0);
  return canvas;
}
