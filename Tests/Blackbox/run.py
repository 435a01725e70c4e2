"""Runs what stands in this folder: forme blackbox tests, each a process of its own. Called by deploy/blackbox."""
import argparse
import importlib
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

from cases import CASES, Run

HERE = Path(__file__).resolve().parent


def load():
    for file in sorted(HERE.glob("test_*.py")):
        importlib.import_module(file.stem)


def alone(name, options):
    """One test, in this process: prints a line, and what went wrong behind it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    run = Run(name, options.seed, options.short, options.seconds)
    began = time.monotonic()
    try:
        done = CASES[name][0](run)
    except Exception as error:
        broken = not isinstance(error, AssertionError)
        if broken:
            traceback.print_exc(file=sys.stdout)
        print(f"{name}: FAILED after {time.monotonic() - began:.1f} s with seed {options.seed}: {error}", flush=True)
        return 2 if broken else 1
    print(f"{name}: {done} ({time.monotonic() - began:.1f} s)", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(prog="deploy/blackbox", description="Tests that know the pages and not the code.")
    parser.add_argument("--short", action="store_true", help="a turn of at most 90 s")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="tests whose names begin so")
    parser.add_argument("--seed", type=int, default=None, help="what chance begins with (default: another each time)")
    parser.add_argument("--seconds", type=float, default=None, help="how long tests of chance go on, each (default: about 60)")
    parser.add_argument("--rounds", type=int, default=1, help="again with the next seed, so often")
    parser.add_argument("--jobs", type=int, default=None, help="tests at once (default: 3; 4 in a short turn)")
    parser.add_argument("--list", action="store_true", help="names the tests")
    parser.add_argument("--planted", nargs="*", metavar="NAME", help="puts old defects back, one after the other: each must be found")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    load()
    if options.list:
        print("\n".join(CASES))
        return 0
    options.jobs = options.jobs or (4 if options.short else 3)
    if options.seed is None:
        options.seed = int(time.time()) % 1_000_000
    if options.planted is not None:
        import planted
        return planted.plant(options.planted, options.seed)
    if options.alone:
        return alone(options.alone, options)
    names = [name for name in CASES if not options.only or any(name.startswith(only) for only in options.only)]
    if not names:
        parser.error(f"no test is called {options.only}")
    from expected_failures import EXPECTED
    from service import BINARY
    if not BINARY.is_file():
        parser.error(f"there is no {BINARY}; deploy/blackbox builds it")
    began, failed = time.monotonic(), []
    for seed in range(options.seed, options.seed + options.rounds):
        failed += all_of(names, seed, options, EXPECTED)
    print(f"blackbox: {len(names) * options.rounds} tests in {time.monotonic() - began:.0f} s, seed {options.seed}, "
          + (f"FAILED: {', '.join(failed)}" if failed else "no difference"))
    return 1 if failed else 0


def all_of(names, seed, options, expected):
    # Those that take longest first, so that nobody waits for a single one at the end.
    waiting = sorted(names, key=lambda name: -CASES[name][1 if options.short else 2])
    running, failed = {}, []
    arguments = ["--seed", str(seed)] + (["--short"] if options.short else [])
    if options.seconds:
        arguments += ["--seconds", str(options.seconds)]
    try:
        while waiting or running:
            while waiting and len(running) < options.jobs:
                name = waiting.pop(0)
                said = tempfile.TemporaryFile("w+", errors="replace")
                process = subprocess.Popen(
                    [sys.executable, "-B", str(HERE / "run.py"), "--alone", name, *arguments], stdout=said, stderr=said)
                running[name] = (process, time.monotonic() + Run(name, seed, options.short, options.seconds).limit, said)
            time.sleep(0.05)
            for name, (process, end, said) in list(running.items()):
                code = process.poll()
                if code is None and time.monotonic() > end:
                    process.terminate()
                    try:
                        process.wait(20)
                    except subprocess.TimeoutExpired:
                        process.kill()
                    said.seek(0, os.SEEK_END)
                    said.write(f"{name}: FAILED: not done when its time was over, with seed {seed}\n")
                    code = 1
                if code is None:
                    continue
                del running[name]
                said.seek(0)
                text = said.read().rstrip()
                if code == 0:
                    print(text + (f"\n  PASSES NOW, though expected to fail: {expected[name]}" if name in expected else ""), flush=True)
                elif name in expected and code == 1:  # a test that breaks itself is never expected
                    print(f"{text}\n  expected: {expected[name]}", flush=True)
                else:
                    print(text, flush=True)
                    failed.append(name)
    finally:
        for process, _, _ in running.values():
            process.terminate()
        for process, _, _ in running.values():
            process.wait()
    return failed


if __name__ == "__main__":
    sys.exit(main())
