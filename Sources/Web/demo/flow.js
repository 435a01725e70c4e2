// Many messages in a short time, as a busy group would have.

const words = ["ok", "On my way", "Has anybody seen the second version of the drawing?", "Nine, then", "I can bring two chairs and the long table, if somebody helps me carry them", "👍", "Not yet",
  "See you there", "That is much better than what we had before, and it is quicker, too", "Da bin ich dabei", "À demain !", "はい、わかりました", "Да, конечно"];
const people = ["Noor", "Emil", "Sade", "Ines", "Kenji", "Ruth"];

/** Says so many a second until the function that it gives is called.
 * @param {import("../forme/session.js").Forme} forme @param {string} conversation @param {number} rate */
export function flow(forme, conversation, rate) {
  let [number, isBusy] = [0, false];
  const batch = Math.max(1, Math.round(rate / 10));
  const start = Date.now();
  const timer = setInterval(async () => {
    if (isBusy) return;
    isBusy = true;
    const events = Array.from({ length: batch }, () => {
      const name = people[(number * 7) % people.length];
      const order = start + (number += 1);
      return { conversation, message: `flow${start}-${number}`, sender: name.toLowerCase(), time: Date.now(), order, body: { kind: "text", text: words[(number * 5) % words.length], name } };
    });
    await forme.post(conversation, events).catch(() => {});
    isBusy = false;
  }, 100);
  return () => clearInterval(timer);
}
