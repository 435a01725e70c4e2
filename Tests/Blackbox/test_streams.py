"""Many windows on one line, as Gateway.md has them: a stream over HTTP that takes windows up and lets them go, and goes on with all of them."""
import json
import struct
import time

import ingest
import web
import windows
from cases import case
from service import Service, Trouble, until
from test_pages import fill
from test_tokens import Gate

HEAD = {"Content-Type": "application/json"}


class Tabs:
    """A page with several conversations, which holds what it is told of each and nothing else."""

    def __init__(self, port, conversation, frames=False, token=None):
        self.port, self.conversation, self.frames, self.token = port, conversation, frames, token
        self.line, self.stream, self.last, self.mirrors, self.refused = web.Line(port, token), None, None, {}, {}
        self.answers = {}
        self.connect()

    def connect(self, window=1):
        if self.stream is not None:
            self.stream.close()
        query = {"target": "390@3", "count": 20, "window": window}
        self.stream = windows.streaming(self.port, self.conversation, self.frames, last=self.last, token=self.token, **query)
        if self.stream.status != 200:
            raise Trouble(f"a stream is answered {self.stream.status}")

    def say(self, word, line=None):
        return (line or self.line).request(
            "POST", f"/v1/conversations/{self.conversation}/streams/{self.stream.name}", json.dumps(word).encode(), HEAD).status

    def open(self, window, conversation, **more):
        """Asks until the window is there."""
        word = {"open": {"window": window, "conversation": conversation, "target": {"width": 390, "scale": 3}, "screen": 2532, "count": 20, **more}}
        end = time.monotonic() + 20
        while window not in self.mirrors:
            if time.monotonic() > end:
                raise Trouble(f"window {window} does not come: {self.refused.get(window)}")
            status = self.say(word)
            if status != 202:
                raise Trouble(f"open is answered {status}")
            self.refused.pop(window, None)
            until(lambda: self.hear() or window in self.mirrors or window in self.refused, 10, f"an answer to open({window})")

    def place(self):
        """As the page says it is made; of events it is the id of the last one."""
        if not self.frames:
            return self.stream.last
        of = {window: ".".join(map(str, mirror.cursor)) for window, mirror in self.mirrors.items()}
        return self.stream.name + ("." + of[1] if 1 in of else "") + "".join(f";{w}.{c}" for w, c in sorted(of.items()) if w != 1)

    def hear(self, seconds=0.05):
        """Takes what comes; false when nothing did."""
        told = self.stream.next(seconds)
        if told is None:
            return False
        word = windows.heard(told)[1] if self.frames else windows.heard_json(told)
        number = word.get("window")
        if word["word"] == "window":
            if word["part"] == "whole":
                self.mirrors[number] = windows.Mirror(word)
            else:
                self.mirrors[number].page(word)
        elif word["word"] == "changes":
            self.mirrors[number].apply(word)
        elif word["word"] == "refused":
            self.refused[number] = word["why"] or told["refused"]["because"]
            if self.refused[number] != "busy":
                self.mirrors.pop(number, None)
        elif word["word"] == "done":
            self.mirrors.pop(number, None)
        self.last = self.place()
        return True

    def newest(self, window):
        while self.hear(0.01):
            pass
        return self.mirrors[window].rows[-1]["message"] if window in self.mirrors else None


def post(producer, conversation, number):
    answers, _ = ingest.answers_until_kept(producer, [
        {"conversation": conversation, "message": f"m{number:06}", "sender": "ada", "time": 1700000000000 + number * 30000, "order": number,
         "text": f"word {number}"}])
    if answers[0]["answer"] not in ("accepted", "duplicate"):
        raise Trouble(f"answered {answers}")


@case("streams/many windows on one line", short=5, takes=6, long=15)
def _(run):
    names, counts = [f"c{i}" for i in range(8)], {}
    with Service() as service:
        for name in names:
            fill(service, name, 30, lambda i: f"word {i}")
            counts[name] = 30
        producer = ingest.Producer(service.events)
        pages = [Tabs(service.port, names[0]), Tabs(service.port, names[0], frames=True)]
        for page in pages:
            for number, name in enumerate(names[1:], 2):
                page.open(number, name)
        came_back, clock = 0, run.clock()
        while clock():
            name = run.random.choice(names)
            post(producer, name, counts[name])
            counts[name] += 1
            for page in pages:
                if run.random.random() < 0.3:
                    page.connect()
                    came_back += 1
                if run.random.random() < 0.2:
                    number = run.random.randrange(2, 9)
                    if page.say({"close": {"window": number}}) != 202:
                        raise Trouble("close is refused")
                    until(lambda: page.hear() and False or number not in page.mirrors, 10, f"window {number} is closed")
                    page.open(number, names[number - 1])
        for page in pages:
            for number, name in enumerate(names, 1):
                wanted = f"m{counts[name] - 1:06}"
                until(lambda: page.newest(number) == wanted, 20,
                      f"{'frames' if page.frames else 'events'}: window {number} ends with {page.newest(number)}, not {wanted}")
            fresh = {number: windows.walk_http(web.Line(service.port), name, 256, frames=page.frames, messages=False)[0]
                     for number, name in enumerate(names, 1)}
            for number, rows in fresh.items():
                held = page.mirrors[number].rows
                if [row["message"] for row in held] != [row["message"] for row in rows[-len(held):]]:
                    raise Trouble(f"window {number} holds other rows than there are")
        # A seventeenth window is busy, and one that is closed makes room.
        page = pages[0]
        for number in range(9, 17):
            page.open(number, names[number - 9])
        extra = {"open": {"window": 17, "conversation": "c0", "target": {"width": 390, "scale": 3}, "screen": 2532}}
        page.say(extra)
        until(lambda: page.hear() and False or page.refused.get(17) == "busy", 10, "a seventeenth window is busy")
        page.say({"close": {"window": 1}})
        until(lambda: page.hear() and False or 1 not in page.mirrors, 10, "window 1 is closed")
        page.open(17, "c0")
        if web.Line(service.port).get("/livez").status != 200:
            raise Trouble("no sign of life")
        producer.close()
    return f"8 conversations in 2 streams, {sum(counts.values())} messages, taken up {came_back} times"


@case("streams/tokens of many windows", short=2)
def _(run):
    with Gate() as gate:
        for name in ("a1", "a2", "b1"):
            fill(gate.service, name, 5, lambda i: f"word {i}")
        port = gate.service.port
        narrow, wide = gate.token("--prefix", "a", "--read", "--subject", "ada"), gate.token("--all", "--read", "--subject", "ada")
        page = Tabs(port, "a1", token=narrow)
        page.open(2, "a2")
        word = {"open": {"window": 3, "conversation": "b1", "target": {"width": 390, "scale": 3}, "screen": 2532}}
        if page.say(word) != 403 or page.say(word, web.Line(port, wide)) != 403:
            raise Trouble("a conversation beyond the token of a stream is opened in it")
        other = Tabs(port, "a1", token=wide)
        if other.say(word, web.Line(port, narrow)) != 403:
            raise Trouble("a conversation beyond the token of a word is opened by it")
        if other.say(word, web.Line(port, gate.token("--all", "--read", "--subject", "bob"))) != 404:
            raise Trouble("the stream of another subject is heard of")
        other.open(3, "b1")
        # Back with a token that covers less.
        producer = ingest.Producer(gate.service.events)
        post(producer, "a1", 5)
        producer.close()
        until(lambda: other.newest(1) == "m000005", 10, "a message of window 1")
        other.token = narrow
        other.connect()
        until(lambda: other.hear() and False or other.refused.get(3) == "unauthorized", 10, "a window that the new token does not cover is refused")
        if 3 in other.mirrors or 1 not in other.mirrors:
            raise Trouble(f"windows {sorted(other.mirrors)} are left")
    return "neither the token of a stream nor that of a word opens more than both cover"
