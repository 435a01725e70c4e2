/// <reference path="../../Sources/Web/forme.d.ts" />
// What a program in TypeScript says to forme.js, by the types that it comes with; what they do not allow is marked.
import { Forme, decodeFrame } from "/v1/forme.js";
import { Scroller, acted } from "/v1/forme-rows.js";

const forme = new Forme("", { token: async () => "token", keep: "ada" });
const chat = forme.open("c1", { reader: { own: "ada", clock: "24" }, around: "unread" });
const scroller = new Scroller(document.body, chat);
const count: number = chat.rows.length + chat.mirror.rowsAbove;
document.addEventListener(acted, () => scroller.scrollTo(count));
chat.page("older").then(() => scroller.jump({ message: "m1" }));
chat.post({ kind: "text", text: "See you at nine" }).then((id: string) => id.length);
const word: Record<string, any> = decodeFrame(new Uint8Array()).word;
// @ts-expect-error: a side that is none
chat.page("sideways");
// @ts-expect-error: a place that is none
scroller.jump({ nowhere: word });
// @ts-expect-error: no scale
chat.resize({ width: 390 });
