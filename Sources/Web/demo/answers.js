// Somebody who answers what is written here, so that one sees who is writing, and what they have written.

const words = ["On my way", "Good, I will tell the others", "Nine is fine. Shall I bring the drawings, or do you have them with you?", "😄", "Let me look it up… yes, the second one", "Tomorrow, then",
  "That is what I thought, too, but Ruth has seen both, and she likes the first one better"];
/** Milliseconds until somebody begins to write, and until it is said. */
const [pause, time] = [700, 1800];
let count = 0;

/** The last one who said something here, or somebody: first that they write, and then, in the same place, what.
 * @param {import("./chat.js").Chat} chat */
export async function answer(chat) {
  const { window, conversation } = chat;
  const own = window.reader.own;
  const other = window.rows.findLast((row) => row.said?.sender && row.said.sender !== own && row.said.body?.kind !== "event")?.said;
  const sender = other?.sender ?? "emil";
  const name = other?.body?.name ?? (other ? undefined : "Emil Sørensen");
  const text = words[count % words.length];
  const message = `answer-${Date.now().toString(36)}-${(count += 1)}`;
  await new Promise((done) => setTimeout(done, pause));
  const order = Date.now();
  for (const [place, body] of [{ kind: "typing", name }, { kind: "text", text, name }].entries()) {
    await window.forme.post(conversation, [{ conversation, message, revision: place + 1, sender, time: Date.now(), order, body }]);
    if (!place) await new Promise((done) => setTimeout(done, time));
  }
}

/** The words that say who is writing at the end of a conversation; undefined where nobody is.
 * @param {import("../forme/window.js").Window} window */
export function writing({ rows, reader, mirror }) {
  if (mirror.rowsBelow) return undefined;
  const last = rows.slice(-8).filter(({ said }) => said?.body?.kind === "typing" && said.sender !== reader.own);
  const names = [...new Set(last.map(({ said }) => said.body.name ?? said.sender))];
  if (!names.length) return undefined;
  return names.length > 2 ? `${names.length} people are writing…` : `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} writing…`;
}
