"""Old defects, each put back into today's sources by a small patch: a test that it names has to fail.

A patch begins with what it brings back and with the tests that see it:

    Defect: a reader's y is not clamped into the conversation
    Seen by: extremes/words over zmq

All of them are built in one copy of the sources (`.build/planted`), which keeps what was compiled, and without optimization: so a patch costs
the files that it touches, and not all modules that stand on them. `Seen by` has several tests with `;` between them; one has to fail.
"""
import os
import subprocess
import sys
import time
from pathlib import Path

from cases import CASES

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "Mutations"))
from sources import Copy, applies  # noqa: E402

PATCHES = HERE / "patches"
COPY = Copy("planted")
TRIES = 3  # a defect that shows by chance has so many turns of its tests


class Patch:
    def __init__(self, file):
        self.file, self.name = file, file.stem
        head = file.read_text().partition("diff --git")[0]
        fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
        self.defect = fields.get("Defect", "")
        self.seen_by = [name.strip() for name in fields.get("Seen by", "").split(";") if name.strip()]

    def fault(self):
        """Why it is none that can be planted today; None where it is."""
        if not self.defect or not self.seen_by:
            return "it does not say its defect, or who sees it"
        unknown = [name for name in self.seen_by if name not in CASES]
        if unknown:
            return f"there is no test {', '.join(unknown)}"
        return None if applies(self.file) else "it does not apply any more"


def patches(names=()):
    """All of them, or those whose names begin so."""
    found = [Patch(file) for file in sorted(PATCHES.glob("*.patch"))]
    return [patch for patch in found if not names or any(patch.name.startswith(name) for name in names)]


def build():
    """The program of the copy; what the compiler says where there is none."""
    done = subprocess.run(["swift", "build", "--product", "forme"], cwd=COPY.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        return None, "\n".join([line for line in done.stdout.splitlines() if "error" in line][:5]) or f"swift build ended with {done.returncode}"
    return COPY.folder / ".build/debug/forme", None


def fails(binary, name, seed):
    """Whether a test finds something with this program, and its last words."""
    done = subprocess.run(
        [sys.executable, "-B", str(HERE / "run.py"), "--alone", name, "--short", "--seed", str(seed)], stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace", env={**os.environ, "FORME": str(binary)})
    said = [line for line in done.stdout.splitlines() if line.startswith(name)] or done.stdout.splitlines()[-1:]
    if done.returncode not in (0, 1):
        # A test that breaks finds nothing: it is to say what it looked for.
        print(f"planted: {name} broke:\n{done.stdout[-1500:]}", flush=True)
    return done.returncode == 1, said[0] if said else ""


def seen(binary, patch, seed):
    """The test that sees it, with its words, or None."""
    for turn in range(TRIES):
        for name in patch.seen_by:
            found, said = fails(binary, name, seed + turn)
            if found:
                return said
    return None


def plant(names, seed):
    """Plants one after the other; ends with what the process is to end with."""
    chosen = patches(names)
    if not chosen:
        print(f"blackbox: no patch is called {' or '.join(names)}; there are {', '.join(patch.name for patch in patches())}")
        return 2
    failed, began = [], time.monotonic()
    good = []
    for patch in chosen:
        if fault := patch.fault():
            print(f"{patch.name}: FAILED: {fault}", flush=True)
            failed.append(patch.name)
        else:
            good.append(patch)
    COPY.renew()
    print("planted: building what is there today", flush=True)
    binary, error = build()
    if error:
        print(f"planted: FAILED: the sources themselves do not build: {error}")
        return 1
    # Without a patch none of these tests finds anything, or it would prove nothing.
    for name in sorted({name for patch in good for name in patch.seen_by}):
        found, said = fails(binary, name, seed)
        if found:
            print(f"planted: FAILED without any patch: {said}", flush=True)
            failed.append(name)
    print(f"planted: {time.monotonic() - began:.0f} s until here", flush=True)
    for patch in good:
        at = time.monotonic()
        COPY.renew()
        COPY.apply(patch.file)
        binary, error = build()
        built = time.monotonic() - at
        try:
            said = None if error else seen(binary, patch, seed)
        finally:
            COPY.renew()
        took = f"built in {built:.0f} s, tried for {time.monotonic() - at - built:.0f} s"
        if error:
            print(f"{patch.name}: FAILED: does not build: {error}", flush=True)
        elif said:
            print(f"{patch.name}: PASS ({took}): {said[:300]}", flush=True)
        else:
            print(f"{patch.name}: FAILED ({took}): nobody sees that {patch.defect}", flush=True)
        if error or not said:
            failed.append(patch.name)
    print(f"planted: {len(chosen)} defects in {time.monotonic() - began:.0f} s, "
          + (f"FAILED: {', '.join(failed)}" if failed else "each was found"))
    return 1 if failed else 0
