"""Measures the six figures of the README and writes them into Tests/Benchmarks/figures.json: deploy/bench --record.

Each figure has its machine, its date, the commit that was built, and what was measured in each round; its values are medians, and of accepted
events the least and the most of all rounds. Instructions of the worker's road and of a gateway are those of Tests/Counts/figures.json, which
deploy/count --record counts by callgrind. Some can be measured now and others later: what is not asked for stays as it is.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import statistics
import subprocess
import sys

import turns

ROOT = turns.ROOT
FILE = pathlib.Path(__file__).with_name("figures.json")
COUNTS = ROOT / "Tests/Counts/figures.json"


def bench(forme, *words):
    """The report of forme-bench as JSON."""
    program = pathlib.Path(forme).with_name("forme-bench")
    if not program.exists():
        raise turns.Fault(f"forme-bench is not beside {forme}; build it: swift build -c release --product forme-bench")
    ended = subprocess.run([program, *words, "--json"], cwd=ROOT, capture_output=True, text=True)
    if ended.returncode:
        raise turns.Fault(f"forme-bench {words[0]} ended with {ended.returncode}: {ended.stderr[-1000:]}")
    return json.loads(ended.stdout)


def opening(forme, rounds):
    return [bench(forme, "conversation", "--rounds", str(rounds))["open_ms"]], None


def windows(forme, rounds):
    pages = bench(forme, "pages", "--rounds", str(rounds), "--flood", "0")
    share = 100 * pages["forme"]["pages_per_second"] / pages["floor"]["pages_per_second"]
    return {"window_us": [pages["idle"]["p50_us"]], "router_percent": [round(share, 1)]}, pages


def texts(forme, rounds):
    return [bench(forme, "layout", "--kind", "plain", "--rounds", str(rounds))["messages"]["plain text"]["per_second"]], None


def floods(forme, what, rounds):
    entry = turns.ENTRIES[what]
    found = [turns.measured(forme, what, entry, entry.options, 2, 0, None, []) for _ in range(rounds)]
    if not all(one["clean"] for one in found):
        raise turns.Fault(f"not all was as it must be in a flood of {what}")
    return found


def accepted(forme, rounds):
    found = [one["accepted_per_s"] for one in floods(forme, "saturation", rounds)]
    return [min(found), max(found)], found


def readable(forme, rounds):
    found = [(one["ready_p50_ms"], one["ready_p99_ms"]) for one in floods(forme, "4000", rounds)]
    return [statistics.median(column) for column in zip(*found)], found


# What one program measures: the figures that come of it, and the command that a person types to see them.
MEASURES = {
    "opening": (opening, ["opening_ms"], "forme-bench conversation"),
    "windows": (windows, ["window_us", "router_percent"], "deploy/bench pages"),
    "texts": (texts, ["plain_texts_per_s"], "forme-bench layout --kind plain"),
    "accepted": (accepted, ["accepted_per_s"], "deploy/bench turns saturation"),
    "readable": (readable, ["readable_ms"], "deploy/bench turns 4000"),
}


def commit():
    """The commit of the sources, with a word where what is built of them has changed since."""
    def git(*words):
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()
    changed = git("status", "--porcelain", "--", "Sources", "config", "Package.swift", "Package.resolved")
    return git("rev-parse", "--short=12", "HEAD") + ("-dirty" if changed else "")


def machine():
    model = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
    memory = re.search(r"^MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text(), re.M)
    return f"{os.cpu_count()} processors ({model[1] if model else platform.machine()}), {round(int(memory[1]) / 2**20)} GiB, {platform.release()}"


def main():
    options = argparse.ArgumentParser(prog="deploy/bench --record", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("what", nargs="*", default=list(MEASURES), help=f"of {', '.join(MEASURES)} (default: all)")
    options.add_argument("--rounds", type=int, default=5, help="of each (default: 5)")
    options.add_argument("--output", type=pathlib.Path, default=FILE, help="another file, for a trial")
    words = options.parse_args()
    for what in words.what:
        if what not in MEASURES:
            options.error(f"'{what}' is none of {', '.join(MEASURES)}")
    forme = os.environ["FORME"]
    file = json.loads(words.output.read_text()) if words.output.exists() else {"figures": {}}
    for what in words.what:
        measure, names, command = MEASURES[what]
        start = datetime.datetime.now(datetime.timezone.utc)
        values, all_rounds = measure(forme, words.rounds)
        about = {"command": command, "rounds": words.rounds, "machine": machine(), "date": start.date().isoformat(),
                 "commit": commit()}
        for name in names:
            found = values[name] if isinstance(values, dict) else values
            file["figures"][name] = {"values": found} | about | ({"each": all_rounds} if isinstance(all_rounds, list) else {})
            print(f"{name:18} {' · '.join(map(str, found))}", flush=True)
        file["instructions"] = json.loads(COUNTS.read_text())
        # After each, as they take long.
        words.output.write_text(json.dumps(file, indent=2) + "\n")
        seconds = (datetime.datetime.now(datetime.timezone.utc) - start).total_seconds()
        print(f"record: {what} took {seconds:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main()
    except turns.Fault as fault:
        sys.exit(f"record: {fault}")
