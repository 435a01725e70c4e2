"""Previews, as Windows.md has them: what a draft would look like is what its message looks like once it is posted."""
import json
import re
import time

import ingest
import web
import windows
from cases import case
from service import ROOT, Service, Trouble, until
from test_pages import fill
from test_tokens import Gate

SCREENS = {"375@2": windows.target(375, 2), "397.5@2.625": windows.target(397.5, 2.625)}  # prepared, and unforeseen
TIME = 1_700_100_000_000


def kinds():
    """A body of each kind that the page has, one of them with all that may stand in any."""
    page = (ROOT / "Sources/Wire/Wire.docc/Kinds.md").read_text()
    found = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.S | re.M)]
    if len(found) < 20 or any("kind" not in body for body in found):
        raise Trouble(f"Kinds.md has examples {found}")
    return found


def difference(shown, row):
    """Where a row is not as its preview: nothing but its number may be another."""
    for field in sorted(shown.keys() | row.keys()):
        if field not in ("row", "body") and shown.get(field) != row.get(field):
            return f"{field} is {row.get(field)}, was {shown.get(field)} in the preview"
    own, told = row["body"], shown["body"]
    if own is None or told is None:
        return f"body is {own}, was {told}"
    for field in sorted(own.keys() | told.keys()):
        if own.get(field) != told.get(field):
            return f"{field} is {own.get(field)}, was {told.get(field)} in the preview"
    return None


class Reader:
    """Windows of one conversation at the newest rows, on all screens, at the socket; and the same asked for over HTTP."""

    def __init__(self, service, conversation, own):
        self.client, self.line = windows.Client(service.fetch), web.Line(service.port)
        self.conversation, self.own = conversation, own
        self.mirrors = {}
        for number, screen in enumerate(SCREENS, 1):
            told = windows.patiently(lambda: self.open(number, SCREENS[screen]))
            self.mirrors[number] = windows.Mirror(told)

    def open(self, number, screen):
        told = self.client.ask(windows.Words.open(
            number, self.conversation, screen, windows.reader(self.own), rows=20, messages=True, versions=2))
        if told is None or told["word"] != "window":
            raise windows.Busy(f"{told}")
        return told

    def preview(self, number, draft):
        def ask():
            told = self.client.ask(windows.Words.preview(number, draft))
            if told is None or told["word"] == "refused":
                raise windows.Busy(f"{told}")
            return told
        return windows.patiently(ask)

    def asked(self, what, body=None, accept="application/json; rows=2", **query):
        reply = self.line.request(
            "POST" if body is not None else "GET",
            f"/v1/conversations/{self.conversation}/{what}?" + web.urllib.parse.urlencode({"as": self.own, "with": "body", **query}),
            body and json.dumps(body).encode(), {"Accept": accept, **({"Content-Type": "application/json"} if body else {})}, 20)
        if reply.status != 200:
            raise Trouble(f"{what} of {body} is answered {reply.status} {reply.body[:300]!r}")
        return windows.heard(reply.body)[1] if "vnd" in accept else windows.heard_json(reply.json())

    def follow(self, done, what):
        """Does the changes that are told until `done` says so of the mirrors."""
        def step():
            told = self.client.listen(0.2)
            if told and told["word"] == "changes":
                self.mirrors[told["window"]].apply(told)
            elif told and told["word"] not in ("done", "pending"):
                raise Trouble(f"told {told}")
            return done()
        until(step, 30, what)

    def row(self, number, message):
        return next((row for row in self.mirrors[number].rows if row["message"] == message), None)


@case("previews/as they are posted", short=10, takes=2)
def _(run):
    """A draft of every kind, on a prepared and an unforeseen screen, in frames and in JSON, at the socket and over HTTP: the row that its
    message gets is the row that was shown, field by field, and neighbours look as it was told."""
    compared = beside = 0
    with Service() as service:
        fill(service, "c", 30, lambda i: f"word {i}", sender=lambda i: ("ada", "bo")[i // 3 % 2])
        reader = Reader(service, "c", "ada")
        producer = ingest.Producer(service.events)
        bodies = kinds()
        run.random.shuffle(bodies)
        for place, body in enumerate(bodies):
            draft = {
                "message": f"n{place}", "sender": run.random.choice(("ada", "bo")), "time": TIME + place * run.random.choice((1, 40_000)),
                "order": 1000 + place, "body": body, **run.random.choice((
                    {}, {"status": "read"}, {"reactions": [{"emoji": "👍", "count": 2}, {"emoji": "🎉", "count": 1, "own": True}]},
                    {"status": "failed", "reactions": [{"emoji": "👍"}]}))}
            shown, frames, told = {}, {}, {}
            for number, screen in enumerate(SCREENS, 1):
                shown[number] = reader.preview(number, draft)
                frames[number] = reader.asked("preview", draft, "application/vnd.forme; rows=2", target=screen)
                told[number] = reader.asked("preview", draft, target=screen)
                for answer in (shown[number], frames[number], told[number]):
                    if answer["word"] != "preview" or answer["row"]["row"] != -1:
                        raise Trouble(f"a draft of {body['kind']} is answered {answer}")
                if shown[number]["neighbours"] != frames[number]["neighbours"]:
                    raise Trouble(f"{body['kind']}: neighbours at the socket are others than over HTTP")
            event = {"conversation": "c", **draft}
            answers, _ = ingest.answers_until_kept(producer, [event])
            if answers[0]["answer"] != "accepted":
                raise Trouble(f"{event} is answered {answers}")
            reader.follow(lambda: all(reader.row(number, draft["message"]) for number in shown), f"{draft['message']} has a row")
            for number, screen in enumerate(SCREENS, 1):
                page = reader.asked("window", target=screen, count=1)
                for road, preview, row in (
                    ("at the socket", shown[number], reader.row(number, draft["message"])),
                    ("in frames", frames[number], reader.row(number, draft["message"])), ("in JSON", told[number], page["rows"][-1]),
                ):
                    fault = difference(preview["row"], row)
                    if fault:
                        raise Trouble(f"{body['kind']} on {screen} {road}: {fault}; posted was {event}")
                    compared += 1
                for neighbour in shown[number]["neighbours"]:
                    fault = difference(neighbour, reader.row(number, neighbour["message"]) or {"body": None})
                    if fault:
                        raise Trouble(f"{neighbour['message']} beside {body['kind']} on {screen}: {fault}")
                    beside += 1
                known = {neighbour["message"] for neighbour in shown[number]["neighbours"]}
                fault = unforetold(reader, number, draft["message"], known)
                if fault:
                    raise Trouble(f"beside {body['kind']} on {screen}: {fault}")
        producer.close()
        if beside == 0:
            raise Trouble("no row looked otherwise beside a draft: there was nothing to compare")
    return f"{compared} rows of {len(bodies)} kinds are as their previews, {beside} beside them, too"


def unforetold(reader, number, message, known):
    """A row above that looks otherwise since, and was no neighbour."""
    rows = reader.mirrors[number].rows
    at = next(place for place, row in enumerate(rows) if row["message"] == message)
    before = getattr(reader, "seen", {})
    changed = [row["message"] for row in rows[:at] if (number, row["message"]) in before
               and before[number, row["message"]] != (row["height"], row["body"]["decoration"]) and row["message"] not in known]
    for row in rows:
        before[number, row["message"]] = (row["height"], row["body"]["decoration"])
    reader.seen = before
    return f"{changed} look otherwise, and nobody said so" if changed else None


@case("previews/what they leave out", short=2)
def _(run):
    """What a draft does not say is taken from where it is written, and nothing of it is kept: in no window, in no file."""
    with Service() as service:
        fill(service, "c", 5, lambda i: f"word {i}")
        reader = Reader(service, "c", "bo")
        secret = f"nowhere-{run.random.getrandbits(64):x}"
        before = reader.asked("window", target="375@2", count=20)
        for number in reader.mirrors:
            row = reader.preview(number, {"text": secret})["row"]
            said = row["body"]["said"]
            if (row["message"], row["row"]) != ("draft", -1) or row["order"] <= before["rows"][-1]["order"]:
                raise Trouble(f"a draft that says only its text stands at {row['message']}, {row['row']}, {row['order']}")
            if said["sender"] != "bo" or said["body"] != {"kind": "text", "text": secret}:
                raise Trouble(f"a draft of bo is said as {said}")
            if abs(said["time"] - time.time() * 1000) > 60_000:
                raise Trouble(f"a draft of now has the time {said['time']}")
        reader.asked("preview", {"text": secret}, target="375@2")
        after = reader.asked("window", target="375@2", count=20)
        if before != after:
            raise Trouble("a window is another after a preview")
        if told := reader.client.listen(0.5):
            raise Trouble(f"a preview is told to windows: {told}")
        service.stop()
        kept = [file for file in service.files("**/*") if file.is_file() and secret.encode() in file.read_bytes()]
        if kept:
            raise Trouble(f"words of a draft are kept in {kept}")
        service.start()
        if [row["message"] for row in Reader(service, "c", "bo").mirrors[1].rows] != [row["message"] for row in before["rows"]]:
            raise Trouble("after a start there are other rows")
    return "nothing of drafts is kept"


DRAFTS = {
    "no words": {}, "a revision alone": {"revision": 2}, "a list": [{"text": "x"}], "an order alone": {"order": 1}, "a name that no event has": {"text": "x", "colour": "red"}, "a text that is none": {"text": 7},
    "a body that is none": {"body": "x"}, "a body without a kind": {"body": {"text": "x"}},
    "a text too long": {"text": "x" * 20_000}, "a status too long": {"text": "x", "status": "y" * 100},
    "an order that is none": {"text": "x", "order": "first"}, "a time beyond all": {"text": "x", "time": 9_000_000_000_000_000},
    "a revision below": {"text": "x", "revision": -1}, "a name of no letters": {"text": "x", "message": ""},
    "two bodies": {"text": "x", "body": {"kind": "text", "text": "x"}},
    "another conversation": {"text": "x", "conversation": "elsewhere"},
}


@case("previews/refused", short=2)
def _(run):
    """What could not be posted has no preview: it is refused with the field and the words that its event is refused with; and by token."""
    told = 0
    with Gate() as gate:
        service = gate.service
        fill(service, "c", 3, lambda i: f"word {i}")
        person = gate.line("--conversation", "c", "--read", "--write", "--subject", "ada")
        backend = gate.line("--conversation", "c", "--read", "--write", "--backend")
        client = windows.Client(service.fetch)
        windows.patiently(lambda: opened(client))

        def preview(line, draft):
            reply = line.request("POST", "/v1/conversations/c/preview?target=375@2&as=ada", json.dumps(draft).encode(), {}, 20)
            return reply.status, reply.json().get("detail", "") if reply.status != 200 else reply.json()

        def post(line, draft):
            if not isinstance(draft, dict):
                return None
            event = {"conversation": "c", "message": "new", "sender": "ada", "time": 1, **draft}
            reply = line.request("POST", "/v1/conversations/c/events", json.dumps({"events": [event]}).encode(), {"Content-Type": "application/json"})
            answer = reply.json().get("answers", [{}])[0] if reply.status == 200 else {}
            return placed(answer) if answer.get("answer") == "invalid" else None

        drafts = dict(DRAFTS, **{"a react": {"react": {"reader": "ada", "emoji": ["x"]}}, "a deletion": {"deleted": True}})
        for name, draft in drafts.items():
            status, detail = preview(backend, draft)
            # What is wrong with all of it has no field.
            if status != 400 or not re.match(r"^expected an (object|event)" if isinstance(draft, list) or not draft.keys() - {"revision"} else r"^\w+: .", detail):
                raise Trouble(f"{name} is answered {status} {detail!r}")
            said = client.ask(windows.Words.preview(1, draft))
            if said["word"] != "rejected" or said["why"] != "invalid" or placed(said) != detail:
                raise Trouble(f"{name} is answered {said} at the socket, and {detail!r} over HTTP")
            own = post(backend, draft)
            # Without words something else may be said of a message.
            if own is not None and own != detail and {"body", "text"} & draft.keys():
                raise Trouble(f"{name} is refused with {detail!r}, and its event with {own!r}")
            told += own is not None
        # Of a person, what only backends say.
        for name, draft in {"an order": {"text": "x", "order": 1}, "a status": {"text": "x", "status": "read"},
                            "reactions": {"text": "x", "reactions": []}, "another's name": {"text": "x", "sender": "bo"}}.items():
            status, detail = preview(person, draft)
            own = post(person, draft)
            if status != 400 or own != detail:
                raise Trouble(f"{name} of a person is answered {status} {detail!r}, and its event {own!r}")
            told += 1
        # What the style cannot lay out is accepted as an event, and has no preview.
        status, detail = preview(backend, {"body": {"kind": "photo"}})
        if status != 400 or "photo" not in detail:
            raise Trouble(f"a photo without its size is answered {status} {detail!r}")
        if preview(person, {"text": "See you"})[0] != 200 or preview(backend, {"text": "x", "order": 4, "status": "read"})[0] != 200:
            raise Trouble("a draft that may be posted has no preview")
        for words in (("--read", "--subject", "ada"), ("--write", "--subject", "ada")):
            status, detail = preview(gate.line("--conversation", "c", *words), {"text": "x"})
            if status != 403:
                raise Trouble(f"a token with {words[0]} alone is answered {status} {detail!r}")
        if preview(gate.line("--conversation", "d", "--read", "--write", "--backend"), {"text": "x"})[0] not in (403, 404):
            raise Trouble("a token of another conversation sees a preview")
        if preview(web.Line(service.port), {"text": "x"})[0] != 401:
            raise Trouble("without a token there is a preview")
        long = {"text": "x" * 40_000}
        status = preview(backend, long)[0]
        if status != 413:
            raise Trouble(f"a draft of more than 32 KiB is answered {status}")
        if client.ask(windows.Words.preview(9, {"text": "x"}))["why"] != "unknownWindow":
            raise Trouble("a preview in no window is answered")
    return f"{len(drafts) + 5} drafts refused, {told} of them as their events are"


def placed(fault):
    """A refusal in one line, as HTTP has it."""
    return f"{fault['field']}: {fault['reason']}" if fault["field"] else fault["reason"]


def opened(client):
    told = client.ask(windows.Words.open(1, "c", windows.target(375, 2), windows.reader("ada"), rows=5))
    if told is None or told["word"] != "window":
        raise windows.Busy(f"{told}")
