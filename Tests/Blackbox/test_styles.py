"""A style rolled under load, and a stray worker with another: every message that was accepted is readable within 2 s all the time."""
import shutil
import threading
import time

import ingest
import windows
from cases import case
from ledger import Ledger, crew, read_back
from service import ROOT, Service, Trouble, until
from test_pages import fill
from windows import Words

LATEST = 2.0  # seconds


class Probe:
    """A message every 50 ms, and a reader who asks until it is there. What counts is from when it was accepted, or, where the
    service was ended on purpose meanwhile, from when all of it was ready again."""

    def __init__(self, service):
        self.service = service
        self.ended, self.written, self.down = threading.Event(), threading.Event(), threading.Event()
        self.accepted = {}  # message: when
        self.seen = {}
        self.late, self.bare = [], []
        self.ready = 0.0
        self.lock = threading.Lock()
        self.threads = [threading.Thread(target=work, daemon=True) for work in (self.write, self.read)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, kind, error, trace):
        self.written.set()
        self.threads[0].join(20)
        end = time.monotonic() + 30
        while kind is None and self.unread() and time.monotonic() < end:
            time.sleep(0.02)
        self.ended.set()
        self.threads[1].join(20)

    def unread(self):
        with self.lock:
            return [name for name in self.accepted if name not in self.seen]

    def write(self):
        producer, count = ingest.Producer(self.service.events), 0
        while not self.written.is_set():
            count += 1
            event = {"conversation": "probe", "message": f"p{count:06}", "sender": "ada", "time": 1700000000000 + count, "order": count,
                     "text": f"probe {count}"}
            while not self.written.is_set():
                reply = producer.post([event], 0.5)
                if reply and reply["answers"][0]["answer"] in ("accepted", "duplicate"):
                    with self.lock:
                        self.accepted[event["message"]] = time.monotonic()
                    break
                time.sleep(0.02)
            self.written.wait(0.05)

    def read(self):
        client = windows.Client(self.service.fetch)
        while not self.ended.is_set():
            wanted = self.unread()
            if wanted and not self.down.is_set():
                answer = client.ask(Words.open(1, "probe", rows=min(256, len(wanted) + 5)), 0.5)
                client.told.clear()
                now = time.monotonic()
                if answer and answer["word"] == "window":
                    for row in answer["rows"]:
                        if row["message"] in self.accepted and row["message"] not in self.seen and row["body"]:
                            self.note(row["message"], now)
            time.sleep(0.02)

    def note(self, name, now):
        self.seen[name] = now - max(self.accepted[name], self.ready)

    def restart(self, **changed):
        """Another configuration, from an orderly end to ready: nobody counts meanwhile."""
        self.down.set()
        self.service.stop()
        self.service.write(**changed)
        self.service.start()
        self.ready = time.monotonic()
        self.down.clear()

    def verdict(self):
        if self.unread():
            raise Trouble(f"{len(self.unread())} of {len(self.accepted)} accepted messages were not readable 30 s later: {self.unread()[:3]} …")
        waits = sorted(self.seen.values())
        told = f"{len(waits)} messages readable after p50 {waits[len(waits) // 2] * 1000:.0f}, p99 {waits[int(len(waits) * 0.99)] * 1000:.0f}, at most {waits[-1] * 1000:.0f} ms"
        if waits[-1] > LATEST:
            raise Trouble(f"{sum(wait > LATEST for wait in waits)} messages were readable later than {LATEST:.0f} s after they were accepted: {told}")
        return told


def other_style(service, number):
    """A copy of the style in which a word and a length are others."""
    folder = service.home / f"style{number}"
    shutil.copytree(ROOT / "config/styles", folder)
    file = folder / "bubble.json5"
    text = file.read_text()
    changed = text.replace('more: "Read more"', f'more: "Read on {number}"').replace("padX: 12", f"padX: {12 + number}")
    if changed == text:
        raise Trouble("the style has other words than this test changes")
    file.write_text(changed)
    return file


def editions(service):
    status = service.status()
    return [(each["edition"][:6], each["state"], each["undone"], each["shards_to_walk"]) for each in status["editions"]] if status else []


def settled(service):
    """Whether one edition is served and done, and no other is on its way."""
    current = [each for each in editions(service) if each[1] != "old"]
    return len(current) == 1 and current[0][1:] == ("served", 0, 0)


@case("styles/rolled under load", short=3, takes=7, long=60, limit=300)
def _(run):
    count = run.pick(4000, 50000)
    ledger = Ledger()
    with Service() as service:
        fill(service, "history", count, lambda i: f"message {i} of long ago, said to nobody in particular", request=250)
        writers = crew(service, ledger, run.seed, conversations=3, zmq_producers=2, http_producers=0, rate=60)
        with Probe(service) as probe:
            with writers:
                writers.ended.wait(1)
                for number in (1, 2) if run.short else (1, 2, 3):
                    probe.restart(style=str(other_style(service, number)))
                    writers.ended.wait(run.seconds / 2)
        told = probe.verdict()
        compared = read_back(service, ledger, (100,), 60)
        until(lambda: settled(service), 120, lambda: f"one edition is served and done: {editions(service)}")
        rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "history", 256, messages=False))
        if len(rows) != count or not all(row["body"] for row in rows):
            raise Trouble(f"{len(rows)} rows of {count} after the roll, {sum(not row['body'] for row in rows)} without body")
    return f"{count} stored, {told}; {writers.posted} other events, {compared} rows compared"


@case("styles/a stray worker changes nothing", short=3, takes=1.5, long=20)
def _(run):
    with Service() as service:
        fill(service, "history", 500, lambda i: f"message {i}")
        before, rows = service.family(), windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "history", 100))
        strange = other_style(service, 5)
        with Probe(service) as probe:
            stray = service.spawn("worker", "--style", strange)
            end = time.monotonic() + run.seconds
            while time.monotonic() < end and stray.poll() is None:
                time.sleep(0.05)
            ended = stray.poll()
            time.sleep(0.5)
            told = editions(service)
        spoken = probe.verdict()
        if stray.poll() is None:
            stray.terminate()
            stray.wait(20)
        states = [(name, state) for name, state, _, _ in told]
        if len(states) != 1 or states[0][1] != "served":
            raise Trouble(f"a worker that was started with another style made editions {states}")
        if ended is None:
            raise Trouble("a worker of another style is not turned away")
        after = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "history", 100))
        if after[0] != rows[0] or after[1]["edition"] != rows[1]["edition"]:
            raise Trouble("rows are others after it")
        if service.family() != before:
            raise Trouble(f"processes: {before} -> {service.family()}")
    return f"turned away with exit code {ended}; {spoken}"


@case("styles/two in turn", short=3, takes=6.5, long=20, limit=240)
def _(run):
    """Restarted with another style before the first roll is done, and back again: the last start wins."""
    with Service() as service:
        fill(service, "history", run.pick(3000, 20000), lambda i: f"message {i}")
        rows = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "history", 256))
        original = service.style
        with Probe(service) as probe:
            for style in (other_style(service, 1), other_style(service, 2), original):
                probe.restart(style=str(style))
                time.sleep(run.seconds / 3)
        told = probe.verdict()
        until(lambda: settled(service), 60, lambda: f"one edition is served and done: {editions(service)}")
        def same():
            after = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "history", 256, bodies=False))
            keep = ("message", "height", "lead", "strip")
            return after[1]["edition"] == rows[1]["edition"] and [[r[k] for k in keep] for r in after[0]] == [[r[k] for k in keep] for r in rows[0]]
        until(same, 60, "the rows of the style that was started last")
    return told
