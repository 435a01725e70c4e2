"""Runs what stands in this folder: forme blackbox tests, each a process of its own. Called by deploy/blackbox."""
import argparse
import importlib
import os
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path

from cases import CASES, Run

HERE = Path(__file__).resolve().parent
# Most of the time of a test is waiting; of those that are calm, and beside them, there are fewer.
JOBS, CALM = 4 * min(4, os.cpu_count() or 1), 4


def load():
    for file in sorted(HERE.glob("test_*.py")):
        importlib.import_module(file.stem)


def alone(name, seed, options):
    """One test, in this process: prints a line, and what went wrong behind it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))
    run = Run(name, seed, options.short, options.seconds)
    began = time.monotonic()
    try:
        done = CASES[name].function(run)
    except Exception as error:
        broken = not isinstance(error, AssertionError)
        if broken:
            traceback.print_exc(file=sys.stdout)
        print(f"{name}: FAILED after {time.monotonic() - began:.1f} s with seed {seed}: {error}", flush=True)
        return 2 if broken else 1
    print(f"{name}: {done} ({time.monotonic() - began:.1f} s)", flush=True)
    return 0


class Running:
    """A test in a process of its own. It begins with all modules that are loaded here: reading and compiling them anew takes longer than many a test."""

    def __init__(self, name, seed, options):
        self.name, self.seed, self.code = name, seed, None
        self.end = time.monotonic() + Run(name, seed, options.short, options.seconds).limit
        self.said = tempfile.TemporaryFile("w+", errors="replace")
        sys.stdout.flush()
        sys.stderr.flush()
        self.process = os.fork()
        if self.process == 0:
            self.become(options)

    def become(self, options):
        """Runs the test, and ends this process."""
        code = 3
        try:
            # Where the kernel shares processors among sessions first, all tests would have the share of one service. So nobody but the runner
            # tells it of Ctrl-C.
            os.setsid()
            signal.signal(signal.SIGINT, signal.default_int_handler)
            for stream in (1, 2):
                os.dup2(self.said.fileno(), stream)
            code = alone(self.name, self.seed, options)
        except SystemExit as ended:  # it was told to end
            code = ended.code
        except BaseException:
            traceback.print_exc(file=sys.stdout)
        finally:
            try:
                sys.stdout.flush()
                sys.stderr.flush()
            finally:
                os._exit(code)

    def poll(self):
        """What it ended with; None while it runs."""
        if self.code is None:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.code = os.waitstatus_to_exitcode(status)
        return self.code

    def tell(self, number):
        if self.poll() is None:
            os.kill(self.process, number)

    def wait(self, seconds):
        """Until it has ended, which it is made to after so long."""
        end = time.monotonic() + seconds
        while self.poll() is None:
            if time.monotonic() > end:
                self.tell(signal.SIGKILL)
            time.sleep(0.02)

    def outcome(self):
        """What it ended with, in time or not; None while it runs and may."""
        if self.poll() is not None or time.monotonic() < self.end:
            return self.poll()
        self.tell(signal.SIGTERM)
        self.wait(20)
        self.said.seek(0, os.SEEK_END)
        self.said.write(f"{self.name}: FAILED: not done when its time was over, with seed {self.seed}\n")
        self.code = 1
        return self.code

    def words(self):
        self.said.seek(0)
        return self.said.read().rstrip()


def main():
    parser = argparse.ArgumentParser(prog="deploy/blackbox", description="Tests that know the pages and not the code.")
    parser.add_argument("--short", action="store_true", help="a turn of some seconds each")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="tests whose names begin so")
    parser.add_argument("--seed", type=int, default=None, help="what chance begins with (default: another each time)")
    parser.add_argument("--seconds", type=float, default=None, help="how long tests of chance go on, each (default: about 60)")
    parser.add_argument("--rounds", type=int, default=1, help="again with the next seed, so often")
    parser.add_argument("--jobs", type=int, default=None, help="tests at once (default: 3; in a short turn four for each processor, 16 at most)")
    parser.add_argument("--list", action="store_true", help="names the tests")
    parser.add_argument("--planted", nargs="*", metavar="NAME", help="puts old defects back, one after the other: each must be found")
    parser.add_argument("--alone", help=argparse.SUPPRESS)
    options = parser.parse_args()
    load()
    if options.list:
        print("\n".join(CASES))
        return 0
    options.jobs = options.jobs or (JOBS if options.short else 3)
    if options.seed is None:
        options.seed = int(time.time()) % 1_000_000
    if options.planted is not None:
        import planted
        return planted.plant(options.planted, options.seed)
    if options.alone:
        return alone(options.alone, options.seed, options)
    names = [name for name in CASES if not options.only or any(name.startswith(only) for only in options.only)]
    if not names:
        parser.error(f"no test is called {options.only}")
    from expected_failures import EXPECTED
    from service import BINARY
    if not BINARY.is_file():
        parser.error(f"there is no {BINARY}; deploy/blackbox builds it")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(3))  # ends the tests
    began, failed = time.monotonic(), []
    for seed in range(options.seed, options.seed + options.rounds):
        failed += all_of(names, seed, options, EXPECTED)
    print(f"blackbox: {len(names) * options.rounds} tests in {time.monotonic() - began:.0f} s, seed {options.seed}, "
          + (f"FAILED: {', '.join(failed)}" if failed else "no difference"))
    return 1 if failed else 0


def has_room(name, running, jobs):
    """Whether a test may begin beside those that run."""
    is_calm = any(CASES[each.name].calm for each in running) or CASES[name].calm
    return len(running) < (min(jobs, CALM) if is_calm else jobs)


def all_of(names, seed, options, expected):
    # Those that take longest first, so that nobody waits for a single one at the end; and last those that have fewer beside them then.
    waiting = sorted(names, key=lambda name: (CASES[name].calm, -(CASES[name].takes if options.short else CASES[name].long)))
    running, failed = [], []
    try:
        while waiting or running:
            while waiting and has_room(waiting[0], running, options.jobs):
                running.append(Running(waiting.pop(0), seed, options))
            time.sleep(0.02)
            for test in list(running):
                code, name = test.outcome(), test.name
                if code is None:
                    continue
                running.remove(test)
                text = test.words()
                if code == 0:
                    print(text + (f"\n  PASSES NOW, though expected to fail: {expected[name]}" if name in expected else ""), flush=True)
                elif name in expected and code == 1:  # a test that breaks itself is never expected
                    print(f"{text}\n  expected: {expected[name]}", flush=True)
                else:
                    print(text, flush=True)
                    failed.append(name)
    finally:
        for test in running:
            test.tell(signal.SIGINT)
        for test in running:
            test.wait(60)
    return failed


if __name__ == "__main__":
    sys.exit(main())
