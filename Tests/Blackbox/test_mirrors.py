"""Live mirrors over both transports: what a client holds who does what it is told equals a fresh window, row for row."""
import json
import threading
import time

import faults
import web
import windows
from cases import case
from ledger import Ledger, crew, read_back
from service import Service, Trouble
from windows import Mirror, OutOfStep, Words


class SocketMirror:
    """A window over ZeroMQ. Where it is out of step it asks for the changes since its cursor, and opens afresh after resync."""

    def __init__(self, service, conversation, random, own):
        self.service, self.conversation, self.random, self.own = service, conversation, random, own
        self.client = windows.Client(service.fetch)
        self.mirror, self.heard = None, time.monotonic()
        self.counts = {"changes": 0, "pages": 0, "opened": 0, "since": 0}

    def open(self):
        around = self.random.choice(("newest", "newest", "unread"))
        answer = self.client.ask(Words.open(1, self.conversation, None, windows.reader(self.own), around,
                                            self.random.choice((10, 50, 100)), messages=True), 2)
        self.client.told.clear()
        self.mirror = None
        if answer and answer["word"] == "window":
            self.mirror = Mirror(answer)
            self.counts["opened"] += 1

    def take(self, word):
        """Does what was told; false where the window has to be opened again."""
        if word is None:
            return True
        if word["word"] == "changes":
            try:
                self.mirror.apply(word)
                self.counts["changes"] += 1
            except OutOfStep:
                if word["since"] == self.mirror.cursor:
                    raise
                return self.since()
        elif word["word"] == "window":
            if word["part"] != "whole" and word["cursor"] != self.mirror.cursor:
                return self.since()
            self.mirror.page(word)
            self.counts["pages"] += 1
        elif word["word"] == "adjusted":
            if word["changes"]:
                return self.take({"word": "changes", **word["changes"]})
        elif word["word"] == "refused":
            return word["why"] == "busy"
        return True

    def since(self):
        """Asks for what followed the cursor; whatever comes before the answer is in it, too, or follows it."""
        self.counts["since"] += 1
        self.client.told.clear()
        answer = self.client.ask(Words.changes(1, self.mirror.cursor), 2)
        if answer is None or answer["word"] != "changes" or answer["since"] != self.mirror.cursor:
            return False
        self.mirror.apply(answer)
        told, self.client.told = self.client.told, []
        return all(self.take(word) for word in told if word.get("cursor", [0, 0, 0])[1:] > self.mirror.cursor[1:])

    def turn(self, playful):
        if self.mirror is None:
            self.open()
            if self.mirror is None:
                time.sleep(0.05)
            return
        word = self.client.listen(0.05)
        good = self.take(word)
        if word is not None:
            self.heard = time.monotonic()
        elif time.monotonic() - self.heard > 1:  # what was lost is not told again, unless somebody asks
            self.heard = time.monotonic()
            good = self.since()
        if good and playful and self.random.random() < 0.1:
            good = self.play()
        if not good:
            self.mirror = None

    def play(self):
        """Scrolls, trims, forgets changes, or breaks the connection."""
        what = self.random.randrange(6)
        if what <= 1:
            side = self.random.choice((windows.OLDER, windows.NEWER))
            word = Words.page(1, side, self.random.choice((1, 20, 50)))
        elif what == 2:
            word = Words.adjust(1, self.random.choice((5, 40, 200)), self.random.choice((0, 500, 1000)))
        elif what == 3:
            self.client.hear(0.05)  # a set that was lost
            return True
        elif what == 4:
            self.client.connect()
            self.mirror = None
            return True
        else:
            return self.since()
        number = self.client.say(word)
        end = time.monotonic() + 2
        while time.monotonic() < end:
            found = self.client.hear(end - time.monotonic())
            if found is None:
                return False
            if not self.take(found[1]):
                return False
            if found[0] == number:
                return True
        return False

    def fresh(self):
        return windows.patiently(lambda: windows.walk(
            windows.Client(self.service.fetch), self.conversation, 256, own=self.own))


class StreamMirror:
    """The same over HTTP: a stream of events or of frames, that breaks off and goes on where it was."""

    def __init__(self, service, conversation, random, own, frames):
        self.service, self.conversation, self.random, self.own, self.frames = service, conversation, random, own, frames
        self.stream, self.mirror, self.line = None, None, web.Line(service.port)
        self.counts = {"changes": 0, "pages": 0, "opened": 0, "resumed": 0}

    def connect(self):
        last = None
        if self.stream is not None:
            last = self.place()
            self.stream.close()
            self.stream = None
        try:
            self.stream = web.Stream(self.service.port, self.conversation, self.frames, last, target="390@3", count=30, seconds=2,
                                     **{"as": self.own, "with": "body"})
        except OSError:
            time.sleep(0.05)
            return
        if self.stream.status != 200:
            self.stream.close()
            self.stream = None
            time.sleep(0.05)
            return
        if last and self.stream.name == last.split(".")[0]:
            self.counts["resumed"] += 1
        else:
            self.mirror = None

    def place(self):
        """STREAM.EPOCH.STAMP.TURN of what was heard last."""
        if self.mirror is None or self.stream.name is None:
            return None
        return ".".join([self.stream.name, *map(str, self.mirror.cursor)])

    def turn(self, playful):
        if self.stream is None:
            return self.connect()
        heard = self.stream.next(0.05)
        if heard is not None:
            word = windows.heard(heard)[1] if self.frames else windows.heard_json(heard)
            if word["word"] == "window":
                if word["part"] == "whole":
                    self.mirror = Mirror(word)
                    self.counts["opened"] += 1
                else:
                    self.mirror.page(word)
                    self.counts["pages"] += 1
            elif word["word"] == "changes":
                self.mirror.apply(word)
                self.counts["changes"] += 1
            elif word["word"] == "adjusted" and word.get("changes"):
                self.mirror.apply(word["changes"])
        if self.stream.ended:
            self.connect()
        elif playful and self.mirror is not None and self.random.random() < 0.05:
            if self.random.random() < 0.4:
                self.connect()
            else:
                self.say({"page": {"window": 1, "side": self.random.choice(("older", "newer")), "count": self.random.choice((1, 20, 50))}}
                         if self.random.random() < 0.7 else {"adjust": {"window": 1, "most": self.random.choice((10, 60)), "focus": 0.5}})

    def say(self, word):
        try:
            self.line.request("POST", f"/v1/conversations/{self.conversation}/streams/{self.stream.name}", json.dumps(word).encode(),
                              {"Content-Type": "application/json"}, 2)
        except OSError:
            pass

    def fresh(self):
        return windows.patiently(lambda: windows.walk_http(
            self.line, self.conversation, 256, own=self.own, frames=self.frames))


def difference(mirror, rows, first):
    """What a mirror holds that a fresh window does not, or the other way round."""
    count = len(mirror.rows)
    if mirror.above + count + mirror.below != len(rows):
        return f"{mirror.above} + {count} + {mirror.below} rows, but there are {len(rows)}"
    there = rows[mirror.above:mirror.above + count]
    for held, row in zip(mirror.rows, there):
        if held != row:
            fields = [key for key in row if held.get(key) != row[key]]
            if fields == ["body"] and held["body"] and row["body"]:
                fields = [f"body.{key}" for key in row["body"] if held["body"].get(key) != row["body"][key]]
            return (f"row {held['row']} of {held['message']} beside row {row['row']} of {row['message']} differ in {fields}: "
                    + f"{[held.get(key, (held['body'] or {}).get(key[5:])) for key in fields]} "[:400]
                    + f"/ {[row.get(key, (row['body'] or {}).get(key[5:])) for key in fields]}"[:400])
    if mirror.cursor[0] == first["cursor"][0]:
        top = first["extent"][0] + sum(row["height"] for row in rows[:mirror.above])
        if mirror.top != top:
            return f"it stands at {mirror.top}, but a fresh one at {top}"
    return None


def live(run, kinds, pause):
    """Mirrors beside writers; now and then all is quiet, and they are compared."""
    ledger, compared, rows_compared = Ledger(), 0, 0
    with Service() as service:
        mishaps = faults.Faults(service, run.random, kinds) if kinds else None
        first = crew(service, ledger, f"{run.seed}/0", conversations=2, rate=0)
        with first:
            first.ended.wait(0.7)
        names = sorted(ledger.conversations)
        mirrors = []
        for name in names:
            mirrors += [SocketMirror(service, name, run.random, own) for own in ("ada", None)]
            mirrors += [StreamMirror(service, name, run.random, "bo", frames) for frames in (False, True)]
        playful, ended, errors = threading.Event(), threading.Event(), []

        def follow(mirror):
            try:
                while not ended.is_set():
                    mirror.turn(playful.is_set())
            except Exception as error:
                errors.append(f"{type(mirror).__name__} of {mirror.conversation}: {type(error).__name__}: {error}")

        threads = [threading.Thread(target=follow, args=(mirror,), daemon=True) for mirror in mirrors]
        for thread in threads:
            thread.start()
        going, round_ = run.clock(), 0
        try:
            while (going() or not compared) and not errors:
                round_ += 1
                playful.set()
                writers = crew(service, ledger, f"{run.seed}/{round_}", conversations=2, rate=60, batch=6)
                for scribe in writers.scribes:  # messages of their own names
                    scribe.name = f"{scribe.name}.{round_}"
                with writers:
                    for _ in range(run.pick(2, 4)):
                        writers.ended.wait(run.random.uniform(*pause))
                        if mishaps:
                            mishaps.happen()
                playful.clear()
                read_back(service, ledger, (256,), 60)
                fault = None
                end = time.monotonic() + 20
                for mirror in mirrors:
                    while not errors:
                        rows, frame = mirror.fresh()
                        held = mirror.mirror
                        fault = difference(held, rows, frame) if held else "nothing is held"
                        if not fault:
                            compared += 1
                            rows_compared += len(held.rows)
                            break
                        if time.monotonic() > end:
                            kind = f"{type(mirror).__name__}{'/frames' if getattr(mirror, 'frames', False) else ''}"
                            raise Trouble(f"{kind} of {mirror.conversation} as {mirror.own}: {fault}")
                        time.sleep(0.2)
        except Trouble as trouble:
            raise Trouble(f"{trouble} -- after {mishaps}") from None
        finally:
            ended.set()
            for thread in threads:
                thread.join(10)
        if errors:
            raise Trouble(f"{'; '.join(errors[:3])} -- after {mishaps}")
    counts = {}
    for mirror in mirrors:
        for name, count in mirror.counts.items():
            counts[name] = counts.get(name, 0) + count
    told = ", ".join(f"{count} {name}" for name, count in counts.items())
    return f"{len(mirrors)} mirrors ({told}) equalled fresh windows {compared} times, {rows_compared} rows" + (
        f", {len(mishaps.done)} mishaps" if mishaps else "")


@case("mirrors/undisturbed", short=4, takes=6, long=60)
def _(run):
    return live(run, (), (0.3, 1.0))


@case("mirrors/gateway killed", short=4, takes=8, long=120, limit=240)
def _(run):
    return live(run, ("kill_gateway", "kill", "halt"), (0.3, 2.0))


@case("mirrors/files deleted", short=0, long=120, limit=300)
def _(run):
    return "only in long turns" if run.short else live(run, faults.FILES_RUNNING, (0.3, 2.0))
