"""Counts lines of code of what lays messages out and stores it, beside what they were before it was rebuilt: deploy/count --lines."""
import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Folders of today, and the lines of what stood there in the commit before c7b442bb: MessageLayout/Compose and Wire/Record.
FOLDERS = {"Sources/MessageLayout/Compose": 3073, "Sources/Record": 3028}
# Blocks of rows were no part of what was rebuilt; they stood in Wire/Block.
OTHERS = {"Sources/Record/Block"}
BAR = 0.6
WIDTH = 120


def code(path):
    """Lines of a file without comments and blanks."""
    lines, inside = [], False
    for line in path.read_text().splitlines():
        words = line.strip()
        if inside or words.startswith("/*"):
            inside = "*/" not in words
        elif words and not words.startswith("//"):
            lines.append(line)
    return lines


def main():
    options = argparse.ArgumentParser(prog="deploy/count --lines", description=__doc__)
    options.add_argument("--json", action="store_true", help="one JSON object, instead of a table")
    words = options.parse_args()
    counted = {}
    for folder in FOLDERS:
        files = [path for path in sorted((ROOT / folder).rglob("*.swift")) if path.parent.relative_to(ROOT).as_posix() not in OTHERS]
        found = {path: code(path) for path in files}
        counted[folder] = sum(map(len, found.values()))
        wide = [path.relative_to(ROOT) for path in files if any(len(line) > WIDTH for line in found[path])]
        if wide:
            sys.exit(f"count: lines of more than {WIDTH} columns: {', '.join(map(str, wide))}")
    now, before = sum(counted.values()), sum(FOLDERS.values())
    bar = int(before * BAR)
    if words.json:
        print(json.dumps({"counted": counted, "before": FOLDERS, "sum": now, "bar": bar}))
    else:
        for folder, lines in counted.items():
            print(f"{folder:32} {lines:6,} {FOLDERS[folder]:6,} before")
        print(f"{'together':32} {now:6,} {before:6,} before, {now / before - 1:+.0%} ({'bar' if now <= bar else 'MISSED, bar'} {BAR - 1:+.0%}: {bar:,})")
    if now > bar:
        sys.exit(1)


main()
