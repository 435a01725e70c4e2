"""Reactions and votes of single readers: over both roads, repeated, taken back, beside what a backend counts, over kill -9."""
import json
import signal

import ingest
import reactions
import windows
from cases import case
from service import Trouble, until
from test_tokens import Gate

EMOJI = ("👍", "🎉", "❤️", "e", "\u00e9", "e\u0301")  # names are bytes: the last two are two
READERS = ("ada", "bo", "chi", "dörte")


class Person:
    """Posts over HTTP with a token of its own subject, and names itself or does not."""

    def __init__(self, gate, name):
        self.name, self.line = name, gate.line("--all", "--write", "--subject", name)

    def post(self, event):
        body = json.dumps({"events": [event]}, ensure_ascii=False).encode()
        while True:
            reply = self.line.request("POST", f"/v1/conversations/{event['conversation']}/events", body, {"Content-Type": "application/json"})
            if reply.status == 200:
                return reply.json()["answers"][0]
            if reply.status not in (429, 503):
                raise Trouble(f"{self.name}'s {event} is answered {reply.status}: {reply.body[:300]!r}")


def one(producer, event):
    """The answer to one event, asked until there is one that is not busy."""
    return ingest.answers_until_kept(producer, [event])[0][0]


def compare(service, conversation, said, line, why, seconds=20):
    """Until every row tells the sum of what was said to it, over both roads."""
    wrong = None

    def same():
        nonlocal wrong
        for ask in (lambda: windows.walk(windows.Client(service.fetch), conversation, 50), lambda: windows.walk_http(line, conversation, 50)):
            rows, _ = windows.patiently(ask)
            found = {row["message"]: reactions.told(row["body"] and row["body"]["said"]) for row in rows or []}
            for message, each in said.items():
                if found.get(message) != each.total():
                    wrong = f"{message} tells {found.get(message)}, and was told {each.total()}"
                    return False
        return True
    until(same, seconds, lambda: f"{why}: {wrong}")


@case("reactions/of persons and backends", short=3, takes=7, long=30)
def _(run):
    """Four persons over HTTP, two backends over ZeroMQ, one message after the other; each answer is known beforehand."""
    counts = {}
    with Gate() as gate:
        service = gate.service
        reader = gate.line("--all", "--read")
        persons = [Person(gate, name) for name in READERS]
        backends = [ingest.Producer(service.events) for _ in range(2)]
        texts = [{"conversation": "c", "message": f"m{i}", "sender": "eve", "time": i, "order": i, "text": f"number {i}"} for i in range(5)]
        poll = {"conversation": "c", "message": "poll", "sender": "eve", "time": 9, "order": 9, "body": {
            "kind": "poll", "question": "When?", "options": [{"text": "now", "id": "now"}, {"text": "later", "id": "later"}]}}
        ingest.answers_until_kept(backends[0], texts + [poll])
        said = {event["message"]: reactions.Said() for event in texts + [poll]}
        latest, sent = {}, []
        going, kills = run.clock(), 0
        while going() or len(sent) < 150:
            chance, name = run.random.random(), run.random.choice(list(said))
            if chance < 0.2 and sent:  # again, some of them long after
                message, event, person = run.random.choice(sent[-40:])
            elif chance < 0.3:
                person, revision = None, run.random.randint(1, 40)
                event = {"conversation": "c", "message": name, "revision": revision, "reactions": [
                    {"emoji": emoji, "count": run.random.randint(1, 50), "by": run.random.sample(READERS, run.random.choice((0, 0, 1, 2)))}
                    for emoji in run.random.sample(EMOJI, run.random.randint(0, 3))]}
            else:
                who = run.random.randrange(len(READERS))
                latest[who] = latest.get(who, 0) + run.random.choice((1, 1, 7))
                revision = latest[who] if run.random.random() < 0.8 else run.random.randint(1, latest[who])
                react = {"reader": READERS[who]}
                if name == "poll" and run.random.random() < 0.7:
                    react["options"] = run.random.sample(("now", "later"), run.random.choice((0, 1, 1, 2)))
                if "options" not in react or run.random.random() < 0.3:
                    react["emoji"] = run.random.sample(EMOJI, run.random.choice((0, 1, 1, 2, 3)))
                person = persons[who] if run.random.random() < 0.5 else None
                if person and run.random.random() < 0.5:
                    del react["reader"]
                event = {"conversation": "c", "message": name, "revision": revision, "react": react}
            sent.append((name, event, person))
            answer = person.post(event) if person else one(run.random.choice(backends), event)
            counts[answer["answer"]] = counts.get(answer["answer"], 0) + 1
            model = said[event["message"]]
            if "react" in event:
                wanted = model.react(event["revision"], {"reader": person and person.name, **event["react"]})
            else:
                wanted = model.set(event["revision"], event["reactions"])
            if answer["answer"] != wanted:
                raise Trouble(f"{event} of {person.name if person else 'a backend'} is answered {answer}, not {wanted}")
            if len(sent) % 100 == 0:
                kills += 1
                service.signal(signal.SIGKILL, ("coordinator", "worker")[kills % 2])
        compare(service, "c", said, reader, "after so much", 30)
        service.restart(gently=False)
        compare(service, "c", said, reader, "after kill -9 of all", 30)
        for name, event, person in sent[-20:]:
            answer = person.post(event) if person else one(backends[0], event)
            if answer["answer"] == "accepted":
                raise Trouble(f"after kill -9, {event} is accepted once more")
        # Everybody takes everything back.
        for name, model in said.items():
            for who in READERS:
                event = {"conversation": "c", "message": name, "revision": 10**6, "react": {"reader": who, "emoji": [], "options": []}}
                if (answer := one(backends[0], event))["answer"] != model.react(10**6, event["react"]):
                    raise Trouble(f"{event} is answered {answer}")
        compare(service, "c", said, reader, "all taken back", 20)
    return f"{len(sent)} events ({', '.join(f'{count} {name}' for name, count in sorted(counts.items()))}), {kills} kills, sums as they must be over both roads"


@case("reactions/who may and how much", short=1)
def _(run):
    """What is refused, by its field; what is past the limits; and that deleting takes all of it."""
    with Gate() as gate:
        service, backend, ada = gate.service, ingest.Producer(gate.service.events), Person(gate, "ada")
        reader = gate.line("--all", "--read")
        event = lambda message, revision=1, **more: {"conversation": "c", "message": message, "revision": revision, **more}
        post = lambda message, order: one(backend, event(message, sender="bo", time=1, order=order, text="so"))
        post("m", 1), post("full", 2), post("crowd", 3)
        for refused, answer, fields in (
            ("of another reader", ada.post(event("m", react={"reader": "bo", "emoji": ["x"]})), ("react.reader",)),
            ("to a message that is not there", ada.post(event("nothing", react={"emoji": ["x"]})), ("react",)),
            ("of nobody", one(backend, event("m", react={"emoji": ["x"]})), ("react", "react.reader", "reader")),
            ("with nothing said", one(backend, event("m", react={"reader": "bo"})), ("react",)),
            ("nine at once", one(backend, event("m", react={"reader": "bo", "emoji": list("123456789")})), ("react.emoji", "react")),
            ("of 65 bytes", one(backend, event("m", react={"reader": "bo", "emoji": ["x" * 65]})), ("react.emoji", "react")),
            ("of no bytes", one(backend, event("m", react={"reader": "bo", "options": [""]})), ("react.options", "react")),
            ("no list", one(backend, event("m", react={"reader": "bo", "emoji": "x"})), ("react.emoji", "react")),
            ("an unknown field", one(backend, event("m", react={"reader": "bo", "emoji": [], "emojis": []})), ("react.emojis", "react")),
        ):
            if answer["answer"] != "invalid" or not answer["field"].startswith(fields):
                raise Trouble(f"a reaction {refused} is answered {answer}, not invalid with a field of {fields}")
        said = {name: reactions.Said() for name in ("m", "full", "crowd")}
        # 32 different ones: a backend's, and those of readers, eight each.
        said["full"].set(1, [{"emoji": f"b{i}"} for i in range(8)])
        one(backend, event("full", reactions=said["full"].whole[1]))
        for i in range(3):
            react = {"reader": f"r{i}", "emoji": [f"r{i}.{j}" for j in range(8)]}
            if (answer := one(backend, event("full", react=react)))["answer"] != said["full"].react(1, react):
                raise Trouble(f"the emoji {8 * (i + 2)} of 32 are answered {answer}")
        answer = one(backend, event("full", react={"reader": "late", "emoji": ["one more"]}))
        if answer["answer"] != "invalid" or answer["field"] not in ("react", "react.emoji"):
            raise Trouble(f"the 33rd emoji is answered {answer}")
        react = {"reader": "late", "emoji": ["b1", "r1.1"]}
        if (answer := one(backend, event("full", react=react)))["answer"] != said["full"].react(1, react):
            raise Trouble(f"an emoji that is there already is answered {answer}")
        # 4 KiB of readers and their choices.
        taken = 0
        while taken < 1000:
            react = {"reader": f"reader-{taken:05}", "emoji": ["👍"]}
            answer = one(backend, event("crowd", react=react))
            if answer["answer"] != "accepted":
                break
            said["crowd"].react(1, react)
            taken += 1
        if answer["answer"] != "invalid" or answer["field"] not in ("react", "react.emoji") or not 140 <= taken <= 300:
            raise Trouble(f"reader {taken} of one message is answered {answer}")
        compare(service, "c", {name: said[name] for name in ("m", "full")}, reader, "at the limits")
        def crowd():
            rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 50))
            (row,) = [row for row in rows if row["message"] == "crowd"]
            return row["body"] and row["body"]["said"] and row["body"]["said"].get("reactions")
        until(lambda: [each.get("count") for each in crowd() or []] == [taken], 10, lambda: f"{taken} readers counted: {crowd()}")
        # Deleted: what was said goes with it, and what is said afterwards brings nothing back.
        one(backend, event("m", 5, deleted=True))
        for answer in (one(backend, event("m", 9, react={"reader": "ada", "emoji": ["x"]})), one(backend, event("m", 9, reactions=[{"emoji": "x"}]))):
            if answer["answer"] != "superseded":
                raise Trouble(f"a reaction to a deleted message is answered {answer}")
        until(lambda: "m" not in {row["message"] for row in windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "c", 50))[0]},
              10, "the deleted message gone")
    return f"9 refused by their fields, 32 emoji and {taken} readers at most, and all of it gone with its message"
