"""Pages that are worked on: what is saved is seen within a second, and mistakes with their file and line."""
import shutil
import time

import ingest
from page import Page
from pages import message
from service import ROOT, Service


class Workshop(Service):
    """A service that sends its pages from a copy of their folder."""

    def __init__(self):
        super().__init__()
        self.settings["http"]["pages"] = True
        self.write()
        self.pages = self.home / "pages"
        shutil.copytree(ROOT / "Sources/Web", self.pages)

    def spawn(self, role, *words):
        return super().spawn(role, *words, *(["--web", self.pages] if role == "serve" else []))


def run(out):
    with Workshop() as service, Page() as page:
        ingest.answers_until_kept(ingest.Producer(service.events), [message("one", 1, {"kind": "text", "text": "one"})])
        page.open(f"http://127.0.0.1:{service.port}/")
        sheet = service.pages / "demo/demo.css"
        before = sheet.read_text()
        page.evaluate("globalThis.isOld = true, 0")
        told = page.evaluate("document.getElementById('dev-faults')?.textContent ?? ''")

        def seen(expression, seconds=5):
            start = time.monotonic()
            while not page.evaluate(expression):
                if time.monotonic() - start > seconds:
                    return None
                time.sleep(0.02)
            return round(time.monotonic() - start, 2)

        time.sleep(0.5)
        sheet.write_text(before.replace("#app {", "#app { outline: 3px solid rgb(1, 2, 3);"))
        took = [seen("getComputedStyle(document.getElementById('app')).outlineColor === 'rgb(1, 2, 3)'")]
        stays = page.evaluate("globalThis.isOld === true")
        place = before.split("\n").index(next(line for line in before.split("\n") if line.startswith("#side {"))) + 1
        sheet.write_text(before.replace("#side {", "#side { colour: red;"))
        took.append(seen(f"document.getElementById('dev-faults').textContent.includes('demo/demo.css:{place}: colour: red')"))
        sheet.write_text(before)
        took.append(seen("document.getElementById('dev-faults').textContent === ''"))
        script = service.pages / "demo/flow.js"
        code = script.read_text()
        script.write_text(code.replace("export function flow(", "export function flow(("))
        line = code.split("\n").index(next(line for line in code.split("\n") if line.startswith("export function flow("))) + 1
        took.append(seen(f"(document.getElementById('dev-faults')?.textContent ?? '').includes('demo/flow.js:{line}:')"))
        script.write_text(code)
        took.append(seen("!!globalThis.openConversation && !document.getElementById('dev-faults')?.textContent"))
        out.expect("files that are saved: seconds until they are seen, or their mistakes; whether a sheet needs no new page, and faults before", {"s": took, "stays": stays, "before": told},
                   lambda found: all(one is not None and one < 3 for one in found["s"]) and found["stays"] and not found["before"])
