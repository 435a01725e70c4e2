"""Lists of conversations, as Conversations.md and Ingest.md have them."""
import json
import signal
import time

import ingest
import web
import windows
from cases import case
from service import Service, Trouble, forme, until
from test_tokens import Gate


def listed(line, count=50, **query):
    """All pages of a list, as the page says to ask for them."""
    found, after, pages = [], None, 0
    while True:
        def ask():
            reply = line.get("/v1/conversations", None, 10, count=count, **query, **({"after": after} if after else {}))
            if reply.status in (429, 503):
                raise windows.Busy("503")
            if reply.status != 200:
                raise Trouble(f"a list is answered {reply.status}: {reply.body[:300]!r}")
            return reply.json()
        page = windows.patiently(ask)
        found, pages = found + page["conversations"], pages + 1
        if len(page["conversations"]) > count or "next" in page and len(page["conversations"]) < count:
            raise Trouble(f"a page of {count} has {len(page['conversations'])} conversations")
        after = page.get("next")
        if after is None:
            return found


def kept(producer, events):
    answers, _ = ingest.answers_until_kept(producer, events)
    wrong = [answer for answer in answers if answer["answer"] not in ("accepted", "duplicate", "superseded")]
    if wrong:
        raise Trouble(f"answered {wrong}")
    return answers


class Chat:
    """What was said, as plainly as can be, and what a list must have of it."""

    def __init__(self, random):
        self.random, self.messages, self.titles, self.read = random, {}, {}, {}
        self.activity, self.order = {}, 0

    def say(self, name):
        self.order += 1
        message = {"conversation": name, "message": f"m{self.order}", "sender": self.random.choice(("ada", "bo")), "order": self.order,
                   "time": 1600000000000 + self.order, "text": f"word {self.order}"}
        self.messages.setdefault(name, []).append(message)
        self.activity[name] = message["time"]
        return message

    def delete(self, name):
        message = self.messages[name].pop()
        return {"conversation": name, "message": message["message"], "revision": 2, "deleted": True}

    def title(self, name, revision):
        self.titles[name] = f"Title {revision} of {name} 🎉"
        return {"conversation": name, "revision": revision, "title": self.titles[name]}

    def mark(self, name, reader):
        order = self.random.choice(self.messages[name])["order"]
        self.read[name, reader] = max(order, self.read.get((name, reader), order))
        return {"conversation": name, "read": {"reader": reader, "order": order}}

    def expected(self, covers, reader):
        lines = []
        for name in sorted(self.activity, key=lambda name: (-self.activity[name], name.encode())):
            if not covers(name):
                continue
            last = self.messages[name][-1] if self.messages[name] else None
            place = self.read.get((name, reader), -1)
            unread = [m for m in self.messages[name] if m["order"] > place and m["sender"] != reader]
            lines.append((name, self.titles.get(name), last and last["message"], last and last["text"], min(100, len(unread))))
        return lines


def seen(lines):
    return [(line["conversation"], line.get("title"), line.get("last", {}).get("message"), line.get("last", {}).get("words"), line.get("unread"))
            for line in lines]


@case("lists/of what was said", short=6, takes=7, long=30)
def _(run):
    chat, names = Chat(run.random), [f"{team}/{i}" for team in ("red", "re", "blue") for i in range(12)]
    rounds = 0
    with Gate() as gate:
        producer = ingest.Producer(gate.service.events)
        lines = {
            ("ada", ""): gate.line("--all", "--read", "--subject", "ada"), ("bo", "red/"): gate.line("--prefix", "red/", "--read", "--subject", "bo"),
            ("ada", "re"): gate.line("--prefix", "re", "--read", "--subject", "ada"), ("eve", "nobody"): gate.line("--prefix", "nobody", "--read", "--subject", "eve"),
        }
        clock = run.clock()
        revision = 0
        while clock() or rounds < 2:
            events = [chat.say(run.random.choice(names)) for _ in range(run.random.randint(1, 60))]
            for _ in range(8):
                name = run.random.choice(list(chat.activity))
                if chat.messages[name]:
                    events.append(chat.mark(name, run.random.choice(("ada", "bo"))))
                    if run.random.random() < 0.5:
                        events.append(chat.delete(name))
                if run.random.random() < 0.3:
                    revision += 1
                    events.append(chat.title(name, revision))
            kept(producer, events)
            rounds += 1
            if rounds == 2:
                gate.service.restart(gently=run.random.random() < 0.5)
            for (reader, prefix), line in lines.items():
                wanted = chat.expected(lambda name: name.startswith(prefix), reader)
                until(lambda: seen(listed(line, run.random.choice((7, 50, 256)))) == wanted, 20,
                      f"the list of {reader} for {prefix!r} is {seen(listed(line))[:4]}…, not {wanted[:4]}…")
        producer.close()
    return f"{rounds} rounds, {chat.order} messages in {len(chat.activity)} conversations, 4 readers"


@case("lists/tokens and places", short=2)
def _(run):
    with Gate() as gate:
        producer = ingest.Producer(gate.service.events)
        chat = Chat(run.random)
        kept(producer, [chat.say(f"a{i}") for i in range(20)] + [chat.say(f"b{i}") for i in range(20)])
        ada = gate.line("--prefix", "a", "--read", "--subject", "ada")
        first = windows.patiently(lambda: page(ada, {"count": 5}))
        place = first["next"]
        if page(gate.line("--prefix", "a", "--read", "--subject", "ada"), {"count": 5, "after": place}) != page(ada, {"count": 5, "after": place}):
            raise Trouble("a place is not good for another token of the same subject and scope")
        for words in (("--prefix", "a", "--read", "--subject", "bob"), ("--all", "--read", "--subject", "ada"), ("--prefix", "b", "--read", "--subject", "ada")):
            status = gate.line(*words).get("/v1/conversations", None, 10, after=place).status
            if status != 409:
                raise Trouble(f"a place of another list is answered {status} with a token of {words}")
        if (status := ada.get("/v1/conversations", None, 10, after=place + "0").status) != 409:
            raise Trouble(f"a place that is none is answered {status}")
        for query in ({"count": 0}, {"count": 257}, {"after": "x"}, {"after": "1.1.zz"}, {"cuont": 5}, {"count": "5x"}):
            reply = ada.get("/v1/conversations", None, 10, **query)
            if reply.status != 400 or "detail" not in reply.json():
                raise Trouble(f"{query} is answered {reply.status}")
        for line, status in ((web.Line(gate.service.port), 401), (gate.line("--all", "--write", "--subject", "ada"), 403)):
            found = line.get("/v1/conversations").status
            if found != status:
                raise Trouble(f"a list is answered {found}, not {status}")
        # A person says how far it has read, and nothing else of a conversation.
        writer = gate.line("--prefix", "a", "--read", "--write", "--subject", "ada")
        def post(conversation, event):
            return writer.request("POST", f"/v1/conversations/{conversation}/events", json.dumps(event).encode(), {"Content-Type": "application/json"})
        if post("a1", {"conversation": "a1", "read": {"message": "m2"}}).json()["answers"][0]["answer"] != "accepted":
            raise Trouble("a person cannot say what it has read")
        for event, field in (({"title": "mine"}, "title"), ({"picture": 7}, "picture"), ({"read": {"reader": "bob", "order": 1}}, "read.reader"),
                             ({"read": {"message": "nobody"}}, "read.message")):
            answer = post("a1", {"conversation": "a1", **event}).json()["answers"][0]
            if answer["answer"] != "invalid" or answer["field"] != field:
                raise Trouble(f"{event} of a person is answered {answer}")
        if post("b1", {"conversation": "b1", "read": {"order": 1}}).status != 403:
            raise Trouble("a conversation beyond the token is written")
        producer.close()
        token = gate.service.home / "ada.token"
        token.write_text(gate.token("--prefix", "a", "--read", "--subject", "ada"))
        said = forme("list", "--http", f"http://127.0.0.1:{gate.service.port}", "--token", token, "--json", "--count", "3").stdout.decode()
        if [json.loads(line)["conversation"] for line in said.splitlines()] != [line["conversation"] for line in listed(ada)][:3]:
            raise Trouble(f"forme list prints {said!r}")
    return "places are good for their own list, and each token lists what it covers"


def page(line, query):
    reply = line.get("/v1/conversations", None, 10, **query)
    if reply.status in (429, 503):
        raise windows.Busy("503")
    if reply.status != 200:
        raise Trouble(f"a list is answered {reply.status}: {reply.body[:300]!r}")
    return reply.json()


@case("lists/as a stream", short=4, long=15)
def _(run):
    chat, told = Chat(run.random), 0
    with Gate() as gate:
        producer = ingest.Producer(gate.service.events)
        names = [f"a{i}" for i in range(6)] + [f"b{i}" for i in range(6)]
        kept(producer, [chat.say(name) for name in names])
        token = gate.token("--prefix", "a", "--read", "--subject", "ada")
        line = web.Line(gate.service.port, token=token)
        windows.patiently(lambda: page(line, {}))
        def opened():
            stream = web.Stream(gate.service.port, "", path="/v1/conversations/changes?count=3", token=token)
            if stream.status != 200:
                raise Trouble(f"a stream of the list is answered {stream.status}")
            held = {item["conversation"]: item for item in stream.next()["conversations"]}
            if len(held) != 3:
                raise Trouble(f"the first page has {len(held)} conversations")
            return stream, held
        stream, held = opened()
        clock = run.clock()
        while clock():
            name = run.random.choice(names)
            events = [chat.say(name)]
            if run.random.random() < 0.3:
                events = [chat.delete(name)] if chat.messages[name] else events
            if chat.messages[name] and run.random.random() < 0.3:
                events.append(chat.mark(name, "ada"))
            if run.random.random() < 0.3:
                # Rows of what was said come as soon as the first page has left.
                stream.close()
                gate.service.signal(signal.SIGSTOP, "worker")
                kept(producer, events)
                stream, held = opened()
                gate.service.signal(signal.SIGCONT, "worker")
            else:
                kept(producer, events)
            def caught_up():
                nonlocal told
                event = stream.next(0.05)
                while event is not None:
                    told += 1
                    for item in event.get("conversations", []):
                        if not item["conversation"].startswith("a"):
                            raise Trouble(f"{item['conversation']} is told, which the token does not cover")
                        held[item["conversation"]] = item
                    event = stream.next(0.01)
                wanted = {entry[0]: entry for entry in chat.expected(lambda name: name in held, "ada")}
                return {entry[0]: entry for entry in seen(held.values())} == wanted
            until(caught_up, 15, f"what was told of {name} is what a list has")
        stream.close()
        producer.close()
    return f"{told} events, and what they made of the first page is the list"
