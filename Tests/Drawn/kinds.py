"""Every kind of message, as programs that draw or decode rows post it."""
import json

from service import ROOT

KINDS = ROOT / "Tests/MessageLayoutTests/Fixtures/kinds"
STYLES = ("bubble", "flat")
# Targets of the styles, and some that the gateway lays out itself.
TARGETS = ("375@2", "375@3", "320@3,mirrored", "480@2", "347@2.5", "375@2,150")


def events():
    """Every message of every kind, in one conversation; each second one is of another sender."""
    found = []
    for file in sorted(KINDS.glob("*.jsonl")):
        for line in file.read_text().splitlines():
            number = len(found) + 1
            found.append({
                "conversation": "kinds", "message": f"{file.stem}{number:03}", "revision": 1, "sender": ("ada", "bo")[number % 2],
                "order": number, "time": 1_700_000_000_000 + number * 60_000, "body": json.loads(line)})
    # Lines that end in an ellipsis inside of joined letters, at one place after the other.
    word = "فاستخلفناكموهابمستشفياتهم"
    for length in range(12):
        number = len(found) + 1
        found.append({
            "conversation": "kinds", "message": f"cut{number:03}", "revision": 1, "sender": "bo", "order": number,
            "time": 1_700_000_000_000 + number * 60_000,
            "body": {"kind": "text", "text": "ok", "reply": {"sender": "س", "text": "ن" * length + " " + word[length:] * 2}}})
    # Lines that end and begin in such a place, and in places where no letter reaches for the next.
    words = ("فاستخلفناكموهابمستشفياتهم", "دارالسلامورود", "ہندوستانیوںکےلیے", "بَيْتُنَاالكَبِيرُ", "لالالاسلامللا",
             "می‌نویسیمبرایشما")
    for word in words:
        number = len(found) + 1
        found.append({
            "conversation": "kinds", "message": f"joined{number:03}", "revision": 1, "sender": "bo", "order": number,
            "time": 1_700_000_000_000 + number * 60_000, "body": {"kind": "text", "text": word * 5}})
    return found
