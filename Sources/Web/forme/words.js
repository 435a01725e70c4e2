// The words that rows spell by their numbers, in the orders that the page LayoutRecord gives.

/** @param {string} list */
const split = (list) => list.split(", ");

/** Of nodes: parts, tokens, sources, actions, labels. */
export const wellKnown = split(
  "bubble, text, name, time, status, caption, media, openSender, expand, more, link, accent, edited, stamp, capsule, line, plate, bare, reply, quote, " +
    "replyBar, replySender, replyText, replyPicture, openReply, forward, forwarded, forwardedFrom, openForwarded, reactions, reaction, emoji, count, " +
    "react, chip, thread, threadLine, threadCount, openThread, translation, translationLine, face, photo, video, picture, play, open, title, duration, " +
    "durationText, track, faint, button, option, optionText, vote, file, download, avatar, sender, 00:00 AM, Read more, message, row",
);

/** Of paths into a message. */
export const wellKnownPaths = split(
  "options, percent, votes, reactions, count, reply, forward, thread, thread.count, text, photos, duration, rows, buttons, answers, inputs, events, " +
    "preview, contact, place, file, file.size, audio, audio.duration, picture, video, sticker, caption, form, name",
);

export const roles = split("box, text, media, avatar, icon, bars, track, divider, stamp, control, spoiler");
export const accessRoles = split("none, text, image, button, link, heading, list, progress, field");
export const alignments = split("start, center, end");
export const stamps = split("none, tucked, widened, ownLine, overMedia");
export const entityKinds = split("url, email, phone, mention, hashtag, command, spoiler, code, box");

export const pins = split("start, end, top, bottom");
export const corners = split("topStart, topEnd, bottomStart, bottomEnd");
export const looks = split("bold, italic, strike, monospaced, underline");
export const confidences = split("missing_glyph, fallback_font, unknown_kind");

/** Of each list the sets of its names, by their bits: nodes share them.
 * @type {Map<string[], readonly string[][]>} */
const sets = new Map([pins, corners, looks, confidences].map((all) => [all, Array.from({ length: 1 << all.length }, (_, bits) => all.filter((_, place) => (bits >> place) & 1))]));

/** The names of a set whose first name is bit 1. They are shared, and not to be changed.
 * @param {number} bits @param {string[]} all */
export const names = (bits, all) => /** @type {readonly string[][]} */ (sets.get(all))[bits];
