"""Copies of the sources, to be changed and built beside them."""
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("Package.swift", "Package.resolved", "Sources", "Tests", "config")


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)


def applies(patch):
    """Whether a patch has its place in the sources as they are."""
    words = ["patch", "--strip=1", "--force", "--silent", "--dry-run", f"--input={patch}"]
    return subprocess.run(words, cwd=ROOT, capture_output=True).returncode == 0


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
        self.write(wanted)

    def write(self, wanted):
        """Makes it equal to these files, by their names."""
        for name in COPIED:
            for file in (self.folder / name).rglob("*") if (self.folder / name).is_dir() else ():
                if file.is_file() and file.relative_to(self.folder) not in wanted:
                    file.unlink()
        for name, text in wanted.items():
            target = self.folder / name
            if not target.is_file() or target.read_bytes() != text:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(text)

    def apply(self, patch):
        """Whether a patch found its place."""
        return git("apply", f"--directory={self.folder.relative_to(ROOT)}", str(patch)).returncode == 0

    def apply_beside(self, patch):
        """Whether a patch found its place, or what others left of it: lines around it may be theirs."""
        words = ["patch", "--strip=1", "--fuzz=1", "--force", "--silent", f"--input={patch}"]
        if subprocess.run([*words, "--dry-run"], cwd=self.folder, capture_output=True).returncode:
            return False
        subprocess.run([*words, "--no-backup-if-mismatch"], cwd=self.folder, check=True, capture_output=True)
        return True
