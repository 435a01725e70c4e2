"""Pictures of every kind of message, as the chat shows them: for eyes, and to see later what has changed."""
import base64
import json
import zlib
from pathlib import Path

# Of each picture its size and, in squares, how light and how red and blue it is: what was looked at and found well, small enough to be kept. A browser of
# another day smooths letters otherwise, which these do not see; anything that stands elsewhere they do.
KEPT = Path(__file__).resolve().parent / "looks.json"
SQUARE = 96  # device pixels
APART = 4  # of 255, in one square

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


SQUARES = """(async () => { const bytes = Uint8Array.from(atob('PNG'), letter => letter.charCodeAt(0)), picture = await createImageBitmap(new Blob([bytes], {type: 'image/png'})), {width, height} = picture;
  const [across, down] = [Math.ceil(width / SQUARE), Math.ceil(height / SQUARE)], canvas = new OffscreenCanvas(width, height), pen = canvas.getContext('2d', {willReadFrequently: true}); pen.drawImage(picture, 0, 0);
  let told = '';
  for (let y = 0; y < down; y++) { const {data, width: wide, height: high} = pen.getImageData(0, y * SQUARE, width, Math.min(SQUARE, height - y * SQUARE)), sums = new Float64Array(across * 4);
    for (let i = 0, place = 0; i < data.length; i += 4, place++) { const at = Math.floor((place % wide) / SQUARE) * 4; sums[at] += data[i]; sums[at + 1] += data[i + 1]; sums[at + 2] += data[i + 2]; sums[at + 3]++; }
    for (let x = 0; x < across; x++) { const [r, g, b] = [0, 1, 2].map(place => sums[x * 4 + place] / sums[x * 4 + 3]); told += String.fromCharCode(Math.round((r + 2 * g + b) / 4), Math.round((r - b + 255) / 2)); } }
  return [width, height, btoa(told)]; })()"""


def squares(page, png):
    *size, told = page.evaluate(SQUARES.replace("PNG", base64.b64encode(png).decode(), 1).replace("SQUARE", str(SQUARE)))
    return [*size, base64.b64encode(zlib.compress(base64.b64decode(told), 9)).decode()]


def make(folder):
    """PNGs by kind, style and scheme, and for other screens by these, too; and in `looks.json` what is kept of them."""
    kept = {}
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
                page.call("Emulation.setTimezoneOverride", timezoneId="UTC")
                page.open(f"http://127.0.0.1:{service.port}/#as=ada&open=look-text")
                for name in kinds:
                    for number, (width, scale, text) in enumerate(SCREENS):
                        for scheme in SCHEMES if number == 0 else SCHEMES[:1]:
                            more = f"-{width}-{text}" if number else ""
                            title, png = f"{name.removeprefix('look-')}-{style}-{scheme}{more}", picture(page, name, width, scale, text, scheme)
                            (folder / f"{title}.png").write_bytes(png)
                            kept[title] = squares(page, png)
                if page.faults():
                    raise AssertionError(f"faults while pictures were taken: {page.faults()}")
    (folder / "looks.json").write_text("{\n" + ",\n".join(f"{json.dumps(title)}: {json.dumps(one)}" for title, one in sorted(kept.items())) + "\n}\n")
    return len(kept)


def differ(folder, other):
    """Names of pictures that are not the same in both, or in one of them only, and why.

    - other: a folder, or a file of what was kept of one.
    """
    kept = [json.loads((place / "looks.json" if place.is_dir() else place).read_text()) for place in map(Path, (folder, other))]
    return [f"{title} {why}" for title in sorted({*kept[0], *kept[1]}) if (why := difference(kept[0].get(title), kept[1].get(title)))]


def difference(one, other):
    if not one or not other:
        return "is not in both"
    if one[:2] != other[:2]:
        return f"is {one[0]}x{one[1]} and was {other[0]}x{other[1]}"
    across = -(-one[0] // SQUARE)
    pairs = zip(*(zlib.decompress(base64.b64decode(each[2])) for each in (one, other)))
    far = [place // 2 for place, (now, before) in enumerate(pairs) if abs(now - before) > APART]
    return f"is other in {len(set(far))} squares, first at {far[0] % across * SQUARE}, {far[0] // across * SQUARE}" if far else ""
