"""What showing a chat takes in Chromium, beside two usual ways: deploy/bench web --help."""
import argparse
import functools
import http.server
import json
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "Blackbox"), str(HERE.parent / "Drawn")]

import ingest  # noqa: E402
from longest import fill, history  # noqa: E402
from page import Page, TOOLS  # noqa: E402
from service import Service, until  # noqa: E402
from shown import drag  # noqa: E402
from trace import Trace, share, wheel  # noqa: E402

NODE = shutil.which("nodejs") or shutil.which("node") or "nodejs"
WIDTHS = (470, 520, 440, 560, 500, 590, 450, 580, 480, 540)


class Rivals(http.server.SimpleHTTPRequestHandler):
    """Pages that are laid out in the usual ways, and the messages that they show."""

    def __init__(self, messages, *words):
        self.messages = messages
        super().__init__(*words, directory=HERE / "rivals")

    def do_GET(self):
        if self.path != "/messages.json":
            return super().do_GET()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.messages)))
        self.end_headers()
        self.wfile.write(self.messages)

    def log_message(self, *_):
        pass


# How long a width takes until the screen is right, frames of more than 25 ms meanwhile, and by how much the row jumped that was first on the screen.
RIGHT = """globalThis.changed = async (width, set, held, isRight) => { await frame(); await frame(); const row = held(), before = row.getBoundingClientRect().top, start = performance.now(); let last = start, lost = 0, jump = 0;
  const next = async () => { await new Promise(requestAnimationFrame); const now = performance.now(); lost += Math.max(0, Math.round((now - last) / 16.7) - 1); last = now; };
  set(width); for (let i = 0, done = false; i < 600 && !done; i++) { await next(); done = isRight(width); }
  const took = performance.now() - start; await next(); jump = row.isConnected ? Math.abs(row.getBoundingClientRect().top - before) : NaN; return [took, lost, jump]; }, 0"""


def widths(page, script):
    found = [page.run(f"return changed({width}, {script})") for width in WIDTHS]
    took = sorted(one[0] for one in found)
    jumps = [one[2] for one in found if one[2] is not None]
    return {"width_ms": round(took[len(took) // 2], 1), "width_worst_ms": round(took[-1], 1), "lost_frames": sum(one[1] for one in found), "jump_px": round(max(jumps, default=0), 1)}


def scrolling(page):
    # What the widths moved is told by then.
    page.run("await new Promise(done => setTimeout(done, 1000))")
    # What has no frames of its own has these, so that all are counted alike.
    page.evaluate("(() => { const tick = () => requestAnimationFrame(tick); tick(); })(), globalThis.shift = 0, new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!(Math.abs(entry.startTime - (chat.window?.resizedAt ?? -1e9)) < 500)) shift += entry.value; }).observe({type: 'layout-shift'}), 0")
    with Trace(page) as trace:
        wheel(page, 600)
    frames = trace.frames()
    page.run("await frame()")
    return {"script_p50_ms": share(frames, 0.5), "script_p99_ms": share(frames, 0.99), "forced_layouts": trace.forced(), "shift": round(page.evaluate("shift"), 3)}


def rival(kind, port):
    with Page(1, 600, 800) as page:
        start = time.monotonic()
        page.call("Page.navigate", url=f"http://127.0.0.1:{port}/rival.html?kind={kind}")
        while not page.evaluate("!!globalThis.chat"):
            time.sleep(0.01)
        page.evaluate(TOOLS)
        page.evaluate(RIGHT)
        page.run("await frame(); await frame()")
        opened = time.monotonic() - start
        page.run("chat.element.scrollTop -= 3000; await frame(); await frame()")
        # The browser lays out with the next frame; the usual scroller when it has heard of it.
        told = widths(page, "width => chat.element.style.width = `${width}px`, () => chat.held(), width => document.getElementById('rows').clientWidth && true" if kind == "plain"
                      else "width => chat.element.style.width = `${width}px`, () => chat.held(), () => chat.width === chat.element.clientWidth")
        told |= scrolling(page)
        return {"first_ms": round(1000 * opened), **told}


def forme(service, name):
    address = f"http://127.0.0.1:{service.port}/#open={name}"
    first = {}
    with Page(1, 600, 800) as page:
        for turn in ("cold", "warm", "warm", "warm"):
            page.call("Page.navigate", url="about:blank")
            start = time.monotonic()
            page.call("Page.navigate", url=address)
            while not page.evaluate("!!document.querySelector('#rows article:not(.waiting)')"):
                pass
            first[turn] = min(first.get(turn, 1e9), round(1000 * (time.monotonic() - start)))
            paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null")
            first[f"paint {turn}"] = min(first.get(f"paint {turn}", 1e9), round(paint or 0))
        page.evaluate(TOOLS)
        page.evaluate(RIGHT)
        page.run("await until(() => chat.window?.state === 'live' && seen()); scrolled().scrollTop -= 3000; await frame(); await until(seen); await new Promise(done => setTimeout(done, 500))")
        told = widths(page, "width => document.getElementById('column').style.setProperty('--width', `${width}px`), () => chat.scroller.view(chat.scroller.held.anchor.row).element.querySelector('.content'), "
                            "width => chat.window.target.width === width && chat.window.rows.length && chat.scroller.width === width  && seen() && off() < 1")
        told |= scrolling(page)
        return {"first_ms": first["cold"], "first_warm_ms": first["warm"], "paint_cold_ms": first["paint cold"], "paint_warm_ms": first["paint warm"], **told}


# When a window asks for another width, and when it has its rows. Every other way to ask stays as it is.
ASKED = """const own = chat.window, {fetch} = globalThis, {mirror} = own; let asked; globalThis.answers = [];
  globalThis.fetch = (...words) => { if (words[1]?.method === 'POST' && JSON.parse(words[1].body).resize) asked = performance.now(); return fetch(...words); };
  const take = mirror.take.bind(mirror); mirror.take = told => { if (told.part === 'whole' && asked !== undefined) { answers.push(performance.now() - asked); asked = undefined; } return take(told); }"""


def handle(service, name):
    """Widths that no screen had, while a hand drags the edge of the conversation, and asked for as fast as they are answered: how long the client waits for its rows."""
    dragged, fast = [], []
    for _ in range(5):
        with Page(1, 1000, 800) as page:
            page.open(f"http://127.0.0.1:{service.port}/#open={name}")
            page.run("await until(() => globalThis.chat && chat.window?.state === 'live' && seen()); await new Promise(done => setTimeout(done, 3500)); " + ASKED)
            drag(page, 10)
            dragged.append(page.run("return answers.sort((a, b) => a - b)"))
            fast.append(page.run("""await new Promise(done => setTimeout(done, 500)); const took = [];
              for (let i = 0; i < 300; i++) { const start = performance.now(); await chat.window.resize({...chat.window.target, width: 400 + ((i * 37) % 331) + (i % 64) / 64}, chat.scroller.held.anchor); took.push(performance.now() - start); }
              return took.sort((a, b) => a - b)"""))
    median = lambda found, part: sorted(share(one, part) for one in found)[len(found) // 2]
    return {"dragged_p50_ms": median(dragged, 0.5), "dragged_p99_ms": median(dragged, 0.99), "dragged_p99_worst_ms": max(share(one, 0.99) for one in dragged),
            "answers_in_10_s": sorted(map(len, dragged))[2], "at_once_p50_ms": median(fast, 0.5), "at_once_p99_ms": median(fast, 0.99)}


def middle(service):
    with Page(1, 600, 800) as page:
        page.open(f"http://127.0.0.1:{service.port}/#open=million")
        found = page.run("""await until(() => globalThis.chat && chat.window?.state === 'live' && seen()); const took = [], {scroller} = chat, [from, to] = scroller.extent;
          for (let i = 0; i < 20; i++) { const start = performance.now(); await scroller.jump({y: Math.round(from + (to - from) * (0.4 + i / 100))}); await until(seen); took.push(performance.now() - start); await scroller.jump('newest'); await until(seen); }
          return took.sort((a, b) => a - b)""")
        return {"middle_p50_ms": share(found, 0.5), "middle_worst_ms": share(found, 1)}


def main():
    parser = argparse.ArgumentParser(prog="deploy/bench web", description=(
        "Measures the chat in a headless Chromium beside two usual ways to show the same messages: all of them in the document, laid out by the browser; and a scroller that guesses heights, measures rows as "
        "they appear, and corrects what it guessed. The three take turns; each figure is the median of these. Then drags the edge of the conversation, over widths that no screen had, and jumps to the middle of a long one."))
    parser.add_argument("--messages", type=int, default=1_000_000, metavar="N", help="of the long conversation (default: 1000000)")
    parser.add_argument("--rows", type=int, default=10_000, metavar="N", help="of the conversation that all three show (default: 10000)")
    parser.add_argument("--turns", type=int, default=3, metavar="N", help="how often each is measured (default: 3)")
    parser.add_argument("--handle", action="store_true", help="only the answers under a dragged handle")
    run = parser.parse_args()
    events = [{**event, "conversation": "many"} for event in history(run.rows)]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Rivals, json.dumps(events).encode()))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    service = Service()
    service.settings["http"]["pages"] = True
    service.write()
    with service:
        producer = ingest.Producer(service.events)
        for start in range(0, len(events), 250):
            ingest.answers_until_kept(producer, events[start:start + 250])
        if run.handle:
            # Its last row is there when its place is.
            until(lambda: ingest.web.Line(service.port).get("/v1/conversations/many/place", target="400@1", around=f"message:m{run.rows}").json().get("place"), 120, "all laid out")
            service.rest()
            return print("\n".join(f"{name:18}{value:>12}" for name, value in handle(service, "many").items()))
        fill(service, run.messages)
        service.rest()
        ways = {"plain": lambda: rival("plain", server.server_port), "usual": lambda: rival("usual", server.server_port), "forme": lambda: forme(service, "many")}
        found = {name: [] for name in ways}
        for _ in range(run.turns):
            for name, measure in ways.items():
                found[name].append(measure())
        keys = list(dict.fromkeys(key for all_ in found.values() for key in all_[0]))
        print(f"{'':18}" + "".join(f"{name:>12}" for name in ways))
        for key in keys:
            values = [sorted(one[key] for one in found[name] if one.get(key) is not None) for name in ways]
            print(f"{key:18}" + "".join(f"{one[len(one) // 2] if one else '':>12}" for one in values))
        for name, value in {**handle(service, "many"), **middle(service)}.items():
            print(f"{name:18}{'':>24}{value:>12}")
        told = subprocess.run([NODE, str(HERE / "decoding.mjs"), f"http://127.0.0.1:{service.port}", "many"], capture_output=True, check=True)
        for name, value in json.loads(told.stdout).items():
            print(f"{name:18}{'':>24}{value:>12}")
    server.shutdown()


if __name__ == "__main__":
    main()
