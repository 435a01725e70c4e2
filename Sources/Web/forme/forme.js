// The client: what a gateway says, decoded, and windows that follow it. Nothing here draws, and nothing needs a document.

export { decodeFrame } from "./frames.js";
export { decodeRow } from "./row.js";
export { DecodingError } from "./numbers.js";
export { Mirror } from "./mirror.js";
export { Forme } from "./session.js";
export { Refusal } from "./refusal.js";
export { Window } from "./window.js";
