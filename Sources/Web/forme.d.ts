// The types of forme.js, one module for each of its files: made by node Sources/Web/types.mjs. A test says when it is stale.

declare module "*/v1/forme.js" {
    export * from "forme";
}
declare module "*/v1/forme-rows.js" {
    export * from "forme-rows";
}
declare module "forme/numbers" {
    /** Short texts are mostly ASCII, and then letter by letter is quicker. Throws for what is no UTF-8.
     * @param {Uint8Array} bytes @param {number} start @param {number} end */
    export function decoded(bytes: Uint8Array, start: number, end: number): string;
    /** The entry of a list at a place that bytes name.
     * @template Entry @param {Entry[]} list @param {number} place @param {string} what */
    export function listed<Entry>(list: Entry[], place: number, what: string): Exclude<Entry, undefined>;
    /** The complaint that bytes are no row, no frame, or no number in its bounds. */
    export class DecodingError extends Error {
        /** @param {string} what */
        constructor(what: string);
    }
    /** Reads the numbers of stored rows: seven bits to a byte, the lowest first. Lengths wrap at 32 bits, as all arithmetic of rows does. */
    export class NumberReader {
        /** @param {Uint8Array} bytes */
        constructor(bytes: Uint8Array, start?: number, end?: number);
        bytes: Uint8Array;
        place: number;
        end: number;
        /** Unsigned, of 32 bits at most and in the shortest form. */
        number(): number;
        /** @param {number} most @param {string} what */
        atMost(most: number, what: string): number;
        /** So many things that take a byte each at least: what is left bounds it.
         * @param {string} what @param {number} most */
        count(what: string, most?: number): number;
        /** The same of a number that was read before.
         * @param {string} what @param {number} value @param {number} most */
        fitting(what: string, value: number, most?: number): number;
        /** A length, which is below zero in no valid row. */
        length(): number;
        /** 0, -1, 1, -2, … */
        signed(): number;
        /** @param {number} count */
        utf8(count: number): string;
    }
}
declare module "forme/words" {
    /** Of nodes: parts, tokens, sources, actions, labels. */
    export const wellKnown: string[];
    /** Of paths into a message. */
    export const wellKnownPaths: string[];
    export const roles: string[];
    export const accessRoles: string[];
    export const alignments: string[];
    export const stamps: string[];
    export const entityKinds: string[];
    export const pins: string[];
    export const corners: string[];
    export const looks: string[];
    export const confidences: string[];
    export function names(bits: number, all: string[]): string[];
}
declare module "forme/skeleton" {
    /** @param {NumberReader} reader @param {number} version 1, or 2 with what drawing needs @returns {Skeleton} */
    export function readSkeleton(reader: NumberReader, version: number): Skeleton;
    export type Node = {
        part: string;
        role: string;
        /**
         * the place of its access role, 0 for none
         */
        access: number;
        /**
         * -1 for none
         */
        parent: number;
        /**
         * bits
         */
        pins: number;
        pinNames: string[];
        corners: string[];
        /**
         * bits: clips, opaque, overlaid
         */
        traits: number;
        token?: string | undefined;
        source?: string | undefined;
        /**
         * place in the texts, -1 for none
         */
        text: number;
        action?: string | undefined;
        priority: number;
        label?: string | undefined;
        /**
         * what its action is about, where rows of this version say so
         */
        about?: string | undefined;
    };
    export type Text = {
        alignment: number;
        literal?: string | undefined;
        pieces: number[][];
        looks: {
            start: number;
            end: number;
            look: string[];
        }[];
        entities: {
            kind: string;
            start: number;
            end: number;
            target?: string;
        }[];
        face?: {
            weight: number;
            italic: boolean;
            monospaced: boolean;
        } | undefined;
        path?: string | undefined;
        generated?: string | undefined;
    };
    export type Skeleton = {
        nodes: Node[];
        texts: Text[];
        reading: {
            node: number;
            role: string;
            label?: string;
        }[];
        confidence: string[];
    };
    import { NumberReader } from "forme/numbers";
}
declare module "forme/row" {
    /**
     * The layouts of a row. Total: any bytes give a row or throw a DecodingError, in time that is in proportion to them.
     *
     * @param {Uint8Array} bytes
     * @returns {Decoded}
     */
    export function decodeRow(bytes: Uint8Array): Decoded;
    export type Skeleton = import("forme/skeleton").Skeleton;
    export type Node = import("forme/skeleton").Node;
    export type Text = import("forme/skeleton").Text;
    export type Block = {
        /**
         * in 1/64 device pixel
         */
        size: number;
        pitch: number;
        ascent: number;
        widest: number;
        /**
         * of all lines, also of those that an excerpt leaves out
         */
        count: number;
        firstLine: number;
        /**
         * five numbers for each: start, end, left, width and traits
         */
        lines: number[];
        /**
         * four numbers for each: entity, line, left and width
         */
        spans: number[];
    };
    export type Decoded = {
        version: number;
        mirrored: boolean;
        /**
         * in thousandths
         */
        scale: number;
        layout: object;
        /**
         * where it looks otherwise
         */
        expanded?: object | undefined;
        excerpt?: {
            mark: string;
            from: number;
            to: number;
            of: number;
        } | undefined;
    };
}
declare module "forme/frames" {
    /**
     * A word of a gateway: `{request, word: {window: {…}}}`, as it is in JSON. The layout of a row is decoded when it is asked for.
     *
     * @param {Uint8Array} bytes
     * @returns {{request: number | bigint, word: Record<string, any>}}
     */
    export function decodeFrame(bytes: Uint8Array): {
        request: number | bigint;
        word: Record<string, any>;
    };
    /** A row with what is drawn in it, which is decoded once, when it is asked for. */
    export class Row {
        /** @param {any} row @param {{decoration: object, layout: Uint8Array, said?: any, edition?: string}} body */
        constructor({ row, message, order, height, lead, strip }: any, { decoration, layout, said, edition }: {
            decoration: object;
            layout: Uint8Array;
            said?: any;
            edition?: string;
        });
        /** The files that its texts are drawn with, by their hashes, where the gateway was asked for them and knows.
         * @type {string[] | undefined} */
        fonts: string[] | undefined;
        row: any;
        message: any;
        order: any;
        height: any;
        lead: any;
        strip: any;
        decoration: object;
        edition: string | undefined;
        said: any;
        /** As it came: a row of the page LayoutRecord. */
        get bytes(): Uint8Array;
        get decoded(): import("forme/row").Decoded;
        get layout(): object;
        get expanded(): object | undefined;
        #private;
    }
}
declare module "forme/mirror" {
    /**
     * @typedef {Record<string, any> & {row: number, message: string, order: number, height: number, lead: number, strip: number}} Row
     * @typedef {{row: number, edge: "top" | "bottom", offset: number}} Anchor an edge of the content of a row, and how far below it
     */
    /** It takes what a gateway says, and has afterwards what the gateway has. */
    export class Mirror {
        /** @type {Row[]} */
        rows: Row[];
        /** How far the top of each row is below that of the first; the last one is the end. */
        distances: number[];
        /** How much higher rows are that their reader has expanded.
         * @type {Map<number, number>} */
        expanded: Map<number, number>;
        /** Of the first row, from the origin, in device pixels. */
        top: number;
        /** How often rows have changed. */
        version: number;
        /** Both ends of the conversation. */
        extent: number[];
        rowsAbove: number;
        rowsBelow: number;
        /** @type {any[]} */
        cursor: any[];
        /** Whether another edition is served by now than that of the rows. */
        isOld: boolean;
        /** A window, or a page of one. False where it is of another moment.
         * @param {any} reply */
        take(reply: any): boolean;
        /** All changes of a set, or none. False where it does not fit.
         * @param {any} set */
        change(set: any): boolean;
        /** @param {any[]} cursor */
        isAt(cursor: any[]): boolean;
        /** @param {any} frame */
        settle(frame: any): void;
        sum(): void;
        /** @param {Row} row */
        height(row: Row): number;
        /** Shows all of a row, or again what it is shown with at first.
         * @param {Row} row @param {boolean} isExpanded */
        expand(row: Row, isExpanded: boolean): void;
        /** The end of the conversation, with what its reader has expanded here. */
        get end(): number;
        /** @param {number} index */
        y(index: number): number;
        get bottom(): number;
        /** The first row whose end is below y; as many as there are rows if none is.
         * @param {number} y */
        at(y: number): number;
        /** The rows of a stretch and of three quarters of it at each side, as `adjust` says them; undefined where most rows are these.
         * @param {{y: number, end: number} | undefined} shown */
        around(shown: {
            y: number;
            end: number;
        } | undefined): {
            most: number;
            focus: number;
        } | undefined;
        /** @param {number} row */
        index(row: number): number;
        /** Where an anchor is; undefined where its row is not in the window.
         * @param {Anchor} anchor */
        yOf({ row, edge, offset }: Anchor): number | undefined;
        /** The row that stays where it is on a screen: one that is wanted, where the screen shows it, else the first that is whole.
         * @param {number} y @param {number} screen @param {number} [wanted] */
        hold(y: number, screen: number, wanted?: number | undefined): {
            anchor: {
                row: number;
                edge: "top";
                offset: number;
            };
            message: string;
            at: number;
            y: number;
        } | undefined;
    }
    export type Row = Record<string, any> & {
        row: number;
        message: string;
        order: number;
        height: number;
        lead: number;
        strip: number;
    };
    /**
     * an edge of the content of a row, and how far below it
     */
    export type Anchor = {
        row: number;
        edge: "top" | "bottom";
        offset: number;
    };
}
declare module "forme/kept" {
    /** The rows of a screen and half of one at each side; undefined where one of them has nothing to draw.
     * @param {import("forme/mirror").Mirror} mirror @param {{y: number, end: number, isAtEnd: boolean}} shown @param {string} target @returns {Seen | undefined} */
    export function snapshot(mirror: import("forme/mirror").Mirror, { y, end, isAtEnd }: {
        y: number;
        end: number;
        isAtEnd: boolean;
    }, target: string): Seen | undefined;
    /** Puts it into a mirror that has nothing else. False where it is not what was kept once.
     * @param {Seen} seen @param {import("forme/mirror").Mirror} mirror */
    export function recalled({ frame, rows }: Seen, mirror: import("forme/mirror").Mirror): boolean;
    /** A failure loses what was kept, and nothing else: all answers are as if nothing had been. */
    export class Kept {
        /** @param {string} name of who sees it, and where */
        constructor(name: string);
        name: string;
        /** @param {string} key a conversation, or another name that none has @returns {Promise<any>} */
        get(key: string): Promise<any>;
        /** @param {string} key @param {any} seen something that can be cloned, with `rows` or without */
        put(key: string, seen: any): Promise<void>;
        /** All of it, or one conversation. After all of it is forgotten nothing is kept any more.
         * @param {string} [key] */
        forget(key?: string | undefined): Promise<void>;
        #private;
    }
    export type Seen = {
        target: string;
        /**
         * of the top of the screen
         */
        y: number;
        isAtEnd: boolean;
        /**
         * where the rows are
         */
        frame: Record<string, any>;
        /**
         * each with its layout in bytes
         */
        rows: any[];
        /**
         * when it was kept
         */
        at?: number | undefined;
    };
}
declare module "forme/refusal" {
    export function rest(milliseconds: number): Promise<any>;
    export function freshName(): string;
    /** A question that a gateway refuses for good. */
    export class Refusal extends Error {
        /** @param {number} status @param {string} what @param {string} [because] the name of the reason, where it has one */
        constructor(status: number, what: string, because?: string | undefined);
        status: number;
        because: string | undefined;
    }
    export function isFinal({ status }: any): boolean;
}
declare module "forme/outbox" {
    /**
     * @typedef {import("forme/mirror").Row} Row
     * @typedef {{id: string, row?: Row, neighbours: Row[], state: "drawing" | "sending" | "refused" | "superseded", why?: string, body: any, again: () => void}} Pending
     */
    export class Outbox {
        /** @param {import("forme/window").Window} window @param {() => void} tell */
        constructor(window: import("forme/window").Window, tell: () => void);
        /** The oldest first.
         * @type {Pending[]} */
        pending: Pending[];
        /** Names of those that have come to stand elsewhere than they were shown, as others came first: for some seconds.
         * @type {Set<string>} */
        moved: Set<string>;
        window: import("forme/window").Window;
        tell: () => void;
        /** @param {any} body @param {{order?: number, id?: string}} options */
        post(body: any, { order, id }: {
            order?: number;
            id?: string;
        }): Promise<string>;
        /** A message that has a row is not on its way any more. */
        settle(): void;
        /** A neighbour of an own message that is on its way looks as it will.
         * @param {Row} row */
        overlaid(row: Row): import("forme/mirror").Row;
        /** @param {Pending} own */
        drop(own: Pending): void;
        #private;
    }
    export type Row = import("forme/mirror").Row;
    export type Pending = {
        id: string;
        row?: Row;
        neighbours: Row[];
        state: "drawing" | "sending" | "refused" | "superseded";
        why?: string;
        body: any;
        again: () => void;
    };
}
declare module "forme/questions" {
    /** @extends {Map<string, {done: (value: any) => void, failed: (why: Error) => void, word: any}>} */
    export class Questions extends Map<string, {
        done: (value: any) => void;
        failed: (why: Error) => void;
        word: any;
    }> {
        /** @param {(word: any) => Promise<any>} say */
        constructor(say: (word: any) => Promise<any>);
        say: (word: any) => Promise<any>;
        /** Another window that is on its way, by its number.
         * @param {number} number */
        opening(number: number): {
            done: (value: any) => void;
            failed: (why: Error) => void;
            word: any;
        } | undefined;
        /** @param {Error} why */
        fail(why: Error): void;
        /** @param {string} kind @param {any} value @param {string} [as] */
        answer(kind: string, value: any, as?: string | undefined): void;
        /** Asks in its turn: until then the window may have become another, so the word is made then.
         * @param {string} kind @param {() => any} make @returns {Promise<any>} */
        ask(kind: string, make: () => any): Promise<any>;
    }
}
declare module "forme/stream" {
    /** Blocks of bytes, each behind its length.
     * @param {ReadableStream<Uint8Array>} body @param {() => void} alive @returns {AsyncGenerator<Uint8Array>} */
    export function blocks(body: ReadableStream<Uint8Array>, alive: () => void): AsyncGenerator<Uint8Array>;
    export class Stream {
        /** @param {import("forme/session").Forme} forme */
        constructor(forme: import("forme/session").Forme);
        forme: import("forme/session").Forme;
        bytes: number;
        get hasRoom(): boolean;
        /** A number that no window of this stream had. */
        number(): number;
        /** @param {Member} member */
        join(member: Member): void;
        /** @param {Member} member */
        leave(member: Member): void;
        /** A window that does not fit what is told of it comes again, whole.
         * @param {Member} member @param {number} [pause] */
        reopen(member: Member, pause?: number | undefined): Promise<void>;
        /** Words arrive in the order in which they are said.
         * @param {Record<string, any>} word */
        say(word: Record<string, any>): Promise<Response>;
        #private;
    }
    /**
     * One of the windows of a stream.
     */
    export type Member = {
        conversation: string;
        /**
         * that opens it as it is by now
         */
        query: () => Record<string, string>;
        /**
         * likewise
         */
        word: () => {
            open: any;
        };
        /**
         * its number and the moment that it has reached
         */
        mark: () => string;
        has: (number: number) => boolean;
        renumber: (number: number) => void;
        hear: (word: Record<string, any>) => void;
        state: (state: string, why?: string, status?: number) => void;
    };
}
declare module "forme/window" {
    /**
     * Events: `update`, at most one a frame, when rows came, went or changed; its `detail` has `fresh` where the window is another one, and `seen`, the
     * row that is seen first of it. `state`: connecting, live, offline, resync or refused. A window that is closed is in the state `closed`, and tells nothing.
     */
    export class Window extends EventTarget {
        /** @param {import("forme/session").Forme} forme @param {string} conversation @param {Options} options */
        constructor(forme: import("forme/session").Forme, conversation: string, { target, reader, around, screen, count }: Options);
        /** The screen of the rows that are here; `target` is the one that is wanted.
         * @type {Target | undefined} */
        drawn: Target | undefined;
        forme: import("forme/session").Forme;
        conversation: string;
        target: Target | undefined;
        reader: Record<string, any>;
        screen: number;
        count: number;
        around: Place;
        number: number;
        mirror: Mirror;
        state: string;
        /** @type {{olderAbove?: number, newerBelow?: number}} where pages are to be asked for */
        prefetch: {
            olderAbove?: number | undefined;
            newerBelow?: number | undefined;
        };
        outbox: Outbox;
        /** The message around which a reconnection opens: the view of the window sets it.
         * @type {() => Place | undefined} */
        seen: () => Place | undefined;
        /** The stretch of the conversation that is on the screen, likewise.
         * @type {() => {y: number, end: number, isAtEnd: boolean} | undefined} */
        shown: () => {
            y: number;
            end: number;
            isAtEnd: boolean;
        } | undefined;
        isKept: boolean;
        /** When another width was wanted last. */
        resizedAt: number;
        /** Keeps what is seen, for the next time; a while later, as more may happen.
         * @param {number} [wait] */
        keep(wait?: number | undefined): void;
        get rows(): import("forme/mirror").Row[];
        /** Own messages that have no row yet, the oldest first. */
        get pending(): import("forme/outbox").Pending[];
        get bytes(): number;
        close(): void;
        anchor: any;
        /** More rows at a side; nothing where there are none, or they are on their way.
         * @param {"older" | "newer"} side */
        page(side: "older" | "newer"): Promise<void>;
        /** The row at a y, or that of a message, with its place.
         * @param {number | string} what */
        locate(what: number | string): Promise<any>;
        /** Rows around another place instead of these; the `update` that follows is `fresh`.
         * @param {Place} place */
        jump(place: Place): Promise<any>;
        /** The same rows on another screen; a window that was opened without one begins with this. Of screens that come faster than answers the last one counts.
         * @param {Target} target @param {Anchor} [anchor] */
        resize(target: Target, anchor?: import("forme/mirror").Anchor | undefined): Promise<void>;
        /** Rows whose places are told with each change.
         * @param {Anchor[]} anchors */
        hold(anchors: Anchor[]): Promise<Response>;
        /** Everything up to an order is read, by this reader and on all devices.
         * @param {Row} row */
        read(row: Row): Promise<void>;
        /** Lines of a row that came as an excerpt.
         * @param {Row} row @param {string} mark @param {number} from @param {number} to */
        lines(row: Row, mark: string, from: number, to: number): Promise<any>;
        /** Where stretches of a text of a row are, and carets: the answer as the page Windows has it.
         * @param {Row} row @param {{path?: string, node?: number, ranges?: number[][], carets?: number[], points?: number[][]}[]} texts @param {boolean} [isExpanded] */
        ranges(row: Row, texts: {
            path?: string;
            node?: number;
            ranges?: number[][];
            carets?: number[];
            points?: number[][];
        }[], isExpanded?: boolean | undefined): Promise<any>;
        /** The row of a message that is not posted.
         * @param {any} draft */
        preview(draft: any): Promise<any>;
        /** Posts a message: at once it stands where and as large as it will, and is sent again until it is answered.
         * @param {any} body @param {{order?: number, id?: string}} [options] an order where nobody is asked for a token */
        post(body: any, options?: {
            order?: number | undefined;
            id?: string | undefined;
        } | undefined): Promise<string>;
        /** Says something of a message that is there.
         * @param {Row} row @param {any} change */
        say(row: Row, change: any): Promise<any>;
        /** All that this reader says to a message.
         * @param {Row} row @param {{emoji?: string[], options?: string[]}} what */
        react(row: Row, what: {
            emoji?: string[];
            options?: string[];
        }): Promise<any>;
        /** @param {Row} row @param {any} body */
        edit(row: Row, body: any): Promise<any>;
        /** Shows all of a row that is longer than it is shown at first.
         * @param {Row} row @param {boolean} isExpanded */
        expand(row: Row, isExpanded: boolean): void;
        /** @param {Row} row */
        remove(row: Row): Promise<any>;
        #private;
    }
    export type Row = import("forme/mirror").Row;
    export type Anchor = import("forme/mirror").Anchor;
    /**
     * in points, and device pixels to a point
     */
    export type Target = {
        width: number;
        scale: number;
        textScale?: number;
        mirrored?: boolean;
    };
    export type Place = "newest" | "unread" | {
        message: string;
    } | {
        date: number;
    } | {
        y: number;
    };
    export type Options = {
        target?: Target;
        reader?: Record<string, any>;
        around?: Place;
        screen?: number;
        count?: number;
    };
    import { Mirror } from "forme/mirror";
    import { Outbox } from "forme/outbox";
}
declare module "forme/spelling" {
    /** JSON in which integers of 64 bits have all their digits. They are marked on their way, and no text is looked at where there are none.
     * @param {any} value */
    export function exact(value: any): string;
    export function spelled({ width, scale, textScale, mirrored }: import("forme/window").Target): string;
    export function placed(place: import("forme/window").Place): string;
}
declare module "forme/session" {
    export class Forme {
        /**
         * @param {string} url of the gateway; "" for that of the page
         * @param {{token?: string | (() => Promise<string>), keep?: string}} [options] a function is asked again when a token does not hold any more; with `keep`,
         *   the name of who reads, what was seen last is kept in this browser until the token ends, or `forget`
         */
        constructor(url?: string, options?: {
            token?: string | (() => Promise<string>) | undefined;
            keep?: string | undefined;
        } | undefined);
        url: string;
        kept: Kept | undefined;
        /** An answer that is well, or a Refusal. A gateway that is only busy is asked again.
         * @param {string} path @param {RequestInit & {turns?: number}} [options] */
        ask(path: string, options?: (RequestInit & {
            turns?: number | undefined;
        }) | undefined): Promise<Response>;
        /** The token does not hold any more: the next request asks for another. */
        renew(): boolean;
        /** The reader goes: nothing of what was seen is in this browser any more. */
        forget(): Promise<void>;
        /** @param {string} path @param {unknown} value @param {RequestInit} [init] */
        say(path: string, value: unknown, init?: RequestInit | undefined): Promise<Response>;
        /** Has events kept. The same are sent again until they are answered, which doubles nothing; ten times where the network fails, or a gateway is away.
         * @param {string} conversation @param {any[]} events */
        post(conversation: string, events: any[]): Promise<any>;
        /** One for many windows: a browser has six connections to a host. */
        stream(): Stream;
        /** @param {string} conversation @param {import("forme/window").Options} options */
        open(conversation: string, options: import("forme/window").Options): Window;
        #private;
    }
    import { Kept } from "forme/kept";
    import { Stream } from "forme/stream";
    import { Window } from "forme/window";
}
declare module "forme" {
    export { decodeFrame } from "forme/frames";
    export { decodeRow } from "forme/row";
    export { DecodingError } from "forme/numbers";
    export { Mirror } from "forme/mirror";
    export { Forme } from "forme/session";
    export { Refusal } from "forme/refusal";
    export { Window } from "forme/window";
}
declare module "forme/fonts" {
    export function pitch(size: number): number[];
    export class Fonts {
        /** Those of a gateway, for all who draw what it says.
         * @param {import("forme/session").Forme} forme */
        static of(forme: import("forme/session").Forme): Fonts;
        /** @param {import("forme/session").Forme} forme */
        constructor(forme: import("forme/session").Forme);
        forme: import("forme/session").Forme;
        bytes: number;
        late: number;
        /** @type {Record<string, string>} */
        css: Record<string, string>;
        /** @type {Promise<void> | undefined} */
        listed: Promise<void> | undefined;
        /** The list of fonts. The letters that every text has, and every name, are asked for then; nobody waits for them here. A reader who may not ask is told so, and may ask again. */
        list(): Promise<void>;
        /** Files that a gateway names, as they are called here; undefined where the list does not have one. It was made meanwhile, and the list is fetched again.
         * @param {string[]} hashes @param {string} [language] as `language` gives it: of a collection only what is asked there is wanted */
        named(hashes: string[], language?: string | undefined): string[] | undefined;
        /** Families in their order.
         * @param {boolean} monospaced @param {string} [language] */
        families(monospaced: boolean, language?: string | undefined): string;
        /** Languages that families are listed for, the most exact last.
         * @returns {string[]} */
        get languages(): string[];
        /** The listed language that a tag is, or is a kind of; "" for none.
         * @param {unknown} tag */
        language(tag: unknown): string;
        /** The files that a text needs, by their names.
         * @param {string} text @param {Style} style @returns {Set<string>} */
        needs(text: string, style: Style): Set<string>;
        /** Whether they are all there.
         * @param {Iterable<string>} names */
        has(names: Iterable<string>): boolean;
        /** @param {Iterable<string>} names */
        load(names: Iterable<string>): Promise<void[]>;
        #private;
    }
    export type Style = {
        weight: number;
        italic?: boolean;
        monospaced?: boolean;
        language?: string;
    };
}
declare module "forme/copying" {
    /** The words of a selection within rows; an empty text where it has none.
     * @param {Selection} selection @param {Element} root */
    export function written(selection: Selection, root: Element): string;
    export function note(element: Element, drawn: Drawn): undefined;
    /**
     * The words that a line is drawn from, and those of its letters that are only drawn.
     */
    export type Drawn = {
        text: any;
        words: string;
        start: number;
        end: number;
        before: number;
    };
}
declare module "forme/said" {
    /** The value at a path, such as `options[1].text`. A value that is told apart from the body, so that it changes without an edit, is newer than that of the body.
     * @param {any} said @param {string} path @returns {any} */
    export function at(said: any, path: string): any;
    /** The words of a text; undefined where they stand in a message that is not known.
     * @param {any} text @param {any} said */
    export function wordsOf(text: any, said: any): any;
    /** A colour of eight for a name, the same for everybody.
     * @param {string} name */
    export function hue(name: string): number;
    /** The first letters of the first and the last word.
     * @param {string} name */
    export function initials(name: string): string;
    /** A time of day for a reader.
     * @param {number} time @param {any} reader */
    export function clock(time: number, { clock: form, zone }?: any): string;
    /** Where a link leads; undefined where it may not lead anywhere.
     * @param {string} kind @param {string} words */
    export function address(kind: string, words: string): string | undefined;
    export function textAt(said: any, path: string): string | undefined;
}
declare module "forme/glyphs" {
    /** In the middle of its parent, as large as a part of its shorter side.
     * @param {string} name @param {number} wide @param {number} high @param {number} [part] */
    export function glyph(name: string, wide: number, high: number, part?: number | undefined): SVGSVGElement | undefined;
    /** A blurred picture in a few letters, as some waves of colour; undefined for what is none.
     * @param {unknown} text */
    export function blurred(text: unknown): HTMLCanvasElement | undefined;
}
declare module "forme/reading" {
    /** @param {Element} element @param {string} role @param {string} [words] */
    export function label(element: Element, role: string, words?: string | undefined): void;
    /**
     * @param {Element} row @param {Element[]} elements of its nodes, by their numbers @param {{node: number, role: string, label?: string}[]} reading
     * @param {{words: Map<number, string>, said: any, name: string, label?: (label: string) => string}} known
     */
    export function readOut(row: Element, elements: Element[], reading: {
        node: number;
        role: string;
        label?: string;
    }[], { words, said, name, label: translate }: {
        words: Map<number, string>;
        said: any;
        name: string;
        label?: ((label: string) => string) | undefined;
    }): void;
}
declare module "forme/view" {
    /** The sheet that all rows share, in the document once.
     * @param {import("forme/fonts").Fonts} fonts */
    export function dress(fonts: import("forme/fonts").Fonts): void;
    /** Pages tell a touch of a node by this event: its `detail` has row, action, about, part and view. */
    export const acted: "forme-action";
    export class RowView {
        /** @param {any} row @param {Easel} easel @param {"layout" | "expanded"} [state] */
        constructor(row: any, easel: Easel, state?: "expanded" | "layout" | undefined);
        easel: Easel;
        state: "expanded" | "layout";
        row: any;
        element: HTMLElement;
        /** @type {Set<string>} */
        needs: Set<string>;
        /** Another state of the same row, in its place.
         * @param {any} row @param {"layout" | "expanded"} [state] */
        draw(row: any, state?: "expanded" | "layout" | undefined): void;
        /** Marks stretches of texts, or carets, as `ranges` tells where they are, until the row is drawn anew; these instead of those before.
         * @param {number[][]} frames @param {string} [kind] */
        mark(frames: number[][], kind?: string | undefined): void;
        /** Its actions that keys can reach, in the order in which they are drawn.
         * @returns {HTMLElement[]} */
        get actions(): HTMLElement[];
        #private;
    }
    /**
     * The tools that rows are drawn with.
     */
    export type Easel = {
        /**
         * device pixels to a point
         */
        scale: number;
        mirrored?: boolean | undefined;
        fonts: import("forme/fonts").Fonts;
        /**
         * as the window's
         */
        reader?: any;
        /**
         * of a node that shows one, where the page has it
         */
        picture?: ((node: any, row: any) => Element | undefined) | undefined;
        /**
         * words for a day
         */
        day?: ((day: number[]) => string) | undefined;
        /**
         * words of the line above what was not read
         */
        unread?: string | undefined;
        /**
         * words for what a model calls a node, such as `play`: for those who hear rows
         */
        label?: ((label: string) => string) | undefined;
    };
}
declare module "forme/text" {
    /**
     * @param {HTMLElement} parent of the node @param {any} node @param {any} said @param {Easel} easel @param {Set<string> | undefined} needs files of fonts, which are added where they are not known already
     * @param {string} [instead] words that stand there for this reader
     */
    export function drawText(parent: HTMLElement, node: any, said: any, easel: Easel, needs: Set<string> | undefined, instead?: string | undefined): void;
    export function styled(face: any, look?: string[] | undefined, language?: string | undefined): {
        language: string | undefined;
        weight: any;
        italic: any;
        monospaced: any;
    };
    export type Easel = import("forme/view").Easel;
}
declare module "forme/keys" {
    /** The rows as keys reach them.
     * @typedef {import("forme/scroller").Scroller} Scroller */
    export class Keys {
        /** @param {Scroller} scroller @param {AbortSignal} signal */
        constructor(scroller: Scroller, signal: AbortSignal);
        /** The row that Tab leads to.
         * @type {number | undefined} */
        row: number | undefined;
        /** Whether the focus is in it.*/
        isInside: boolean;
        scroller: import("forme/scroller").Scroller;
        /** Rows were drawn: one of them is reached by Tab, and the one that was waited for has the focus. */
        settle(): void;
        /** A row was drawn anew: what had the focus in it has it again.
         * @param {number} row */
        redrawn(row: number): void;
        #private;
    }
    /**
     * The rows as keys reach them.
     */
    export type Scroller = import("forme/scroller").Scroller;
}
declare module "forme/pointed" {
    export class Pointed {
        /** @param {HTMLElement} element @param {(element: Element) => number | undefined} rowOf @param {AbortSignal} signal */
        constructor(element: HTMLElement, rowOf: (element: Element) => number | undefined, signal: AbortSignal);
        /** @type {number | undefined} */
        row: number | undefined;
    }
}
declare module "forme/scroller" {
    /**
     * `y` is where the top of the screen is in the conversation, in device pixels. The scrolled element has a runway, at most `highest` high: where the
     * conversation is higher, a step moves by as much as it says, and a leap goes to the same part of the whole.
     */
    export class Scroller extends EventTarget {
        /** @param {HTMLElement} element @param {import("forme/window").Window} window @param {Partial<import("forme/view").Easel>} [easel] */
        constructor(element: HTMLElement, window: import("forme/window").Window, easel?: Partial<import("forme/view").Easel> | undefined);
        element: HTMLElement;
        window: import("forme/window").Window;
        /** @type {import("forme/view").Easel} */
        easel: import("forme/view").Easel;
        width: number;
        height: number;
        drift: number;
        /** Where the next rows are to be seen: where they say, at a y, or where the screen is already.
         * @type {"seen" | "here" | number | undefined} */
        target: "seen" | "here" | number | undefined;
        /** @type {{anchor: import("forme/mirror").Anchor, message: string, at: number, y: number} | undefined} */
        held: {
            anchor: import("forme/mirror").Anchor;
            message: string;
            at: number;
            y: number;
        } | undefined;
        /** Of texts, in percent.
         * @type {number | undefined} */
        textScale: number | undefined;
        isAtEnd: boolean;
        rail: HTMLDivElement;
        sheet: HTMLDivElement;
        keys: Keys;
        pointed: Pointed;
        observer: ResizeObserver;
        close(): void;
        get scale(): number;
        /** The top of the screen in the conversation. */
        get y(): number;
        /** Of a screen, in device pixels. */
        get screen(): number;
        /** Both ends: own messages that have no row yet stand behind the last one. */
        get extent(): number[];
        /** The last y at which a screen is full. */
        get last(): number;
        /** @param {number} y */
        scrollTo(y: number): void;
        /** The number of the row that an element is drawn in.
         * @param {Element} element */
        rowOf(element: Element): number | undefined;
        /** The row that stays where it is on the screen: that under the pointer, else the same as before, until a step comes. */
        hold(): {
            anchor: {
                row: number;
                edge: "top";
                offset: number;
            };
            message: string;
            at: number;
            y: number;
        } | undefined;
        isFetching: boolean | undefined;
        /** Shows a message: at once where it is among the rows, else by asking for it.
         * @param {import("forme/window").Place} place */
        jump(place: import("forme/window").Place): Promise<void>;
        /** Texts larger or smaller than the style has them.
         * @param {number} percent */
        scaleTexts(percent: number): void;
        /** @param {number | string} row a number, or the name of an own message that has none */
        view(row: number | string): RowView | undefined;
        #private;
    }
    import { Keys } from "forme/keys";
    import { Pointed } from "forme/pointed";
    import { RowView } from "forme/view";
}
declare module "forme-rows" {
    export { styled } from "forme/text";
    export { Scroller } from "forme/scroller";
    export { glyph } from "forme/glyphs";
    export { written } from "forme/copying";
    export { Fonts, pitch } from "forme/fonts";
    export { RowView, acted, dress } from "forme/view";
    export { address, clock, hue, initials, wordsOf } from "forme/said";
}
