"""What an event costs the service, and when its row can be read, at steady rates and at the end of its strength, beside many stored
messages, and how soon a file that is lost is read again: deploy/bench turns --help.

Each run has a fresh folder and a service of its own. Processor time and bytes are those that the kernel counts for the service's
processes; the flood's own are left out. Of a lost file it counts when the newest 50 rows of each of its conversations are read again.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
# Name: options of the flood, durability, and what is to hold of the median.
BARS = {
    "saturation": ("--rate 30000 --duration 60 --warm-up 3", "full", {"accepted_per_s": (20000, "least"), "ready_p99_ms": (200, "most"), "bytes": (3000, "most")}),
    "7000": ("--rate 7000 --duration 30 --warm-up 3", "process", {"us": (120, "most"), "ready_p99_ms": (20, "most")}),
    "5000": ("--rate 5000 --duration 30 --warm-up 3", "full", {"ready_p99_ms": (35, "most")}),
    "3000": ("--rate 3000 --duration 540", "full", {"us": (160, "most"), "bytes": (5000, "most"), "first_ready_p99_ms": (20, "most"), "last_ready_p99_ms": (25, "most")}),
    "3000-short": ("--rate 3000 --duration 20 --warm-up 3", "full", {"us": (160, "most"), "bytes": (5000, "most"), "ready_p99_ms": (20, "most")}),
    "500": ("--rate 500 --duration 60 --warm-up 3", "full", {"us": (350, "most")}),
    "grown": ("--rate 3000 --duration 60 --warm-up 3", "full", {"us": (160, "most"), "bytes": (5000, "most"), "ready_p99_ms": (30, "most")}),
    "lost": ("--rate 30000 --warm-up 0", "process", {"newest_s": (5, "most")}),
}
NEWEST = 50


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def children(process):
    found = subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True)
    return [int(one) for one in found.stdout.split()]


def written(process):
    lines = Path(f"/proc/{process}/io").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("write_bytes")).split()[1])


def p99(seconds):
    return round(statistics.median(one["ready99"] for one in seconds), 1)


class Service:
    """One in a folder of its own, for as long as its block."""

    def __init__(self, forme, durability, workers, port=None):
        self.folder = Path(tempfile.mkdtemp(prefix="forme-turns-"))
        text = (ROOT / "config/forme.json5").read_text()
        assert 'durability: "full"' in text
        config = self.folder / "forme.json5"
        config.write_text(text.replace('durability: "full"', f'durability: "{durability}"').replace('"config/', f'"{ROOT}/config/'))
        self.data = str(self.folder / "data")
        self.forme, self.workers, self.port = forme, workers, port
        words = [forme, "serve", "--config", str(config), "--data", self.data, "--workers", str(workers)]
        # Beside it fonts are made for browsers, for some minutes.
        words += ["--http", f"127.0.0.1:{port}"] if port else []
        self.process = subprocess.Popen(words, cwd=ROOT, stderr=open(self.folder / "log", "w"))

    def __enter__(self):
        """Waits until all workers are there."""
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None:
            status = subprocess.run([self.forme, "status", "--json", "--data", self.data], capture_output=True, text=True)
            if status.returncode == 0 and len(json.loads(status.stdout)["status"]["workers"]) == self.workers:
                return self
            time.sleep(0.1)
        self.process.kill()
        raise SystemExit((self.folder / "log").read_text())

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.folder)


    def status(self):
        said = subprocess.run([self.forme, "status", "--json", "--data", self.data], capture_output=True, text=True, check=True)
        return json.loads(said.stdout)["status"]

    def fill(self, events, run):
        """Floods until so many events are stored, about as fast as they are laid out, and waits until all of them are laid out."""
        words = [self.forme, "flood", "--data", self.data, "--rate", "8000", "--count", str(events), "--busy", "retry", "--reads", "0", "--run", run, "--json"]
        flood = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        if not flood.stdout or not json.loads(flood.stdout)["clean"]:
            raise SystemExit(flood.stderr + flood.stdout)


def lose(service, events):
    """Removes a file of the edition that is served, and asks for the end of each of its conversations until the newest rows are there."""
    service.fill(events, "lost")
    file = sorted(Path(service.data).glob("shards/*/*.db"))[0]
    with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as rows:
        count = rows.execute("SELECT count(*) FROM rows").fetchone()[0]
        names = [one[0] if isinstance(one[0], str) else one[0].decode() for one in rows.execute("SELECT name FROM conversations")]
    address = f"http://127.0.0.1:{service.port}/v1/conversations"

    def newest(name):
        try:
            with urllib.request.urlopen(f"{address}/{name}/window?target=390@3&count={NEWEST}") as answer:
                return [one["message"] for one in json.load(answer)["window"]["rows"]]
        except urllib.error.HTTPError as refusal:
            if refusal.code != 503:
                raise
            return []

    before = {name: newest(name) for name in names}
    for one in file.parent.glob(file.stem + ".db*"):
        one.unlink()
    start = time.monotonic()
    waiting, first = list(names), None
    while waiting:
        left = [name for name in waiting if newest(name) != before[name]]
        if len(left) < len(waiting) and first is None:
            first = time.monotonic() - start
        waiting = left
    return {"rows": count, "conversations": len(names), "first_s": round(first, 2), "newest_s": round(time.monotonic() - start, 2)}


def run(forme, what, options, durability, workers, events):
    with Service(forme, durability, workers, free_port() if what == "lost" else None) as service:
        if what == "lost":
            return lose(service, events)
        if what == "grown":
            service.fill(events, "before")
        before = sum(written(one) for one in children(service.process.pid))
        words = [forme, "flood", "--data", service.data, "--json", *options.split()]
        flood = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        if not flood.stdout:
            raise SystemExit(flood.stderr)
        report = json.loads(flood.stdout)
        bytes_written = sum(written(one) for one in children(service.process.pid)) - before
    events = report["answers"]["accepted"]
    roles = {}
    for process in report["processes"]:
        roles[process["role"]] = roles.get(process["role"], 0) + process["microsecondsPerEvent"]
    roles.pop("flood")
    stages = {}
    for process in report["stages"]:
        for stage, time_spent in process["microseconds"].items():
            name = f"{process['process'].split()[0]} {stage}"
            stages[name] = round(stages.get(name, 0) + time_spent / events, 1)
    ready = report["latencies"]["ready"]
    timeline = report["timeline"][:-1]
    return {
        "clean": report["clean"], "accepted_per_s": round(report["acceptedRate"]), "us": round(sum(roles.values()), 1),
        **{f"us_{role}": round(value, 1) for role, value in roles.items()}, "bytes": round(bytes_written / events),
        "ready_p50_ms": ready["p50"], "ready_p99_ms": ready["p99"], "ready_p99.99_ms": ready.get("p99.99", ready["max"]),
        "first_ready_p99_ms": p99(timeline[:20]), "last_ready_p99_ms": p99(timeline[-60:]), "busy": report["busy"], "stages": stages,
    }


def verdict(value, bar):
    limit, way = bar
    return f"{value} ({'bar' if (value >= limit if way == 'least' else value <= limit) else 'MISSED, bar'} {limit})"


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench turns", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", default=list(BARS), help=f"of {', '.join(BARS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each, of which the median counts (default: 5)")
    parser.add_argument("--before", help="another binary, of which each run stands beside one of this one's")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--stored", type=int, default=2_000_000, help="events that are there before, in grown and lost (default: 2,000,000)")
    parser.add_argument("--json", action="store_true", help="all that was measured, for programs")
    words = parser.parse_args()
    binaries = {"now": os.environ["FORME"], **({"before": words.before} if words.before else {})}
    for what in words.what:
        options, durability, bars = BARS[what]
        runs = {name: [] for name in binaries}
        for number in range(words.rounds):
            for name, forme in binaries.items():
                runs[name].append(run(forme, what, options, durability, words.workers, words.stored))
                if words.json:
                    print(json.dumps({"what": what, "binary": name, **runs[name][-1]}), flush=True)
                else:
                    print(f"{what} {name} {number + 1}", {key: value for key, value in runs[name][-1].items() if key != "stages"}, file=sys.stderr, flush=True)
        for name, found in runs.items():
            middle = {key: statistics.median(one[key] for one in found) for key in bars}
            if not words.json:
                print(f"{what:<11} {name:<7}", " · ".join(f"{key} {verdict(middle[key], bars[key])}" for key in bars), flush=True)


main()
