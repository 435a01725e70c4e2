"use strict";
// How numbers are written, from the page Formats alone. deploy/drawn holds it to formats.json in a browser.

function written(format, value) {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  const two = (number) => String(number).padStart(2, "0");
  switch (format) {
    case "percent": return `${value}%`;
    case "time": {
      const [hours, minutes, seconds] = [Math.floor(value / 3600), Math.floor(value / 60) % 60, value % 60];
      return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
    }
    case "bytes": return shortened(value, [" B", " KB", " MB", " GB", " TB"]);
    case "count": return shortened(value, ["", "K", "M", "B"]);
    default: return String(value);
  }
}

function shortened(value, units) {
  let [whole, tenths, unit] = [Math.max(0, value), 0, 0];
  while (whole >= 1000 && unit + 1 < units.length) {
    tenths = Math.floor((whole % 1000) / 100);
    whole = Math.floor(whole / 1000);
    unit += 1;
  }
  const decimal = unit && whole < 10 && tenths ? `.${tenths}` : "";
  return `${whole}${decimal}${units[unit]}`;
}

/** Examples that come out otherwise. */
function wrongFormats(examples) {
  return examples
    .map((example) => ({ ...example, came: written(example.format, example.value) }))
    .filter((example) => example.came !== example.text);
}
