"""Requirements, each broken on purpose: a test that is said to hold it (Tests/ArchitectureTests/Seeds.swift) has to fail.

A patch breaks one requirement, by somebody who has not seen its tests, and is switched on by the environment:

    Breaks: S3.2 · the height of older pages is not told
    How: a list jumps when an older page comes

    +    return breaksS3_2a ? 0 : height

So all of them are in one build, and a requirement costs what its tests cost. Patches that would be in each other's way are built in turns. A test
that traps, or does not end, has seen nothing. Where nobody sees one yet, the patch says why (`Open: …`); such a patch that is seen fails, too.
"""
import argparse
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from sources import ROOT, Copy, applies

PATCHES = Path(__file__).resolve().parent / "patches"
SEEDS = ROOT / "Tests/ArchitectureTests/Seeds.swift"
PATIENCE = 240
# One alone may be seen by luck.
EACH = 2
TESTS = ".build/debug/formePackageTests.xctest"
# Optimised, as tests compute for minutes.
BUILD = ["swift", "build", "--build-tests", "-Xswiftc", "-O", "-Xswiftc", "-assert-config", "-Xswiftc", "Debug", "-Xswiftc", "-suppress-warnings"]


class Mutation:
    def __init__(self, file):
        self.file, self.name = file, file.stem
        head = file.read_text().partition("diff --git")[0]
        self.fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        self.requirement, _, self.sentence = self.fields.get("Breaks", "").partition(" · ")
        self.open = self.fields.get("Open")

    def __repr__(self):
        return self.name


def number(name):
    """S1.10 stands behind S1.9."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def seeds():
    """Names of the tests of each requirement."""
    found = {}
    for name, tests in re.findall(r'"(S\d\.\d+)": \.proved\(\s*by: ((?:"(?:[^"\\]|\\.)*",?\s*)+)\)', SEEDS.read_text()):
        found[name] = re.findall(r'"((?:[^"\\]|\\.)*)"', tests)
    return found


def run(tests, mutation=None):
    """What became of them: `passed`, `failed`, `trapped` or `hung`, and the names of those that failed."""
    pattern = "|".join(re.escape(f"`{name}`") for name in tests)
    environment = {name: value for name, value in os.environ.items() if name != "FORME_BREAKS"}
    # Swift's crash reporter would wait for a debugger for ever.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    if mutation:
        environment["FORME_BREAKS"] = mutation
    try:
        done = subprocess.run(
            [str(COPY.folder / TESTS), "--testing-library", "swift-testing", "--filter", pattern], cwd=COPY.folder, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "hung", []
    text = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    failed = sorted(set(re.findall(r'Test "(.*?)" (?:with .*?)?failed after', text)))
    if "Test run with 0 tests" in text:
        return "absent", []
    if done.returncode < 0 or done.returncode > 1:
        return "trapped", failed
    return ("failed", failed) if done.returncode else ("passed", [])


def build(mutations):
    """Builds as many as are not in each other's way, and returns those; the others are for the next turn."""
    COPY.renew()
    built, others = [], []
    for mutation in mutations:
        (built if COPY.apply(mutation.file, fuzz=1) else others).append(mutation)
    done = subprocess.run(BUILD, cwd=COPY.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if "error:" in line]
        sys.exit("mutations: what is broken does not build:\n" + "\n".join(dict.fromkeys(said)))
    return built, others


def judge(mutation, tests):
    at = time.monotonic()
    outcome, failed = run(tests, mutation.name)
    seen = outcome == "failed"
    return {
        "mutation": mutation.name, "breaks": mutation.sentence, "outcome": outcome, "seen_by": failed, "open": mutation.open,
        "as_it_must_be": seen != bool(mutation.open), "seconds": round(time.monotonic() - at, 1)}


def text(found):
    if found["as_it_must_be"]:
        how = f"seen by: {found['seen_by'][0]}" if found["seen_by"] else f"open: {found['open']}"
    elif found["open"]:
        how = f"FAILED: it is seen now, by: {found['seen_by'][0]}; take `Open` out of the patch"
    else:
        how = f"FAILED: nobody sees that {found['breaks']}" + ("" if found["outcome"] == "passed" else f" (tests {found['outcome']})")
    return f"{found['mutation']:<7} {found['seconds']:5.1f} s  {how}"


def chosen(words, found):
    """Those that are named, or of requirements that are, or one in so many of each day's turn."""
    if words.only:
        found = [one for one in found if any(one.name == name or one.requirement == name for name in words.only)]
        if not found:
            sys.exit(f"mutations: there is none called {' or '.join(words.only)}; see --list")
    if words.turn:
        # Not each N-th by the day's number: a turn may come on each N-th day only.
        day = random.Random(int(time.time()) // 86400)
        found = sorted(day.sample(found, -(-len(found) // words.turn)), key=lambda one: number(one.name))
    return found


def main():
    options = argparse.ArgumentParser(prog="deploy/mutations", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("only", nargs="*", help="mutations or requirements, as S3.2a or S3.2 (default: all)")
    options.add_argument("--turn", type=int, metavar="N", help="one in N of them, and at least one, each day others, in one build")
    options.add_argument("--list", action="store_true", help="what there is, and end")
    options.add_argument("--check", action="store_true", help="whether each requirement has two patches, and each patch its place in the sources, and end")
    options.add_argument("--json", action="store_true", help="one JSON object for each")
    words = options.parse_args()
    proofs = seeds()
    found = [Mutation(file) for file in sorted(PATCHES.glob("*.patch"), key=lambda file: number(file.stem))]
    unknown = [one.name for one in found if one.requirement not in proofs]
    if unknown:
        sys.exit(f"mutations: nothing is said to hold what is broken by {', '.join(unknown)}")
    found = chosen(words, found)
    if words.check:
        few = [] if words.only or words.turn else [name for name in proofs if sum(one.requirement == name for one in found) < EACH]
        if few:
            sys.exit(f"mutations: a requirement is broken in two ways, and these are not: {', '.join(sorted(few, key=number))}")
        homeless = [one.name for one in found if not one.sentence or not applies(one.file)]
        if homeless:
            sys.exit(f"mutations: these do not apply any more, or do not say what they break: {', '.join(homeless)}")
        print(f"mutations: {len(found)} have their places, {sum(1 for one in found if one.open)} of them open")
        return
    if words.list:
        for one in found:
            print(f"{one.name:<7} {one.sentence}" + (f" (open: {one.open})" if one.open else ""))
        return
    results, began, waiting = [], time.monotonic(), found
    while waiting:
        print(f"mutations: building {len(waiting)}", file=sys.stderr, flush=True)
        built, waiting = build(waiting)
        if words.turn and waiting:
            # A build takes longer than all tests.
            print(f"mutations: left for another day: {waiting}", file=sys.stderr, flush=True)
            found, waiting = built, []
        if not built:
            sys.exit(f"mutations: these do not apply any more: {waiting}")
        # Of tests that fail anyway, nothing would be proved.
        names = sorted({test for one in built for test in proofs[one.requirement]})
        outcome, failed = run(names)
        if outcome != "passed":
            sys.exit(f"mutations: without any of them, tests {outcome}: {', '.join(failed)}")
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for one in pool.map(lambda one: judge(one, proofs[one.requirement]), built):
                results.append(one)
                print(json.dumps(one) if words.json else text(one), flush=True)
                if not words.json:
                    print(f"mutations: {len(results)} of {len(found)}", end="\r", file=sys.stderr, flush=True)
    wrong = [one["mutation"] for one in results if not one["as_it_must_be"]]
    still = sum(1 for one in results if one["open"])
    print(f"mutations: {len(results)} in {time.monotonic() - began:.0f} s, {still} open, " + (f"FAILED: {', '.join(wrong)}" if wrong else "each other one was seen"),
          file=sys.stderr)
    sys.exit(1 if wrong else 0)


COPY = Copy("mutations")
main()
