"""Pictures of every kind of message, as the chat shows them: for eyes, and to see later what has changed."""
import base64
import json
from pathlib import Path

import ingest
from kinds import KINDS, STYLES
from page import Page
from service import ROOT, Service, until

SCHEMES = ("light", "dark")
# Width of the conversation, device pixels to one of CSS, and size of texts. The first one is pictured in each scheme, the others in light alone.
SCREENS = ((390, 2, 100), (320, 2, 200), (880, 1.5, 85))
MOST = 14  # messages of a kind


def messages():
    """Some of each kind, in a conversation of its own, by two senders who follow on themselves and on each other."""
    for file in sorted(KINDS.glob("*.jsonl")):
        lines = [line for line in file.read_text().splitlines() if line]
        step = max(1, len(lines) // MOST)
        for number, line in enumerate(lines[::step][:MOST]):
            body = json.loads(line)
            isOwn = number // 2 % 2 == 1
            yield {"conversation": f"look-{file.stem}", "message": f"{file.stem}{number}", "revision": 1, "sender": "ada" if isOwn else "bo",
                   "order": number + 1, "time": 1_700_000_000_000 + number * 60_000 + (number > 9) * 86_400_000, "body": body,
                   **({"status": ("sent", "delivered", "read", "failed")[number % 4]} if isOwn else {}),
                   **({"reactions": [{"emoji": "👍", "count": 3, "own": True}, {"emoji": "🎉", "count": 1}]} if number == 2 and file.stem in ("text", "photo") else {})}


def picture(page, name, width, scale, text, scheme):
    """All rows of a conversation, one below the other, whatever their heights together are."""
    page.size(width, 900, scale)
    page.evaluate(f"document.documentElement.dataset.scheme = '{scheme}', 0")
    high = page.run(f"""openConversation('look-text'); openConversation('{name}'); await until(() => chat.window.state === 'live'); await fonts.list();
      if ((chat.window.target?.textScale ?? 100) !== {text}) chat.scroller.scaleTexts({text});
      await until(() => (chat.window.target?.textScale ?? 100) === {text} && chat.window.target.scale === {scale} && chat.scroller.scale === {scale} && chat.window.state === 'live', 300);
      await new Promise(done => setTimeout(done, 150)); await until(seen); const [from, to] = chat.scroller.extent; return (to - from) / chat.scroller.scale""")
    # Whole rows, and not more than somebody looks at.
    high = min(4000, max(160, int(high) + 1))
    page.size(width, high + 170, scale)
    page.run("await frame(); await frame(); await until(seen); await until(() => !document.querySelector('.forme-row.waiting'), 300); document.activeElement?.blur(); await frame(); await frame()")
    place = page.run("const box = document.getElementById('rows').getBoundingClientRect(); return [box.x, box.y, box.width, box.height]")
    data = page.call("Page.captureScreenshot", clip={"x": place[0], "y": place[1], "width": place[2], "height": min(place[3], high), "scale": 1}, captureBeyondViewport=False)["data"]
    return base64.b64decode(data)


def make(folder):
    """PNGs by kind, style and scheme, and for other screens by these, too."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    everything = list(messages())
    kinds = sorted({event["conversation"] for event in everything})
    for style in STYLES:
        service = Service(style=ROOT / f"config/styles/{style}.json5")
        service.settings["http"]["pages"] = True
        service.write()
        with service:
            ingest.answers_until_kept(ingest.Producer(service.events), everything)
            until(lambda: all(one["undone"] == 0 for one in (service.status() or {}).get("editions", [{"undone": 1}])), 60, lambda: service.status())
            with Page(2, 390, 900) as page:
                page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
                page.open(f"http://127.0.0.1:{service.port}/#as=ada&open=look-text")
                for name in kinds:
                    for number, (width, scale, text) in enumerate(SCREENS):
                        for scheme in SCHEMES if number == 0 else SCHEMES[:1]:
                            more = f"-{width}-{text}" if number else ""
                            (folder / f"{name.removeprefix('look-')}-{style}-{scheme}{more}.png").write_bytes(picture(page, name, width, scale, text, scheme))
                if page.faults():
                    raise AssertionError(f"faults while pictures were taken: {page.faults()}")
    return len(list(folder.glob("*.png")))


def differ(folder, other):
    """Names of pictures that are not the same in both, or in one of them only."""
    names = {path.name for path in [*Path(folder).glob("*.png"), *Path(other).glob("*.png")]}
    def bytes_of(place, name):
        path = Path(place) / name
        return path.read_bytes() if path.exists() else None
    return sorted(name for name in names if bytes_of(folder, name) != bytes_of(other, name))
