"""Windows.md: its words as bytes, clients that say them over ZeroMQ and HTTP, and mirrors that do what they are told."""
import itertools
import json
import struct
import time
import urllib.parse

import zmq

import web

MAGIC, VERSION, CLIENT, GATEWAY, UNREADABLE = b"FRME", 5, 4, 5, 8
OLDER, NEWER = 1, 2
REFUSALS = {1: "busy", 2: "unknownWindow", 3: "unknownConversation", 4: "unknownMessage", 5: "resync", 6: "unprepared", 7: "unauthorized"}


class Malformed(Exception):
    """Bytes that are not what the page says."""


# Writing


def u8(value): return struct.pack(">B", value)
def u16(value): return struct.pack(">H", value)
def u32(value): return struct.pack(">I", value)
def u64(value): return struct.pack(">Q", value)
def i32(value): return struct.pack(">i", value)
def i64(value): return struct.pack(">q", value)
def flag(value): return b"\1" if value else b"\0"


def name(text):
    data = text if isinstance(text, bytes) else text.encode()
    return u32(len(data)) + data


def many(values, write):
    return u32(len(values)) + b"".join(write(value) for value in values)


def optional(value, write):
    return many([] if value is None else [value], write)


def maybe(value):
    """An i64?: a flag, and an i64 if it is 1."""
    return flag(value is not None) + (b"" if value is None else i64(value))


def target(width=390, scale=3, text=100, mirrored=False):
    return i32(int(width * 64)) + i32(int(scale * 1000)) + i32(text) + flag(mirrored)


def zone(offset=0, changes=()):
    return i32(offset) + many(changes, lambda change: i64(change[0]) + i32(change[1]))


CLOCK = flag(True) + name(":") + u16(ord("0")) + u8(0)


def reader(own=None, unread=None, zone_=None, clock=CLOCK, direct=False, selecting=False):
    return optional(own, name) + maybe(unread) + (zone_ or zone()) + clock + flag(direct) + flag(selecting)


def place(where):
    kind, value = where if isinstance(where, tuple) else (where, None)
    return {
        "newest": lambda: u8(1), "unread": lambda: u8(2), "message": lambda: u8(3) + name(value),
        "date": lambda: u8(4) + i64(value), "y": lambda: u8(5) + i64(value),
    }[kind]()


def cursor(value):
    return u64(value[0]) + u64(value[1]) + u32(value[2])


def anchor(row, edge=1, offset=0):
    return i64(row) + u8(edge) + i32(offset)


class Words:
    """What a client says, without the head."""

    @staticmethod
    def open(window, conversation, target_=None, reader_=None, around="newest", rows=50, screen=2532, bodies=True, messages=False,
             unavailable=False, versions=1):
        return (u8(1) + u32(window) + name(conversation) + (target_ or target()) + (reader_ or reader()) + place(around) + u32(rows)
                + i32(screen) + flag(bodies) + u8((1 if messages else 0) | (4 if unavailable else 0) | (8 if versions > 1 else 0))
                + (u8(versions) if versions > 1 else b""))

    @staticmethod
    def page(window, side, rows): return u8(2) + u32(window) + u8(side) + u32(rows)
    @staticmethod
    def heights(window, start, end): return u8(3) + u32(window) + i64(start) + i64(end)
    @staticmethod
    def rows(window, rows): return u8(4) + u32(window) + many(rows, i64)
    @staticmethod
    def locate(window, y): return u8(5) + u32(window) + i64(y)
    @staticmethod
    def position(window, message): return u8(6) + u32(window) + name(message)
    @staticmethod
    def changes(window, since): return u8(7) + u32(window) + cursor(since)
    @staticmethod
    def resize(window, target_, screen, anchor_=None):
        return u8(8) + u32(window) + target_ + i32(screen) + optional(anchor_, lambda value: value)
    @staticmethod
    def adjust(window, most, focus): return u8(9) + u32(window) + u32(most) + u32(focus)
    @staticmethod
    def hold(window, anchors): return u8(10) + u32(window) + many(anchors, lambda value: value)
    @staticmethod
    def busy(window, busy): return u8(11) + u32(window) + flag(busy)
    @staticmethod
    def read(window, order): return u8(12) + u32(window) + maybe(order)
    @staticmethod
    def prewarm(conversation, targets): return u8(13) + name(conversation) + many(targets, lambda value: value)
    @staticmethod
    def close(window): return u8(14) + u32(window)
    @staticmethod
    def lines(window, row, mark, start, end): return u8(15) + u32(window) + i64(row) + u64(mark) + u32(start) + u32(end)
    @staticmethod
    def ranges(window, subject, texts=(), points=(), mark=None, expanded=False):
        """`subject` is a row's number or a message's name; a text a path or a node, and what is asked about it."""
        return (u8(17) + u32(window) + (u8(2) + name(subject) if isinstance(subject, str) else u8(1) + i64(subject))
                + flag(mark is not None) + (b"" if mark is None else u64(int(mark, 16))) + flag(expanded)
                + many(texts, asked) + many(points, lambda point: i32(point[0]) + i32(point[1])))
    @staticmethod
    def preview(window, draft): return u8(16) + u32(window) + name(json.dumps(draft))


def asked(text):
    named = u8(2) + name(text["path"]) if "path" in text else u8(1) + i32(text["node"])
    pair = lambda two: i32(two[0]) + i32(two[1])
    return named + many(text.get("ranges", ()), pair) + many(text.get("carets", ()), i32) + many(text.get("points", ()), pair)


def frame(word, request=0, family=CLIENT):
    return MAGIC + u8(VERSION) + u8(family) + u16(0) + u64(request) + word


# Reading


class Bytes:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Malformed(f"{count} bytes at {self.at} of {len(self.data)}")
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self, form): return struct.unpack(">" + form, self.take(struct.calcsize(form)))[0]
    def u8(self): return self.number("B")
    def u16(self): return self.number("H")
    def u32(self): return self.number("I")
    def u64(self): return self.number("Q")
    def i32(self): return self.number("i")
    def i64(self): return self.number("q")

    def flag(self):
        value = self.u8()
        if value > 1:
            raise Malformed(f"a flag of {value}")
        return value == 1

    def block(self): return bytes(self.take(self.u32()))
    def name(self): return self.block().decode()
    def many(self, read): return [read() for _ in range(self.u32())]

    def optional(self, read):
        found = self.many(read)
        if len(found) > 1:
            raise Malformed("an optional value of two")
        return found[0] if found else None

    def maybe(self, read): return read() if self.flag() else None
    def cursor(self): return [self.u64(), self.u64(), self.u32()]
    def rectangle(self): return [self.i32() for _ in range(4)]

    def frame(self):
        return {
            "cursor": self.cursor(), "edition": self.name(), "old": self.flag(), "rowsAbove": self.u32(), "rowsBelow": self.u32(),
            "top": self.i64(), "extent": [self.i64(), self.i64()],
        }

    def row(self):
        return {
            "row": self.i64(), "message": self.name(), "order": self.i64(), "height": self.i32(), "lead": self.i32(),
            "strip": self.i32(), "body": self.optional(self.body),
        }

    def body(self):
        return {"decoration": self.decoration(), "layout": self.block(), "said": json.loads(self.block()) if self.flag() else None}

    def decoration(self):
        bits = self.u8()
        found = {"bits": bits, "variant": self.u8(), "series": self.u8(), "corners": self.u8()}
        for part in ("height", "gapAbove", "gapBelow", "large", "small"):
            found[part] = self.i32()
        found["content"] = self.rectangle()
        if bits & 1:
            found["dateLine"], found["day"] = self.rectangle(), self.i64()
        for bit, part in ((2, "unreadLine"), (4, "avatar"), (8, "failed"), (16, "handle")):
            if bits & bit:
                found[part] = self.rectangle()
        return found

    def change(self):
        reason, kind, delta, what = self.u8(), self.u8(), self.i64(), self.u8()
        found = {"reason": reason, "class": kind, "heightDelta": delta}
        if what == 1:
            found.update(insert=self.u32(), rows=self.many(self.row))
        elif what == 2:
            found.update(remove=self.u32(), count=self.u32())
        elif what == 3:
            found.update(replace=self.u32(), rows=[self.row()])
        elif what == 4:
            found.update(move=self.u32(), to=self.u32(), rows=[self.row()])
        elif what == 5:
            found.update(redecorate=self.u32(), rows=[self.row()])
        else:
            raise Malformed(f"a change of sort {what}")
        return found

    def changeset(self):
        return {
            "since": self.cursor(), "changes": self.many(self.change),
            "anchors": self.many(lambda: ((self.i64(), self.u8(), self.i32()), self.i64())), **self.frame(),
        }

    def units(self): return {"start": self.i32(), "end": self.i32()}

    def caret_place(self):
        return {"x": self.i32() / 64, "top": self.i32(), "height": self.i32(), "direction": "rtl" if self.flag() else "ltr"}

    def caret(self):
        found = {"offset": self.i32(), "hidden": self.flag()}
        for side in ("downstream", "upstream"):
            found[side] = self.optional(self.caret_place)
        return {key: value for key, value in found.items() if value not in (None, False)} | {"offset": found["offset"]}

    def hit(self):
        return {"node": self.i32(), "offset": self.i32(), "affinity": "downstream" if self.flag() else "upstream", **self.units(),
                "inside": self.flag()}

    def placed_text(self):
        fine = lambda: [self.i32() / 64, self.i32(), self.i32() / 64, self.i32()]
        found = {"node": self.i32(), "path": self.name(), "length": self.i32(), "shown": self.i32(),
                 "ranges": self.many(lambda: {**self.units(), "frames": self.many(fine)}), "carets": self.many(self.caret),
                 "hits": self.many(self.hit)}
        return {key: value for key, value in found.items() if value != []}

    def word(self):
        sort = self.u8()
        if sort == 10:
            return {"window": None, "word": "unreadable", "why": self.name()}
        window = self.u32()
        if sort == 1:
            found = {"word": "window", "part": {1: "whole", 2: "older", 3: "newer"}[self.u8()], "reason": self.u8(), **self.frame()}
            found["rows"] = self.many(self.row)
            found["insertedAbove"] = self.i64()
            found["firstVisible"] = (self.i64(), self.i64()) if self.flag() else None
            found["contentFits"] = self.flag()
            found["olderAbove"], found["newerBelow"] = self.maybe(self.i64), self.maybe(self.i64)
        elif sort == 2:
            found = {"word": "heights", "cursor": self.cursor(), "rank": self.u32(), "top": self.i64(), "heights": self.many(self.i32)}
        elif sort == 3:
            found = {"word": "rows", "rows": self.many(self.row)}
        elif sort == 4:
            found = {"word": "place", "cursor": self.cursor(), "rank": self.u32(), "top": self.i64(), "row": self.row()}
        elif sort == 5:
            found = {"word": "changes", **self.changeset()}
        elif sort == 6:
            found = {"word": "adjusted", "changes": self.optional(lambda: self.u32() and self.changeset())}
        elif sort == 7:
            found = {"word": "done"}
        elif sort == 8:
            found = {"word": "refused", "why": REFUSALS[self.u8()]}
        elif sort == 9:
            found = {"word": "pending", "message": self.name(), "order": self.i64()}
        elif sort == 11:
            found = {"word": "unavailable", "message": self.name(), "order": self.i64()}
        elif sort == 12:
            found = {"word": "preview", "cursor": self.cursor(), "row": self.row(), "neighbours": self.many(self.row)}
        elif sort == 14:
            found = {"word": "ranges", "cursor": self.cursor(), "edition": self.name(), "row": self.i64(), "message": self.name(),
                     "mark": f"{self.u64():016x}", "texts": self.many(self.placed_text), "hits": self.many(self.hit)}
        elif sort == 13:
            why = {1: "superseded", 2: "forbidden", 3: "invalid"}[self.u8()]
            found = {"word": "rejected", "why": why, **({"field": self.name(), "reason": self.name()} if why == "invalid" else {})}
        else:
            raise Malformed(f"a word of sort {sort}")
        return {"window": window, **found}


def heard(data):
    """(request, word) of a gateway's frame; all of its bytes are read. What it could not read it answers in another family."""
    if len(data) < 16 or data[:4] != MAGIC or data[4] != VERSION or data[5] not in (GATEWAY, UNREADABLE) or data[6:8] != b"\0\0":
        raise Malformed(f"a head of {data[:16].hex()}")
    if data[5] == UNREADABLE:
        return struct.unpack(">Q", data[8:16])[0], {"word": "unreadable", "window": None}
    source = Bytes(data)
    source.at = 16
    word = source.word()
    if source.at != len(data):
        raise Malformed(f"{len(data) - source.at} bytes behind a {word['word']}")
    return struct.unpack(">Q", data[8:16])[0], word


def heard_json(value):
    """The same of an object of one member that names the word."""
    (sort, content), = value.items()
    found = {"word": sort, **content}
    for row in found.get("rows", []) + found.get("neighbours", []):
        dressed(row)
    if isinstance(found.get("row"), dict):
        dressed(found["row"])
    for change in found.get("changes", []) if isinstance(found.get("changes"), list) else []:
        for row in change.get("rows", []):
            dressed(row)
    if sort == "refused":
        found["why"] = content.get("why") or content.get("reason")
    return found


def dressed(row):
    """Puts what is drawn in a row of JSON where rows of bytes have it."""
    body = {key: row.pop(key) for key in ("decoration", "layout", "said", "expanded", "excerpt") if key in row}
    row["body"] = {"said": None, **body} if "layout" in body else None


# Clients


class Client:
    """A DEALER at the fetch socket. Answers carry the number of their request; what comes unasked is put aside."""

    def __init__(self, address, receive=None):
        self.address, self.receive_limit = address, receive
        self.socket = None
        self.numbers = itertools.count(1)
        self.told = []
        self.connect()

    def connect(self):
        self.close()
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.setsockopt(zmq.RECONNECT_IVL, 50)
        self.socket.setsockopt(zmq.RECONNECT_IVL_MAX, 200)
        if self.receive_limit:
            self.socket.setsockopt(zmq.RCVHWM, self.receive_limit)
        self.socket.connect(self.address)

    def close(self):
        if self.socket is not None:
            self.socket.close()
            self.socket = None

    def say(self, word):
        number = next(self.numbers)
        self.socket.send(frame(word, number))
        return number

    def hear(self, seconds):
        """(request, word), or None when nothing came in time."""
        if not self.socket.poll(max(0, int(seconds * 1000))):
            return None
        return heard(self.socket.recv())

    def ask(self, word, seconds=10.0):
        """The answer, or None after so long. What is told unasked meanwhile waits in `told`."""
        number = self.say(word)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            found = self.hear(left)
            if found is None:
                return None
            if found[0] == number or found[1]["word"] == "unreadable":
                return found[1]
            self.told.append(found[1])
        return None

    def listen(self, seconds):
        """The next thing that was told unasked."""
        if self.told:
            return self.told.pop(0)
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) >= 0:
            found = self.hear(left)
            if found is None:
                return None
            if found[0] == 0:
                return found[1]
        return None


class Busy(Exception):
    """No answer, or one that says to try again."""


def patiently(ask, seconds=20.0):
    """Asks until the answer is one, as long as busy, unknown windows and silence are answers for now."""
    end = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except Busy as error:
            if time.monotonic() > end:
                raise
            time.sleep(0.1 if str(error) != "silence" else 0)


def streaming(port, conversation, frames=False, **query):
    """A stream that runs: one that is refused for now is asked for again."""
    def open_():
        stream = web.Stream(port, conversation, frames, **query)
        if stream.status == 503:
            stream.close()
            raise Busy("503")
        return stream
    return patiently(open_)


def walk(client, conversation, count, own=None, messages=True, bodies=True, window=7, seconds=5.0, target_=None):
    """Every row of a conversation over ZeroMQ, newest page first, as (rows from the oldest on, frame of the first page).

    Starts over when something came between; rows that hold nothing are answers, too, and are left to whoever compares."""
    pages = []
    answer = client.ask(Words.open(window, conversation, target_, reader(own), rows=count, messages=messages, bodies=bodies), seconds)
    first = answer
    while True:
        if answer is None:
            raise Busy("silence")
        if answer["word"] == "refused":
            if answer["why"] == "unknownConversation" and first is answer:
                return None, answer
            raise Busy(answer["why"])
        if answer["word"] != "window":
            raise Busy(f"a {answer['word']}")
        if answer["part"] == "newer":
            pages.insert(0, answer["rows"])
        else:
            pages.append(answer["rows"])
        if answer["rowsAbove"] == answer["rowsBelow"] == 0:
            break
        if not answer["rows"]:
            raise Busy("no rows, though there are some beside")
        # Where rows are too large for one answer there may be some below, too.
        answer = client.ask(Words.page(window, NEWER if answer["rowsBelow"] else OLDER, count), seconds)
    client.say(Words.close(window))
    client.told.clear()
    return [row for page in reversed(pages) for row in page], first


def walk_http(line, conversation, count, own=None, frames=False, messages=True, bodies=True, width="390@3", seconds=5.0,
              rows=1):
    """The same over HTTP, page beside page."""
    accept = ("application/vnd.forme" if frames else "application/json") + (f"; rows={rows}" if rows > 1 else "")
    path = f"/v1/conversations/{urllib.parse.quote(conversation, safe='')}/window"
    query = {"target": width, "count": count, "bodies": "yes" if bodies else "no"}
    if own:
        query["as"] = own
    if messages:
        query["with"] = "body"
    pages, beside, first = [], None, None
    while True:
        try:
            reply = line.get(path, {"Accept": accept}, seconds,
                             **query, **({"beside": beside} if beside else {}))
        except OSError as error:
            raise Busy("silence") from error
        if reply.status == 404 and first is None:
            return None, reply.json()
        if reply.status != 200:
            raise Busy(f"{reply.status}: {reply.body[:200]!r}")
        answer = heard(reply.body)[1] if frames else heard_json(reply.json())
        if answer["word"] != "window":
            raise Busy(f"a {answer['word']}")
        first = first or answer
        if beside and beside.startswith("newer"):
            pages.insert(0, answer["rows"])
        else:
            pages.append(answer["rows"])
        below = answer["rowsBelow"] if len(pages) == 1 or beside.startswith("newer") else 0
        if not answer["rows"] and (below or answer["rowsAbove"]):
            raise Busy("no rows, though there are some beside")
        if below:
            beside = f"newer:{pages[0][-1]['row']}"
        elif beside and beside.startswith("newer") and first["rowsAbove"] or answer["rowsAbove"] and not (beside or "").startswith("newer"):
            beside = f"older:{pages[-1][0]['row']}"
        else:
            break
    return [row for page in reversed(pages) for row in page], first


# Mirrors


class OutOfStep(Exception):
    """A change set that is for another moment than the mirror's."""


class Mirror:
    """The rows of a window, as a client holds them: it does all changes of a set, in their order, and nothing else."""

    def __init__(self, window):
        self.rows = list(window["rows"])
        self.frame(window)

    def frame(self, told):
        self.cursor, self.edition = told["cursor"], told["edition"]
        self.above, self.below, self.top, self.extent = told["rowsAbove"], told["rowsBelow"], told["top"], told["extent"]

    def page(self, window):
        if window["part"] == "older":
            self.rows = window["rows"] + self.rows
        elif window["part"] == "newer":
            self.rows = self.rows + window["rows"]
        else:
            self.rows = list(window["rows"])
        self.frame(window)

    def apply(self, told):
        if told["since"] != self.cursor:
            raise OutOfStep(f"for {told['since']}, held {self.cursor}")
        for change in told["changes"]:
            before = sum(row["height"] for row in self.rows)
            if "insert" in change:
                self.rows[change["insert"]:change["insert"]] = change["rows"]
            elif "remove" in change:
                if change["remove"] + change["count"] > len(self.rows):
                    raise OutOfStep(f"{change['count']} rows at {change['remove']} of {len(self.rows)}")
                del self.rows[change["remove"]:change["remove"] + change["count"]]
            elif "move" in change:
                row = self.rows.pop(change["move"])
                if row["row"] != change["rows"][0]["row"]:
                    raise OutOfStep("another row is moved")
                self.rows.insert(change["to"], change["rows"][0])
            else:
                at = change["replace"] if "replace" in change else change["redecorate"]
                row = change["rows"][0]
                if self.rows[at]["row"] != row["row"]:
                    raise OutOfStep(f"row {row['row']} in the place of {self.rows[at]['row']}")
                self.rows[at] = row
            if change["heightDelta"] != sum(row["height"] for row in self.rows) - before:
                raise OutOfStep(f"a height delta of {change['heightDelta']}, but it is {sum(r['height'] for r in self.rows) - before}")
        self.frame(told)
