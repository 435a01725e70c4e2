// Sizes of texts, in percent, that a reader goes through step by step.

const sizes = [85, 100, 115, 130, 150, 175, 200];

/** The next one that is larger or smaller; the same where there is none. An address may name any size to begin with.
 * @param {number} size @param {number} step */
export const nextSize = (size, step) => (step > 0 ? sizes.find((other) => other > size) : sizes.findLast((other) => other < size)) ?? size;
