"""A conversation of a million messages: so many steps through it without a blank row, and the thumb anywhere and back."""
import random
import time

import ingest
from page import Page
from pages import message
from service import Service, until

WORDS = "the table is booked under my name and there is parking behind the house so come when you like and bring what you have".split()


def history(count):
    dice = random.Random(11)
    said = [" ".join(dice.choice(WORDS) for _ in range(dice.randint(1, 40))) for _ in range(997)]
    for n in range(1, count + 1):
        yield message("million", n, {"kind": "text", "text": f"{n}: {said[n % 997]}", "name": "Bo"}, sender=("bo", "ada", "cy")[n // 3 % 3])


def fill(service, count):
    producer, batch = ingest.Producer(service.events), []
    start = time.monotonic()
    for event in history(count):
        batch.append(event)
        if len(batch) == 250:
            ingest.answers_until_kept(producer, batch)
            batch = []
    if batch:
        ingest.answers_until_kept(producer, batch)
    line = ingest.web.Line(service.port)
    until(lambda: line.get("/v1/conversations/million/place", target="400@1", around=f"message:m{count}").json().get("place"), 120 + count // 2000, "all laid out")
    print(f"web: {count} messages are there after {time.monotonic() - start:.0f} s", flush=True)


def steps(page, out, count):
    """Steps as a wheel makes them, up and down in stretches, each looked at when it is drawn."""
    told = {"steps": 0, "late": 0, "blank": 0, "wrong": 0, "off": 0, "shifted": 0}
    page.run("await open_('million'); moved.length = 0; globalThis.way = -1")
    while told["steps"] < count:
        some = min(2000, count - told["steps"])
        found = page.run(f"""const {{scroller}} = chat, found = {{late: 0, blank: 0, wrong: 0, off: 0}}; moved.length = 0;
          for (let i = 0; i < {some}; i++) {{ if (scroller.y <= scroller.extent[0]) way = 1; if (scroller.y >= scroller.last) way = -1; const y = scroller.y, by = way * 240, wanted = Math.min(scroller.last, Math.max(scroller.extent[0], y + by * scroller.scale));
            scrolled().scrollTop += by; await frame(); if (Math.abs(scroller.y - wanted) >= 1 && scroller.y > scroller.extent[0] && scroller.y < scroller.last) found.wrong++;
            if (!fetched()) {{ found.late++; await until(fetched, 300); await frame(); }} if (!seen()) {{ await frame(); found.blank += fetched() && !seen(); }} if (i % 100 === 0) found.off = Math.max(found.off, off()); }}
          return {{...found, shifted: moved.length}}""")
        if told["steps"] // 10_000 < (told["steps"] + some) // 10_000:
            print(f"web: {told['steps'] + some} steps", flush=True)
        told = {"steps": told["steps"] + some, "off": max(told["off"], found.pop("off")), **{key: told[key] + found[key] for key in found}}
    out.expect("steps through the longest: pages that came late, blank screens, wrong places, pixels off, rows that shifted", told,
               lambda found: found["blank"] == 0 and found["wrong"] == 0 and found["off"] < 0.05 and found["shifted"] == 0)


def lastly(page, out):
    """A step that is made just before the thumb is put where it belongs, and that nobody was told of yet."""
    lost = page.run("""await open_('million'); await chat.scroller.jump('newest'); await until(seen); await frame(); const {scroller} = chat, wait = globalThis.setTimeout, found = []; let rested;
      globalThis.setTimeout = (what, after, ...words) => { if (after === 200) rested = what; return wait(what, after, ...words); };
      for (let turn = 0; turn < 6; turn++) { scrolled().scrollTop -= 240; await frame(); const y = scroller.y; scrolled().scrollTop -= 240; rested(); await frame(); await frame(); found.push(y - scroller.y - 240 * scroller.scale); }
      globalThis.setTimeout = wait; return found""")
    out.expect("pixels of a step that were lost as the thumb was put right", lost, [0] * 6)


def thumb(page, out, places, seed):
    """Where the thumb is put there are rows, the same whenever it comes back."""
    dice = random.Random(seed)
    wanted = [0.0, 1.0] + [round(dice.random(), 6) for _ in range(places - 2)]
    page.run("await open_('million')")
    there = {}
    took, late, off = [], 0, 0
    for place in wanted + wanted[-2::-1]:
        found = page.run(f"""const {{scroller}} = chat, room = scrolled().scrollHeight - scroller.height, start = performance.now();
          scrolled().scrollTop = {place} === 1 ? 1e9 : room * {place}; await frame(); const isThere = await until(seen, 300), took = performance.now() - start; await new Promise(done => setTimeout(done, 260)); await until(seen, 300); await frame();
          const names = chat.window.rows.filter(row => scroller.view(row.row) && chat.window.mirror.y(chat.window.mirror.index(row.row)) < scroller.y + scroller.screen && chat.window.mirror.y(chat.window.mirror.index(row.row) + 1) > scroller.y).map(row => row.message);
          return {{isThere, took, names, off: off()}}""")
        took.append(found["took"])
        late += not found["isThere"] or not found["names"]
        off = max(off, found["off"])
        there.setdefault(place, []).append(found["names"])
    other = [[place, names[0][:2], names[-1][:2]] for place, names in there.items() if names[0] != names[-1]]
    took.sort()
    out.expect(f"the thumb at {places} places and back: late, other rows than before, pixels off; ms until rows are there, median and worst",
               {"late": late, "other": other[:2], "off": off, "ms": [round(took[len(took) // 2]), round(took[-1])]}, lambda found: found["late"] == 0 and not found["other"] and found["off"] < 0.05)


def run(out, messages, count, seed):
    service = Service()
    service.settings["http"]["pages"] = True
    service.write()
    with service:
        fill(service, messages)
        # As many frames as the machine has, and not sixty in a second.
        with Page(flags=("--disable-frame-rate-limit", "--disable-gpu-vsync")) as page:
            page.open(f"http://127.0.0.1:{service.port}/")
            thumb(page, out, 100, seed)
            lastly(page, out)
            steps(page, out, count)
            out.expect("faults of the longest", page.faults(), [])
