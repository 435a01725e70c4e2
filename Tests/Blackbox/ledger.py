"""An own record of what was posted and answered, and what must be found for it: Ingest.md, told once more in Python."""
import collections
import random
import threading
import time

import ingest
import web
import windows
from service import Trouble

REGISTERS = ("body", "order", "status", "reactions", "deleted")
SENDERS = ("ada", "bo", "chi", "dörte")
WORDS = (
    "see you at nine then ok wait the train is late again no problem I will be there soon bring bread and two tickets "
    "שלום לכם מה נשמע היום مرحبا كيف حالك اليوم 你好 明天 见面 吗 สวัสดีครับ привет как дела сегодня 👍 🎉 naïve café "
    "https://example.org/a?b=c @ada #topic").split()


class Message:
    def __init__(self):
        self.registers = {}  # register: (revision, value)
        self.counter = 0

    def shown(self):
        return "body" in self.registers and "order" in self.registers and "deleted" not in self.registers


def registers_of(event):
    """What an event sets: {register: value}."""
    found = {}
    if "text" in event or "body" in event:
        body = event["body"] if "body" in event else {"kind": "text", "text": event["text"]}
        found["body"] = (event["sender"], event["time"], body)
    for register in ("order", "status", "reactions", "deleted"):
        if register in event:
            found[register] = event[register]
    return found


class Ledger:
    """What was accepted. Events of one message are posted by one producer, so the answer to each is known beforehand."""

    def __init__(self):
        self.conversations = collections.defaultdict(dict)
        self.counts = collections.Counter()
        self.differences = []
        self.lock = threading.Lock()

    def message(self, event):
        return self.conversations[event["conversation"]].setdefault(event["message"], Message())

    def note(self, event, answer, again):
        """Takes an answer into the record, and compares it with what it must be."""
        with self.lock:
            self.counts[answer["answer"]] += 1
            if answer["answer"] not in ("accepted", "duplicate", "superseded"):
                self.differences.append(f"answered {answer} to {event}")
                return
            message = self.message(event)
            revision, values = event.get("revision", 1), registers_of(event)
            newer = equal = False
            if "deleted" not in message.registers:
                for register, value in values.items():
                    known = message.registers.get(register)
                    if known is None or known[0] < revision:
                        newer = True
                    elif known == (revision, value):
                        equal = True
            elif values == {"deleted": True} and message.registers["deleted"][0] >= revision:
                equal = message.registers["deleted"][0] == revision
            if newer:
                expected = {"accepted"}
                if again:
                    expected = {"accepted", "duplicate", "superseded"}
            else:
                expected = {"duplicate"} if equal else {"superseded"}
                if again or "deleted" in message.registers:
                    expected = {"duplicate", "superseded"}
            if answer["answer"] not in expected:
                self.differences.append(f"answered {answer['answer']}, not {'/'.join(sorted(expected))}, to {event}")
            if "deleted" in values:
                message.registers = {"deleted": (revision, True)}
            elif "deleted" not in message.registers:
                for register, value in values.items():
                    known = message.registers.get(register)
                    if known is None or known[0] < revision:
                        message.registers[register] = (revision, value)

    def expected(self, conversation):
        """(message, registers) of what is to be seen, in its order."""
        shown = [(name, message) for name, message in self.conversations[conversation].items() if message.shown()]
        return sorted(shown, key=lambda pair: (pair[1].registers["order"][1], pair[0].encode()))

    def rows(self):
        return sum(len(self.expected(conversation)) for conversation in list(self.conversations))

    def compare(self, conversation, rows, road, messages=True):
        """What is wrong with the rows of a conversation, one sentence each."""
        wrong = []
        expected = self.expected(conversation)
        if rows is None:
            return [f"{road}: {conversation} is unknown, {len(expected)} rows are missing"] if expected else []
        known = self.conversations[conversation]
        counted = collections.Counter(row["message"] for row in rows)
        for name, times in counted.items():
            if times > 1:
                wrong.append(f"{road}: {conversation}/{name} is there {times} times")
            if name not in known:
                wrong.append(f"{road}: {conversation}/{name} was never posted")
            elif not known[name].shown():
                state = "deleted" if "deleted" in known[name].registers else "not complete"
                wrong.append(f"{road}: {conversation}/{name} is shown, but is {state}")
        for name, _ in expected:
            if name not in counted:
                wrong.append(f"{road}: {conversation}/{name} is missing")
        if not wrong and [row["message"] for row in rows] != [name for name, _ in expected]:
            at = next(i for i, (row, (name, _)) in enumerate(zip(rows, expected)) if row["message"] != name)
            wrong.append(f"{road}: {conversation}: {rows[at]['message']} stands at {at}, where {expected[at][0]} belongs")
        for row in rows:
            message = known.get(row["message"])
            if message is None or not message.shown():
                continue
            wrong.extend(f"{road}: {conversation}/{row['message']}: {what}" for what in self.faults(message, row, messages))
        return wrong

    @staticmethod
    def faults(message, row, messages):
        registers = message.registers
        if row["order"] != registers["order"][1]:
            yield f"order {row['order']}, not {registers['order'][1]}"
        body = row["body"]
        if body is None or not body["layout"]:
            yield "has no body"
            return
        sender, time_, content = registers["body"][1]
        said = body["said"]
        if messages:
            if said is None:
                yield "has no message beside its layout"
                return
            if (said["sender"], said["time"], said["body"]) != (sender, time_, content):
                yield f"says {said['body']} of revision {said['revision']}, not {content} of {registers['body'][0]}"
            if said["revision"] != registers["body"][0]:
                yield f"has revision {said['revision']}, not {registers['body'][0]}"
            for register in ("status", "reactions"):
                if said.get(register) != registers.get(register, (0, None))[1]:
                    yield f"has {register} {said.get(register)}, not {registers.get(register)}"
        if isinstance(body["layout"], dict) and content["kind"] == "text":
            lines = [line for node in body["layout"]["nodes"] if node.get("source") == "text" for line in node["text"]["lines"]]
            units = len(content["text"].encode("utf-16-le")) // 2
            if not lines or lines[-1]["end"] != units:
                yield f"has lines of {lines[-1]['end'] if lines else 0} units, its text has {units}"


class Scribe:
    """Makes up events of its own messages, by chance but after the rules, and posts them."""

    def __init__(self, ledger, producer, name, conversations, seed, deletes=0.06):
        self.ledger, self.producer, self.name = ledger, producer, name
        self.conversations, self.deletes = conversations, deletes
        self.random = random.Random(f"{seed}/{name}")
        self.mine = {conversation: [] for conversation in conversations}
        self.made = 0
        self.posted = 0
        self.pending = []

    def text(self):
        count = self.random.choice((1, 3, 8, 15, 30, 60))
        return " ".join(self.random.choice(WORDS) for _ in range(count))

    def body(self):
        kind = self.random.choice(("text",) * 14 + ("photo", "sticker", "poll", "link", "event", "contact"))
        text = self.text
        return {
            "text": lambda: {"kind": "text", "text": text()},
            "photo": lambda: {"kind": "photo", "photo": {"width": self.random.randint(1, 4000), "height": self.random.randint(1, 4000)}},
            "sticker": lambda: {"kind": "sticker", "sticker": {"width": 512, "height": 512}},
            "poll": lambda: {"kind": "poll", "question": text(), "options": [{"text": text(), "percent": 60}, {"text": text()}]},
            "link": lambda: {"kind": "link", "text": text(), "preview": {"url": "https://example.org", "title": text()}},
            "event": lambda: {"kind": "event", "text": text()},
            "contact": lambda: {"kind": "contact", "contact": {"name": "Ada", "phone": "+49 30 1234"}},
        }[kind]()

    def event(self):
        """The next event: mostly new messages, of which some come in pieces and in the wrong order."""
        chance, conversation = self.random.random(), self.random.choice(self.conversations)
        mine = self.mine[conversation]
        if chance < 0.5 or not mine:
            self.made += 1
            mine.append([f"{self.name}-{self.made:06}", 0, set()])
            at = len(mine) - 1
        else:
            at = self.random.randrange(len(mine))
        message = mine[at]
        name, revision, statuses = message
        message[1] = revision + self.random.choice((1, 1, 1, 5))
        event = {"conversation": conversation, "message": name, "revision": message[1]}
        what = self.random.random()
        if revision == 0:
            if what < 0.9:
                event["order"] = self.order()
            if what < 0.95:
                event.update(body=self.body(), sender=self.random.choice(SENDERS), time=1700000000000 + self.made * 20000)
            else:
                event["status"] = "sent"
        elif what < self.deletes * 2:
            event["deleted"] = True
            mine.pop(at)
        elif what < 0.4:
            event.update(body=self.body(), sender=self.random.choice(SENDERS), time=1700000000000 + self.made * 20000)
        elif what < 0.6:
            event["status"] = self.random.choice(("sent", "delivered", "read", "failed"))
        elif what < 0.75:
            event["reactions"] = [{"emoji": "👍", "count": self.random.randint(1, 99)}]
        elif what < 0.95:
            event["order"] = self.order()
        else:  # a late one: it is superseded, unless no status came before
            event["revision"] = self.random.choice([late for late in range(1, message[1] + 1) if late not in statuses])
            event["status"] = "sent"
        if "status" in event:
            statuses.add(event["revision"])
        return event

    def order(self):
        """Mostly behind what is there; sometimes in the midst, below zero, or where another stands."""
        return self.made if self.random.random() < 0.8 else self.random.randint(-20, self.made + 5)

    def round(self, count, seconds=60, abandoned=lambda: False):
        """Posts so many events, in order, as one request a conversation over HTTP and as one over ZeroMQ."""
        events = [self.event() for _ in range(count)]
        groups = [events]
        if isinstance(self.producer, ingest.HTTPProducer):
            by = collections.defaultdict(list)
            for event in events:
                by[event["conversation"]].append(event)
            groups = list(by.values())
        self.pending = [event for group in groups for event in group]
        for group in groups:
            self.post(group, seconds, abandoned)

    def post(self, group, seconds=60, abandoned=lambda: False, again=False):
        answers, sent_again = ingest.answers_until_kept(self.producer, group, seconds, 2.0, abandoned)
        for i, answer in enumerate(answers):
            self.ledger.note(group[i], answer, again or i in sent_again)
        self.posted += len(group)
        self.pending = self.pending[len(group):]

    def finish(self, producer):
        """Posts to another service, or the same, what was not answered when all was abandoned."""
        self.producer = producer
        if self.pending:
            self.post(self.pending, again=True)


class Crew:
    """Scribes that write at once, each on a thread of its own, until they are told to end."""

    def __init__(self, scribes, rate=0, batch=20):
        self.scribes, self.batch, self.pause = scribes, batch, batch / rate if rate else 0
        self.ended, self.abandoned = threading.Event(), threading.Event()
        self.errors = []
        self.threads = [threading.Thread(target=self.write, args=(scribe,), daemon=True) for scribe in scribes]

    def write(self, scribe):
        try:
            while not self.ended.is_set():
                scribe.round(scribe.random.randint(1, self.batch * 2), abandoned=self.abandoned.is_set)
                self.ended.wait(self.pause)
        except ingest.Abandoned:
            pass
        except Exception as error:  # told by whoever ends the crew
            self.errors.append(f"{scribe.name}: {type(error).__name__}: {error}")

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, kind, error, trace):
        self.end(check=kind is None)

    def end(self, check=True):
        self.ended.set()
        for thread in self.threads:
            thread.join(90)
        if check and self.errors:
            raise Trouble("; ".join(self.errors))

    def abandon(self):
        """Ends with requests in the air: what was not answered stays in `pending` of each scribe."""
        self.abandoned.set()
        self.end()

    @property
    def posted(self):
        return sum(scribe.posted for scribe in self.scribes)


def crew(service, ledger, seed, conversations=6, zmq_producers=2, http_producers=1, rate=0, batch=20, deletes=0.06):
    names = [f"talk-{i}" for i in range(conversations)]
    producers = [ingest.Producer(service.events) for _ in range(zmq_producers)]
    producers += [ingest.HTTPProducer(service.port) for _ in range(http_producers)]
    scribes = [Scribe(ledger, producer, f"s{i}", names, seed, deletes) for i, producer in enumerate(producers)]
    return Crew(scribes, rate, batch)


def read_back(service, ledger, sizes=(50, 70, 100, 256), seconds=30.0, messages=True, strangers=()):
    """Reads every conversation page by page over every road until it is as it must be, for so many seconds at most.

    Ends with how many rows were compared. What is still different then is trouble."""
    client = windows.Client(service.fetch)
    roads = [(f"zmq/{size}", lambda name, size=size: windows.walk(client, name, size, messages=messages)) for size in sizes]
    if service.port:
        line = web.Line(service.port)
        roads += [(f"json/{size}", lambda name, size=size: windows.walk_http(line, name, size, messages=messages))
                  for size in sizes[-2:]]
        roads += [(f"frames/{size}", lambda name, size=size: windows.walk_http(line, name, size, frames=True, messages=messages))
                  for size in sizes[:2]]
    end = time.monotonic() + seconds
    compared = 0
    for conversation in [*ledger.conversations, *strangers]:
        for road, ask in roads:
            while True:
                try:
                    rows, _ = windows.patiently(lambda: ask(conversation), max(5.0, end - time.monotonic()))
                    wrong = ledger.compare(conversation, rows, road, messages)
                except windows.Busy as error:
                    rows, wrong = [], [f"{road}: {conversation}: {error}, for {seconds} s"]
                if not wrong:
                    compared += len(rows or [])
                    break
                if time.monotonic() > end:
                    raise Trouble(f"{len(wrong)} differences after {seconds} s: " + "; ".join(wrong[:8]))
                time.sleep(0.2)
    client.close()
    if ledger.differences:
        raise Trouble(f"{len(ledger.differences)} answers: " + "; ".join(ledger.differences[:5]))
    return compared
