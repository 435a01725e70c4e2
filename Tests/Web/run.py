"""Holds forme.js to what a gateway says in JSON, and to bytes that say anything: deploy/web --help."""
import argparse
import concurrent.futures
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Blackbox"))
sys.path.insert(0, str(HERE.parent / "Drawn"))

import ingest  # noqa: E402
import longest  # noqa: E402
import pages  # noqa: E402
from kinds import STYLES, TARGETS, events  # noqa: E402
from service import ROOT, Service, until  # noqa: E402

NODE = shutil.which("nodejs") or shutil.which("node") or "nodejs"
TYPES = shutil.which("tsc")


def node(script, *words):
    """Whether a script of this folder ends well; what it says is printed."""
    return subprocess.run([NODE, str(HERE / script), *map(str, words)]).returncode == 0


def sources():
    """Whether the scripts can be read by Node and their types hold, and what a gateway sends is made of them; and what needs no browser."""
    folder = ROOT / "Sources/Web"
    well = all([subprocess.run([NODE, "--check", str(script)]).returncode == 0 for script in sorted(folder.glob("*/*.js"))])
    well &= subprocess.run([NODE, str(folder / "embed.mjs"), "--check"]).returncode == 0
    well &= subprocess.run([NODE, "--test", "--test-reporter=dot", str(HERE / "units.test.mjs")]).returncode == 0
    if not TYPES:
        print("web: node-typescript is not installed: the types of the scripts are NOT held to anything")
        return well
    well &= subprocess.run([TYPES, "-p", str(folder)]).returncode == 0
    well &= subprocess.run([NODE, str(folder / "types.mjs"), "--check"]).returncode == 0
    strict = ["--noEmit", "--strict", "--target", "es2022", "--moduleResolution", "node"]
    return subprocess.run([TYPES, *strict, str(HERE / "types.ts")]).returncode == 0 and well


def main():
    parser = argparse.ArgumentParser(prog="deploy/web", description=(
        "Holds the decoder of forme.js to the JSON of the same rows (every kind, both styles, six screens, three readers), and gives it changed "
        "bytes, which it has to decode or refuse. Then opens the chat that the gateway sends in a headless Chromium: it has to measure nothing, to stand still while "
        "messages come, change and go, to be exact to the pixel, to lose and repeat nothing when the gateway is killed, to run nothing that somebody wrote, to obey keys and tell a screen reader "
        "what models say, to search, to go on under renewed tokens, to keep and forget what was seen last, and to show within a second what is saved of a style or a page. "
        "Ends with 1 where it does otherwise."))
    parser.add_argument("--mutations", type=int, default=1_000_000, metavar="N", help="changed rows for each style (default: 1000000)")
    parser.add_argument("--kills", type=int, default=20, metavar="N", help="how often the gateway is killed under a stream (default: 20)")
    parser.add_argument("--long", type=int, default=6_000, metavar="N", help="messages of the conversation that is scrolled through (default: 6000)")
    parser.add_argument("--pages", action="store_true", help="only the chat in the browser")
    parser.add_argument("--messages", type=int, default=1_000_000, metavar="N", help="messages of the longest conversation (default: 1000000; 0 for none)")
    parser.add_argument("--steps", type=int, default=100_000, metavar="N", help="scrolled through it (default: 100000)")
    parser.add_argument("--short", action="store_true", help="without what takes long")
    parser.add_argument("--seed", type=int, default=1, help="decides every change (default: 1)")
    run = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends services
    messages, well = events(), True
    # Beside what waits for a service.
    checked = concurrent.futures.ThreadPoolExecutor(1).submit(sources)
    for style in [] if run.pages else STYLES:
        with Service(style=ROOT / f"config/styles/{style}.json5") as service:
            ingest.answers_until_kept(ingest.Producer(service.events), messages)
            until(lambda: shown(service) == len(messages), 60, "every message laid out")
            address = f"http://127.0.0.1:{service.port}"
            well &= node("compare.mjs", address, "kinds", *TARGETS)
            well &= node("mutate.mjs", address, "kinds", run.mutations, run.seed)
    well &= checked.result()
    well &= pages.run(run.kills, run.long, run.short) == 0
    if run.messages and not run.short:
        out = pages.Findings()
        longest.run(out, run.messages, run.steps, run.seed)
        well &= out.count == 0
    print("web: forme.js reads, shows and follows what gateways say" if well else "web: something is otherwise; it stands above")
    sys.exit(0 if well else 1)


def shown(service):
    answer = ingest.web.Line(service.port).get("/v1/conversations/kinds/window", target="375@2", count=256)
    return len(answer.json()["window"]["rows"]) if answer.status == 200 else 0


main()
