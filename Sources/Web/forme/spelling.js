// Screens, places and numbers as a gateway reads them.

/** @param {import("./window.js").Target} target */
export const spelled = ({ width, scale, textScale = 100, mirrored }) => `${+width.toFixed(4)}@${+scale.toFixed(3)}${textScale === 100 ? "" : `,${textScale}`}${mirrored ? ",mirrored" : ""}`;

/** @param {import("./window.js").Place} place */
export const placed = (place) => (typeof place === "string" ? place : Object.entries(place)[0].join(":"));

/** JSON in which integers of 64 bits have all their digits. They are marked on their way, and no text is looked at where there are none.
 * @param {any} value */
export function exact(value) {
  let mark = "";
  const json = JSON.stringify(value, (_, own) => (typeof own === "bigint" ? own + (mark = "\uffff") : own));
  return mark ? json.replace(/"(-?\d+)\uffff"/g, "$1") : json;
}
