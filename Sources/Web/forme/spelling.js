// Screens and places as the queries of a gateway have them.

/** @param {import("./window.js").Target} target */
export const spelled = ({ width, scale, textScale = 100, mirrored }) => `${+width.toFixed(4)}@${+scale.toFixed(3)}${textScale === 100 ? "" : `,${textScale}`}${mirrored ? ",mirrored" : ""}`;

/** @param {import("./window.js").Place} place */
export const placed = (place) => (typeof place === "string" ? place : Object.entries(place).map((pair) => pair.join(":"))[0]);
