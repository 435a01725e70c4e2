"""Holds forme.js to what a gateway says in JSON, and to bytes that say anything: deploy/web --help."""
import argparse
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
import looks  # noqa: E402
import pages  # noqa: E402
import saving  # noqa: E402
import sessions  # noqa: E402
import showroom  # noqa: E402
from kinds import STYLES, TARGETS, events  # noqa: E402
from service import ROOT, Service, until  # noqa: E402

NODE = shutil.which("nodejs") or shutil.which("node") or "nodejs"
TYPES = shutil.which("tsc")


def node(script, *words):
    """Whether a script of this folder ends well; what it says is printed."""
    return subprocess.run([NODE, str(HERE / script), *map(str, words)]).returncode == 0


def sources(out):
    """The scripts can be read by Node and their types hold, and what a gateway sends is made of them; and what needs no browser."""
    def ends(*words):
        return subprocess.run([*map(str, words)]).returncode == 0

    folder = ROOT / "Sources/Web"
    read = subprocess.run([NODE, "--experimental-vm-modules", "--no-warnings", HERE / "readable.mjs", *sorted(folder.glob("*/*.js"))], capture_output=True, text=True)
    out.expect("scripts that Node cannot read", [read.returncode, read.stdout, read.stderr], [0, "", ""])
    out.expect("what a gateway sends is made of them", ends(NODE, folder / "embed.mjs", "--check"), True)
    out.expect("what needs no browser", ends(NODE, "--test", "--test-reporter=dot", HERE / "units.test.mjs"), True)
    if not TYPES:
        return print("web: node-typescript is not installed: the types of the scripts are NOT held to anything")
    out.expect("their types hold, and forme.d.ts has them", ends(NODE, folder / "types.mjs", "--check"), True)
    out.expect("a program in TypeScript finds them", ends(TYPES, "--noEmit", "--strict", "--target", "es2022", "--moduleResolution", "node", HERE / "types.ts"), True)


def decoding(out, style, mutations, seed):
    """Rows are decoded as JSON has them, and changed bytes are decoded or refused."""
    messages = events()
    with Service(style=ROOT / f"config/styles/{style}.json5") as service:
        ingest.answers_until_kept(ingest.Producer(service.events), messages)
        until(lambda: shown(service) == len(messages), 60, "every message laid out")
        address = f"http://127.0.0.1:{service.port}"
        out.expect(f"rows of {style} are decoded as JSON has them", node("compare.mjs", address, "kinds", *TARGETS), True)
        out.expect(f"changed rows of {style} are decoded or refused", node("mutate.mjs", address, "kinds", mutations, seed), True)


# What takes long or is about time, each by itself.
ALONE = {
    "dragged": lambda out, run: pages.dragged(out),
    "saved": lambda out, run: saving.run(out, 3_000, 20_000),
    "demo": lambda out, run: showroom.run(out, run.messages),
    "steps": lambda out, run: longest.run(out, run.messages, run.steps, run.seed),
}


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
    parser.add_argument("--only", choices=sorted(ALONE), help="one of those by itself that are about time: the width under a pointer, a saved style, the demo with its long conversation, steps through that")
    parser.add_argument("--looks", metavar="FOLDER", help="only makes pictures of every kind in both styles, for eyes, as PNGs")
    parser.add_argument("--against", metavar="FOLDER", type=Path, help="tells which of these are other than those of an earlier time: a folder, or a file looks.json (default: what was looked at last, Tests/Web/looks.json)",
                        default=looks.KEPT)
    run = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends services
    if run.looks:
        print(f"web: {looks.make(run.looks)} pictures")
        other = looks.differ(run.looks, run.against) if run.against.exists() else []
        for what in other:
            print(f"web: {what}")
        sys.exit(1 if other else 0)
    if run.only:
        out = pages.Findings()
        ALONE[run.only](out, run)
        sys.exit(out.count > 0)
    meanwhile = [lambda out: sessions.run(out, run.short), sources]
    if not run.pages:
        meanwhile += [lambda out, style=style: decoding(out, style, run.mutations, run.seed) for style in STYLES]
    well = pages.run(run.kills, run.long, run.short, meanwhile, [lambda out: saving.run(out, 1_000) if run.short else ALONE["saved"](out, run)]) == 0
    if run.messages and not run.short:
        out = pages.Findings()
        for name in ("demo", "steps"):
            ALONE[name](out, run)
        well &= out.count == 0
    print("web: forme.js reads, shows and follows what gateways say" if well else "web: something is otherwise; it stands above")
    sys.exit(0 if well else 1)


def shown(service):
    answer = ingest.web.Line(service.port).get("/v1/conversations/kinds/window", target="375@2", count=256)
    return len(answer.json()["window"]["rows"]) if answer.status == 200 else 0


main()
