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
    # Lines that are cut within letters which run against their paragraph: commas, brackets, numbers and percents beside the cut.
    mixed = ("He writes مرحبا، كيف، حالك، اليوم، يا، صديقي، العزيز، جدا، ok", "She said שלום, מה, שלומך, היום, (חבר), יקר, מאוד, 50%, עוד, ok",
             "كتب لي hello, how, are, you, today, (my), dear, friend, 20%, and, more, تمام", "وصلنا 50% و 20-30 و (12) و 2024-05-12 و 7% و 555-1234 و 8% مساء",
             "Total: סכום 50% 20/30 (12) 12/05/2024 7% 1,234 8% ערב ok", "المجموع (hello) (world), 漢字，（漢字）、one - two - three, تمام")
    for body in mixed:
        for reply in (False, True):
            number = len(found) + 1
            said = {"kind": "text", "text": "ok", "reply": {"sender": "Bo", "text": body}} if reply else {"kind": "text", "text": f"{body} {body}"}
            found.append({
                "conversation": "kinds", "message": f"mixed{number:03}", "revision": 1, "sender": "bo", "order": number,
                "time": 1_700_000_000_000 + number * 60_000, "body": said})
    # Letters whose shapes are a language's own, and words of the style's beside them, which are in none.
    han, urdu = "直角骨今 令化 ok", "ہیلو دنیا، کیا حال ہے؟ میں نے آپ کو کل خط لکھا تھا۔"
    for lang, text in (("ja", han), ("zh-Hant", han), ("zh-HK", han), ("ko", han), ("ko-KR", "한국어 直角骨今"), ("ur-Aran", urdu), (None, han), (None, urdu)):
        for body in ({"kind": "text", "text": text, "reply": {"sender": "Bo", "text": text}},
                     {"kind": "rich", "text": f"**{text}** {text} `{text}`\n\n1. {text}"},
                     {"kind": "poll", "question": text, "votes": 5, "options": [{"text": text, "percent": 40}, {"text": text, "percent": 60}]}):
            number = len(found) + 1
            found.append({
                "conversation": "kinds", "message": f"lang{number:03}", "revision": 1, "sender": "bo", "order": number,
                "time": 1_700_000_000_000 + number * 60_000, "body": {**body, **({"lang": lang} if lang else {})}})
    # Pictures that say what they show: their labels.
    size = {"width": 400, "height": 300}
    for body in ({"kind": "photo", "photo": {**size, "alt": "A lake, and a red boat"}},
                 {"kind": "album", "photos": [{"picture": {**size, "alt": f"Picture {i} of \"three\" <b>"}} for i in range(3)]},
                 {"kind": "video", "video": {**size, "alt": "A dog that runs"}, "duration": 9},
                 {"kind": "sticker", "sticker": {**size, "alt": "A waving hand"}},
                 {"kind": "link", "preview": {"url": "https://example.com", "title": "A page", "picture": {**size, "alt": "Its first picture"}}},
                 {"kind": "text", "text": "ok", "reply": {"sender": "Bo", "text": "Photo", "picture": {**size, "alt": "What is answered"}}}):
        number = len(found) + 1
        found.append({
            "conversation": "kinds", "message": f"alt{number:03}", "revision": 1, "sender": "ada", "order": number,
            "time": 1_700_000_000_000 + number * 60_000, "body": body})
    return found


def alts(value):
    """Every description of a picture in a message."""
    if isinstance(value, dict):
        return [*([value["alt"]] if "alt" in value else []), *(alt for part in value.values() for alt in alts(part))]
    return [alt for part in value for alt in alts(part)] if isinstance(value, list) else []
