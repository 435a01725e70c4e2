"""Draws the examples of the page Kinds. See deploy/kinds."""
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "Sources/Wire/Wire.docc/Kinds.md"
PICTURES = PAGE.parent / "Resources"
TARGET = "375@2"
# Examples are written in these; a drawing names every font that there is a script for, which would be nine tenths of it.
FONTS = {"Forme NotoSans", "Forme NotoSansMono", "Forme NotoSansMath", "Forme NotoSansSymbols2", "Forme NotoColorEmoji"}


def examples():
    """The message under the heading of each kind that says most."""
    for kind, text in re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S):
        found = re.findall(r"^\{\"kind\": .*\}$", text, re.M)
        if found:
            yield kind, max(found, key=len)


def drawn(message):
    run = subprocess.run(
        [os.environ["FORME"], "layout", "--target", TARGET, "--svg", "-"], cwd=ROOT, input=message, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"kinds: {message} is not drawn: {run.stderr}")
    lines = []
    for line in run.stdout.splitlines():
        face = re.match(r"@font-face \{ font-family: '([^']+)'", line)
        if (face and face[1] not in FONTS) or ":lang(" in line:
            continue
        lines.append(re.sub(r"'(Forme [^']+)', ", lambda name: name[0] if name[1] in FONTS else "", line))
    return "\n".join(lines) + "\n"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: deploy/kinds [--check]")
    pictures = {f"kind-{kind}.svg": drawn(message) for kind, message in examples()}
    there = {path.name: path for path in PICTURES.glob("kind-*.svg")}
    stale = sorted(
        {name for name, text in pictures.items() if name not in there or there[name].read_text() != text} | (there.keys() - pictures.keys()))
    if check:
        if stale:
            sys.exit(f"kinds: not what is drawn now: {', '.join(stale)}; run deploy/kinds, and look at them")
        return
    PICTURES.mkdir(exist_ok=True)
    for name in there.keys() - pictures.keys():
        there[name].unlink()
    for name, text in pictures.items():
        (PICTURES / name).write_text(text)
    print(f"{len(pictures)} pictures, {sum(len(text.encode()) for text in pictures.values()) // 1024} KB; {len(stale)} are other than before")


main()
