"""A style and pages that are worked on: what is saved is seen within a second, and mistakes with their file and line."""
import shutil
import statistics
import time

import ingest
from page import Page
from pages import message
from service import ROOT, Service, until

# How far the words of the last row are from the edge of their bubble: as the style says.
PADDING = """(() => { const view = globalThis.chat && chat.window.state === 'live' && chat.scroller.view(chat.window.rows.at(-1)?.row);
  const line = view && view.element.querySelector('.content .forme-line'), box = view && view.element.querySelector('.content');
  return line ? Math.round(line.getBoundingClientRect().left - box.getBoundingClientRect().left) : null; })()"""
TOLD = "(document.getElementById('dev-faults')?.textContent ?? '')"


class Workshop(Service):
    """A service that looks at a copy of the styles, and sends its pages from a copy of their folder."""

    def __init__(self):
        super().__init__()
        self.styles, self.pages = self.home / "styles", self.home / "pages"
        shutil.copytree(ROOT / "config/styles", self.styles)
        shutil.copytree(ROOT / "Sources/Web", self.pages)
        self.settings["http"]["pages"] = True
        self.write(style=str(self.styles / "bubble.json5"))

    def spawn(self, role, *words):
        return super().spawn(role, *words, *(["--web", self.pages, "--watch"] if role == "serve" else []))


def line(text, start):
    """The number of the line that begins so."""
    return next(number for number, own in enumerate(text.split("\n"), 1) if own.startswith(start))


def run(out, count, more=0):
    """
    - more: messages of the conversation that is open, beside its share of the others.
    """
    with Workshop() as service, Page() as page:
        producer = ingest.Producer(service.events)
        everything = [message(f"c{n % 11}", n, {"kind": "text", "text": f"message {n} " * (n % 7 + 1)}) for n in range(1, count + 1)]
        everything += [message("c3", n, {"kind": "text", "text": f"message {n} " * (n % 7 + 1)}) for n in range(count + 1, count + more + 1)]
        for start in range(0, count + more, 250):
            ingest.answers_until_kept(producer, everything[start:start + 250])
        until(lambda: all(one["undone"] == 0 for one in (service.status() or {}).get("editions", [{"undone": 1}])), 60, lambda: service.status())
        if more:
            service.rest()
        page.open(f"http://127.0.0.1:{service.port}/")
        page.run("await open_('c3'); globalThis.isOld = true; globalThis.said = new Set(); const look = () => { said.add(document.body.dataset.state); setTimeout(look, 5); }; look()")
        before = page.evaluate(PADDING)

        def seen(expression, seconds=5):
            start = time.monotonic()
            while not page.evaluate(expression):
                if time.monotonic() - start > seconds:
                    return None
                time.sleep(0.01)
            return round(time.monotonic() - start, 2)

        # The style: another padding, another one while the rest of the first is on its way, a mistake, and its end; three times, of
        # which the medians count.
        sheet = service.styles / "bubble.json5"
        style = sheet.read_text()
        place = line(style, "    padX: 12,")
        times, stays = [], True
        for _ in range(3):
            took = []
            for more in (6, 12):
                sheet.write_text(style.replace("padX: 12,", f"padX: {12 + more},"))
                took.append(seen(f"{PADDING} === {before + more}"))
            sheet.write_text(style.replace("padX: 12,", "padX: x12,"))
            told = seen(f"{TOLD}.includes('bubble.json5:{place}:')")
            stays &= page.evaluate(PADDING) == before + 12
            sheet.write_text(style)
            times.append(took + [seen(f"{PADDING} === {before}"), told, seen(f"{TOLD} === ''")])
        medians = [None if None in own else statistics.median(own) for own in zip(*times)]
        took, faults = medians[:3], medians[3:]
        out.expect("a style that is saved: seconds until the open page shows it, again while the rest is on its way, and mended", took,
                   lambda found: all(one is not None and one < 1 for one in found))
        out.expect("a mistake in it: seconds until the page says its file and line, and says it no more; what was shown stays, and no line says otherwise",
                   {"s": faults, "stays": stays, "said": sorted(page.evaluate("[...said]"))},
                   lambda found: all(one is not None and one < 1 for one in found["s"]) and found["stays"] and found["said"] == ["live"])
        pages(out, service, page, seen)


def pages(out, service, page, seen):
    sheet = service.pages / "demo/demo.css"
    before = sheet.read_text()
    told = page.evaluate(TOLD)
    sheet.write_text(before.replace("#app {", "#app { outline: 3px solid rgb(1, 2, 3);"))
    took = [seen("getComputedStyle(document.getElementById('app')).outlineColor === 'rgb(1, 2, 3)'")]
    stays = page.evaluate("globalThis.isOld === true")
    sheet.write_text(before.replace("#side {", "#side { colour: red;"))
    took.append(seen(f"{TOLD}.includes('demo/demo.css:{line(before, '#side {')}: colour: red')"))
    sheet.write_text(before)
    took.append(seen(f"{TOLD} === ''"))
    script = service.pages / "demo/flow.js"
    code = script.read_text()
    script.write_text(code.replace("export function flow(", "export function flow(("))
    took.append(seen(f"{TOLD}.includes('demo/flow.js:{line(code, 'export function flow(')}:')"))
    script.write_text(code)
    took.append(seen(f"!!globalThis.openConversation && !{TOLD}"))
    out.expect("pages that are saved: seconds until they are seen, or their mistakes; whether a sheet needs no new page, and faults before", {"s": took, "stays": stays, "before": told},
               lambda found: all(one is not None and one < 1.5 for one in found["s"]) and found["stays"] and not found["before"])
