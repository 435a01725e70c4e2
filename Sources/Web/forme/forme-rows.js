// The drawing of rows: each by itself, or all that a screen shows. Their messages may come from anywhere.

export { Fonts, pitch } from "./fonts.js";
export { styled } from "./text.js";
export { RowView, acted, dress } from "./view.js";
export { Scroller } from "./scroller.js";
export { address, clock, hue, initials, wordsOf } from "./said.js";
export { glyph } from "./glyphs.js";
export { written } from "./copying.js";
