"""Copies of the sources, to be changed and built beside them."""
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("Package.swift", "Package.resolved", "Sources", "Tests", "config")


def applies(patch, folder=ROOT, fuzz=0, *words):
    """Whether a patch has its place there, of which so many lines may be others at either end."""
    words = words or ("--dry-run",)
    done = subprocess.run(["patch", "--strip=1", f"--fuzz={fuzz}", "--force", "--silent", f"--input={patch}", *words], cwd=folder, capture_output=True)
    return done.returncode == 0


class Copy:
    """A folder with the sources as they are, and patches. What is compiled there stays."""

    def __init__(self, name):
        self.folder = ROOT / ".build" / name

    def renew(self):
        """Makes it equal to the sources; what is the same already keeps its time, so that it is not compiled again."""
        wanted = {}
        for name in COPIED:
            place = ROOT / name
            for file in [place] if place.is_file() else place.rglob("*"):
                if file.is_file() and "__pycache__" not in file.parts:
                    wanted[file.relative_to(ROOT)] = file.read_bytes()
        for name in COPIED:
            for file in (self.folder / name).rglob("*") if (self.folder / name).is_dir() else ():
                if file.is_file() and file.relative_to(self.folder) not in wanted:
                    file.unlink()
        for name, text in wanted.items():
            target = self.folder / name
            if not target.is_file() or target.read_bytes() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)

    def apply(self, patch, fuzz=0):
        """Whether a patch found its place; one that has none changes nothing."""
        return applies(patch, self.folder, fuzz) and applies(patch, self.folder, fuzz, "--no-backup-if-mismatch")
