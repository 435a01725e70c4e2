"""Words that are deleted or expired are gone from all files of the folder within a minute: segments of the log, spares of it, shards, copies."""
import os
import tempfile
import time
from pathlib import Path

import windows
from cases import case
from ingest import Producer, answers_until_kept
from ledger import Ledger, crew
from service import Service, Trouble, until

PROMISED = 60  # seconds


def holders(folder, markers):
    """The files of the folder that have a byte sequence of these, each with how many of them."""
    found = {}
    for root, _, names in os.walk(folder):  # which passes over what goes meanwhile
        for name in names:
            file = Path(root, name)
            try:
                data = file.read_bytes() if file.is_file() else b""
            except OSError:  # it went meanwhile
                continue
            count = sum(marker in data for marker in markers)
            if count:
                found[str(file.relative_to(folder))] = count
    return found


def secret(run, number):
    """A word that is in no other message."""
    return f"secret-{run.random.getrandbits(64):016x}-{number:03}"


def message(name, words, **more):
    now = int(time.time() * 1000)
    return {"conversation": "secrets", "message": name, "sender": "ada", "time": now, "order": now, "text": words, **more}


def shown(service, names):
    """Whether these, and no others, have rows."""
    rows, _ = windows.patiently(lambda: windows.walk(windows.Client(service.fetch), "secrets", 256))
    return {row["message"] for row in rows or [] if row["body"] and row["body"]["layout"]} == set(names)


def gone(service, markers, since, what):
    """Waits until no file has a marker; how long that took."""
    left = PROMISED - (time.monotonic() - since)
    until(lambda: not holders(service.data, markers), left, lambda: f"{what} is gone from {holders(service.data, markers)}")
    return time.monotonic() - since


@case("forgetting/deleted", short=2, long=120, limit=240, takes=40)
def _(run):
    """Messages are edited and deleted while others are posted; some had a revision before that nobody sees any more."""
    ledger, slowest, rounds, deleted = Ledger(), 0, 0, 0
    with Service() as service:
        producer, writers, going = Producer(service.events), crew(service, ledger, run.seed, conversations=3, rate=100), run.clock()
        with writers:
            while rounds < 1 or going():
                rounds += 1
                names = [f"r{rounds}-{i}" for i in range(8)]
                words = {name: secret(run, i) for i, name in enumerate(names)}
                edits = {name: secret(run, 100 + i) for i, name in enumerate(names[::2])}
                answers_until_kept(producer, [message(name, words[name], revision=1) for name in names])
                answers_until_kept(producer, [message(name, edits[name], revision=2) for name in edits])
                until(lambda: shown(service, names), 30, "all secrets are shown")
                markers = [word.encode() for word in [*words.values(), *edits.values()]]
                # What was replaced may be gone already.
                current = [(edits.get(name) or words[name]).encode() for name in names]
                there = holders(service.data, current)
                if not any(name.startswith("log/") for name in there):
                    raise Trouble(f"the words are in no segment of the log, so that their going would say nothing: {there}")
                since = time.monotonic()
                answers_until_kept(producer, [
                    {"conversation": "secrets", "message": name, "revision": 3, "deleted": True} for name in names])
                deleted += len(names)
                slowest = max(slowest, gone(service, markers, since, "what was deleted"))
                if writers.errors:
                    raise Trouble(f"others could not post: {writers.errors[:3]}")
    return f"{deleted} messages deleted beside {writers.posted} events; the words were gone from all files after {slowest:.0f} s at most"


@case("forgetting/expired", short=2, long=60, limit=240, takes=40)
def _(run):
    """The days for which content and layouts are kept are over: the clock of the service says so."""
    ledger, retention = Ledger(), {"content": {"days": 1}, "layouts": {"days": 1}}
    with tempfile.TemporaryDirectory(prefix="forme-blackbox-clock-") as folder:
        clock = Path(folder) / "clock"
        clock.write_text("0")
        with Service(environment={"FORME_TEST_CLOCK": str(clock)}, settings={"retention": retention}) as service:
            producer, writers = Producer(service.events), crew(service, ledger, run.seed, conversations=3, rate=100)
            with writers:
                names = [f"e{i}" for i in range(8)]
                words = {name: secret(run, i) for i, name in enumerate(names)}
                answers_until_kept(producer, [message(name, words[name]) for name in names])
                until(lambda: shown(service, names), 30, "all secrets are shown")
                markers = [word.encode() for word in words.values()]
                if not any(name.startswith("log/") for name in holders(service.data, markers)):
                    raise Trouble("the words are in no segment of the log, so that their going would say nothing")
                # Words are as old as the day in which they came, and a day has passed when the next but one begins: the service sees one
                # begin, as it does every day, then another.
                for day in range(1, 4):
                    since = time.monotonic()
                    clock.write_text(str(day * 86400))
                    time.sleep(3)
                took = gone(service, markers, since, "what has expired")
                if writers.errors:
                    raise Trouble(f"others could not post: {writers.errors[:3]}")
    return f"{len(names)} messages expired beside {writers.posted} events; their words were gone from all files after {took:.0f} s"
