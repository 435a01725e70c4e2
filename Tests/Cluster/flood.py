"""Load of a cluster whose outcome is known: a flood of one host, which compares at its end, and a pulse, which says how long nothing was accepted."""
import json
import signal
import subprocess
import threading
import time

from hosts import FORME, NAMES, ROOT, Trouble


class Flood:
    """Posts to one host until it is stopped, keeps what was accepted, and reads all of it back."""

    def __init__(self, cluster, host, rate, seconds):
        self.log, self.report = cluster.home / "flood.log", cluster.home / "flood.json"
        self.process = subprocess.Popen(
            [FORME, "flood", "--data", cluster.data(host), "--rate", str(rate), "--duration", str(seconds), "--busy", "retry", "--settle", "90",
             "--reads", "10", "--conversations", "50", "--json"],
            cwd=ROOT, stdout=open(self.report, "w"), stderr=open(self.log, "w"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    @property
    def is_going_on(self):
        return self.process.poll() is None

    def stop(self):
        """Posts nothing more, and compares what was accepted."""
        if self.is_going_on:
            self.process.send_signal(signal.SIGINT)

    def end(self):
        """How many events were accepted, of which none is missing."""
        self.process.wait()
        try:
            said = json.loads(self.report.read_text())
        except ValueError:
            raise Trouble(f"the flood ended with {self.process.returncode}: {self.log.read_text()[-2000:]}") from None
        # Events that were due when it stopped and were not sent, which it counts as a failure of its own, are not lost.
        answers, found = said["answers"], [said[one] for one in ("ledger", "stored") if one in said]
        if answers["invalid"] or answers["unanswered"] or any(one["faults"] for one in found):
            raise Trouble(f"the flood found a fault: {json.dumps([answers, *found], indent=1)}")
        return answers["accepted"]


class Pulse:
    """One event after the other at each host, and when each was accepted."""

    PAUSE = 0.25

    def __init__(self, cluster):
        self.cluster, self.is_ending = cluster, False
        # Of each event: when it was posted, and when that was answered.
        self.beats = {name: [] for name in NAMES}
        self.threads = [threading.Thread(target=self.run, args=(name,), daemon=True) for name in NAMES]
        for thread in self.threads:
            thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_ending = True

    def run(self, name):
        while not self.is_ending:
            number, start = len(self.beats[name]), time.monotonic()
            try:
                self.post(name, [number])
                self.beats[name].append((start, time.monotonic()))
            except (Trouble, subprocess.TimeoutExpired):
                pass  # The same once more: that it takes long is what is measured.
            time.sleep(self.PAUSE)

    def post(self, name, numbers):
        return self.cluster.posted(name, f"pulse-{name}", [f"number {number}" for number in numbers], numbers[0])

    def is_calm(self):
        """The last event of each host did not wait for others."""
        return all(end - start < 1 for beats in self.beats.values() for start, end in beats[-1:])

    def silent(self, since):
        """Hosts that have accepted nothing that was posted later."""
        return [name for name, beats in self.beats.items() if not beats or beats[-1][0] < since]

    def longest(self, since, names=NAMES):
        """Longest time until now in which none of these hosts has accepted anything."""
        ends = sorted(end for name in names for _, end in self.beats[name] if end >= since)
        moments = [since, *ends, time.monotonic()]
        return max(later - earlier for earlier, later in zip(moments, moments[1:]))

    def end(self):
        """How many events were accepted, of which none is missing: each is known when it is posted again."""
        self.is_ending = True
        for thread in self.threads:
            thread.join()
        for name, beats in self.beats.items():
            if beats and (missing := self.post(name, range(len(beats)))):
                raise Trouble(f"{missing} of {len(beats)} events are missing that were accepted at {name}")
        return sum(map(len, self.beats.values()))
