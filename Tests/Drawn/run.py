"""Rows drawn by a browser from their JSON, the message and the fonts alone, and held to what they say: deploy/drawn --help."""
import argparse
import base64
import json
import re
import signal
import sys
import tempfile
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Blackbox"))

import hostile  # noqa: E402
import ingest  # noqa: E402
from browser import Browser  # noqa: E402
from kinds import STYLES, TARGETS, alts, events  # noqa: E402
from service import ROOT, Service, forme, until  # noqa: E402

SHORT = ("375@2",)
COLUMNS = 8
# What it was before rows said what drawing needs, 20 KB, and 15 % more.
MOST_OF_PAGE = 23_000


def scale(target):
    """(width, scale, mirrored) of `375@2,150,mirrored`."""
    width, rest = target.split("@")
    factor, *more = rest.split(",")
    return float(width), float(factor), "mirrored" in more


def draw(service, target, run):
    width, factor, mirrored = scale(target)
    failures = 0
    with Browser(factor) as browser:
        open_page(browser, service)
        browser.evaluate("loadFonts()")
        for reader, state in (("ada", "layout"), ("bo", "layout"), ("ada", "expanded")):
            query = urllib.parse.urlencode({"target": target, "count": 256, "with": "body,fonts", "as": reader})
            asked = {"query": query, "state": state, "scale": factor, "width": width * factor, "mirrored": mirrored, "columns": COLUMNS}
            told = browser.evaluate(f"draw({json.dumps(asked)})")
            drawn = languages(browser, told["bad"], is_any=state == "layout")
            named = labels(browser, told["bad"]) if state == "layout" else 0
            name = f"{Path(service.style).stem} {target} {reader}{' expanded' if state == 'expanded' else ''}"
            if run.shots:
                screenshots(browser, run.shots / name.replace(" ", "-"), told["size"], 1.25 / factor)
            over, under = (100 * told[key] / max(1, told["lines"]) for key in ("over", "under"))
            print(f"drawn: {name}: {told['rows']} rows, {told['lines']} lines, {told['joined']} cut in joined letters, {told['turned']} within another direction; "
                  f"{over:.2f} % wider than they say by more than 0.5 px, {told['widest']:.2f} at most; "
                  f"{under:.2f} % narrower by more than 1.5 px, {-told['narrowest']:.2f} at most; {told['needed']} files of fonts needed, {told['named']} named; "
                  f"{told['ranges']['compared']} ranges compared, {told['ranges']['bad']} elsewhere, {told['ranges']['worst']:.2f} px at most; "
                  f"{drawn} lines in a language's own letters, {named} pictures called by what they show")
            for bad in told["bad"][:run.most]:
                print("  " + " ".join(f"{key}={value!r}" for key, value in bad.items()))
            failures += len(told["bad"])
            if not told["lines"]:
                failures += state == "layout"
    return failures


def languages(browser, bad, is_any):
    """How many lines of messages in a language are drawn, by the browser's own account, with the family that the list has for that language and with
    none that it has for another one in its place; Han and Arabic letters of no language with the family in whose place those are."""
    families = browser.evaluate("list.filter(face => face.languages).map(({family, languages, instead}) => ({family, languages, instead}))")
    browser.call("DOM.enable")
    browser.call("CSS.enable")
    root, count = browser.call("DOM.getDocument")["root"]["nodeId"], 0
    for node in browser.call("DOM.querySelectorAll", nodeId=root, selector=".shared")["nodeIds"]:
        attributes = browser.call("DOM.getAttributes", nodeId=node)["attributes"]
        own = dict(zip(attributes[::2], attributes[1::2])).get("data-language")
        used = {font["postScriptName"].split("-")[0] for font in browser.call("CSS.getPlatformFontsForNode", nodeId=node)["fonts"]}
        wanted = {face["family"] for face in families if own in face["languages"]}
        others = {face["family"] for face in families} - wanted | {face["instead"] for face in families if face["family"] in wanted}
        if used & others:
            text = browser.call("DOM.getOuterHTML", nodeId=node)["outerHTML"]
            bad.append({"what": "is drawn in another language's letters", "language": own, "used": sorted(used), "line": re.sub("<[^>]*>", "", text)})
        count += bool(wanted & used)
    if is_any and not count:
        bad.append({"what": "no line is drawn in the letters of a language"})
    return count


def labels(browser, bad):
    """How many pictures a screen reader is told by what they show, which the message says beside them."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    told = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") in ("image", "img") and node.get("name", {}).get("value")]
    wanted = [alt for message in events() for alt in alts(message["body"])]
    bad += [{"what": "is a picture without its label", "alt": alt} for alt in wanted if told.count(alt) < wanted.count(alt)]
    return len(wanted)


def open_page(browser, service):
    """An empty page of the gateway's origin, with the lines that DrawingARow.md has for everybody, and those of this test."""
    page = (ROOT / "Sources/Gateway/Gateway.docc/DrawingARow.md").read_text()
    shown = re.findall(r"^```javascript\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    browser.call("Page.navigate", url=f"http://127.0.0.1:{service.port}/livez")
    browser.evaluate("document.documentElement.innerHTML = '<head><meta charset=utf-8></head><body></body>'; 0")
    browser.evaluate("\n".join([*shown[:2], (HERE / "page.js").read_text(), ";0"]))


def cold():
    """How much of fonts a client fetches that has none, and every emoji of Unicode in slices beside the whole font."""
    said = json.loads(forme("fonts", "--json", "--fonts", ROOT / "config/fonts.json5").stdout.splitlines()[0])  # it is there
    families = [
        ("NotoSans", {}, [(400, False, "NotoSans-Regular"), (700, False, "NotoSans-Bold"), (400, True, "NotoSans-Italic"),
                          (700, True, "NotoSans-BoldItalic")]),
        ("NotoSansMono", {"monospaced": True}, [(400, False, "NotoSansMono-Regular"), (700, False, "NotoSansMono-Bold")]),
        ("NotoColorEmoji", {"emoji": True}, [("any", False, "NotoColorEmoji")]),
    ]
    folder = Path(said["path"]).parent
    with tempfile.TemporaryDirectory() as place:
        fonts = Path(place) / "fonts.json"
        fonts.write_text(json.dumps([{"name": name, **kind, "faces": [
            {"weight": weight, "italic": italic, "path": str(folder / f"{file}.ttf")} for weight, italic, file in faces]}
            for name, kind, faces in families]))
        with Service(settings={"fonts": str(fonts)}) as service:
            forme("webfonts", "--config", service.config, timeout=600)
            ingest.answers_until_kept(ingest.Producer(service.events), [
                {"conversation": "kinds", "message": "m1", "revision": 1, "sender": "ada", "order": 1, "time": 1_700_000_000_000,
                 "body": {"kind": "text", "text": "Hello 🎉"}}])
            until(lambda: shown(service) == 1, 30, "the message laid out")
            until(lambda: all("slices" in face for face in ingest.web.Line(service.port).get("/v1/fonts").json()["fonts"]), 300, "slices")
            with Browser(2) as browser:
                open_page(browser, service)
                browser.evaluate("listFonts()")
                browser.evaluate("document.head.append(Object.assign(document.createElement('style'), {textContent: `body {margin: 0} "
                                 "div {position: absolute} .line {${css(false)}}`})); 0")
                asked = {"query": "target=375@2&count=9&with=body,fonts", "state": "layout", "scale": 2, "width": 750, "mirrored": False, "columns": 1}
                told = browser.evaluate(f"draw({json.dumps(asked)})")
                size = browser.evaluate("fontBytes()")
                lines = (Path("/usr/share/unicode/emoji/emoji-test.txt")).read_text().splitlines()
                texts = ["".join(chr(int(point, 16)) for point in line.split(";")[0].split()) for line in lines
                         if "; fully-qualified" in line]
                compared = browser.evaluate(f"compareSlices({json.dumps(texts)}, {{weight: 400}})")
    print(f"drawn: Hello 🎉 cold: {told['lines']} lines, {size:,} bytes of fonts, {told['widest']:.2f} px wider at most; "
          f"{compared['count']} emoji in slices, {len(compared['bad'])} of another width than in the whole font")
    for bad in told["bad"]:
        print(f"  {bad}")
    if compared["bad"]:
        print("  " + " ".join(compared["bad"][:50]))
    return len(told["bad"]) + len(compared["bad"]) + (size >= 1_000_000) + (not told["lines"]) + (compared["count"] < 3500)


def page():
    """Whether a page of fifty rows with their messages, as `forme post --sample` makes them, is small: in frames of rows of version 2, which say what drawing needs."""
    with Service() as service:
        forme("post", "--data", service.data, "--sample", "50", "--conversation", "sample")
        line = ingest.web.Line(service.port)
        ask = lambda accept: line.get("/v1/conversations/sample/window", {"Accept": accept}, target="375@2", count=50, **{"with": "body"})
        until(lambda: (found := ask("application/json")).status == 200 and len(found.json()["window"]["rows"]) == 50, 30, "fifty messages laid out")
        size = len(ask("application/vnd.forme; rows=2").body)
    print(f"drawn: a page of 50 with messages: {size:,} bytes of {MOST_OF_PAGE:,}")
    return int(size > MOST_OF_PAGE)


def screenshots(browser, path, size, zoom):
    """Pieces that a viewer of pictures takes."""
    for y in range(0, int(size[1]), 1300):
        for x in range(0, int(size[0]), 1550):
            clip = {"x": x, "y": y, "width": min(1550, size[0] - x), "height": min(1300, size[1] - y), "scale": zoom}
            shot = browser.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
            path.with_name(f"{path.name}-{y // 1300}-{x // 1550}.png").write_bytes(base64.b64decode(shot["data"]))


def main():
    parser = argparse.ArgumentParser(prog="deploy/drawn", description=(
        "Draws every kind of message in both styles in a headless Chromium, from rows of version 2, their messages and the fonts, with "
        "nothing of a style, and measures what it drew. Ends with 1 where a line is wider than it says by more than half a device pixel or narrower by more than one and a half (in front of an ellipsis: by what a browser kerns), where letters "
        "have the forms of another language than their message's, where a picture is not called by what it shows, where a stretch "
        "of it is drawn elsewhere than `ranges` says by as much, where a window does not name a file of fonts that its rows need, where something leaves its bubble, or where a text has no face or no words. "
        "Without --style and --target, also says what a client without fonts fetches for one short message, which has to be less than 1 MB, and "
        "holds every emoji of Unicode in slices to its width in the whole font; a page of 50 rows with messages is 23 KB at most; and draws 2,000 messages of strangers (130 with --short) as pages, none of "
        "which may open a dialog, ask anybody for anything, or have an element that is not ours."))
    parser.add_argument("--short", action="store_true", help=f"only {', '.join(SHORT)}")
    parser.add_argument("--style", choices=STYLES, help="only this style")
    parser.add_argument("--target", action="append", help="a screen such as 390@3 or 320@3,mirrored; may be said again")
    parser.add_argument("--shots", type=Path, metavar="FOLDER", help="writes pictures of what was drawn")
    parser.add_argument("--most", type=int, default=20, help="how many findings of a picture to print (default: 20)")
    run = parser.parse_args()
    if run.shots:
        run.shots.mkdir(parents=True, exist_ok=True)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # ends services and browsers
    messages, failures = events(), formats()
    for style in [run.style] if run.style else STYLES:
        with Service(style=ROOT / f"config/styles/{style}.json5") as service:
            ingest.answers_until_kept(ingest.Producer(service.events), messages)
            until(lambda: shown(service) == len(messages), 30, "every message laid out")
            for target in run.target or (SHORT if run.short else TARGETS):
                failures += draw(service, target, run)
    if not run.style and not run.target:
        failures += cold()
        failures += page()
        failures += hostile.run(run.short)
    print(f"drawn: {failures} findings" if failures else "drawn: every row is drawn as it says")
    sys.exit(1 if failures else 0)


def formats():
    """Examples of how numbers are written that a browser's program, written from the page Formats, writes otherwise."""
    folder = ROOT / "Tests/Formats"
    with Browser(1) as browser:
        wrong = browser.evaluate(f"{(folder / 'formats.js').read_text()};wrongFormats({(folder / 'formats.json').read_text()})")
    for one in wrong:
        print(f"drawn: a number is written otherwise: {one}")
    return len(wrong)


def shown(service):
    answer = ingest.web.Line(service.port).get("/v1/conversations/kinds/window", target="375@2", count=256)
    return len(answer.json()["window"]["rows"]) if answer.status == 200 else 0


main()
