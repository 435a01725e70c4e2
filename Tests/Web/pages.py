"""The chat in a browser, held to what it promises: it measures nothing, moves nothing, loses nothing, and runs nothing that was written."""
import concurrent.futures
import json
import random
import threading
import time

import ingest
from page import Page
from service import ROOT, Service, until
from trace import Trace, wheel

HOSTILE = (
    "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "javascript:alert(1)", "\"><svg onload=alert(1)>", "{{constructor.constructor('alert(1)')()}}",
    "https://example.org/\u202egnp.exe", "</style><style>*{background:url(http://127.0.0.2/)}", "data:text/html,<script>alert(1)</script>", "\u0000\ufeff\u2028\u2029",
    "vbscript:msgbox(1)", "mailto:a@example.org?body=<img src=x onerror=alert(1)>", "url(http://127.0.0.2/x)", "'--><iframe srcdoc='<script>alert(1)</script>'>",
    "java\tscript:alert(1)", "//127.0.0.2/x", "https://example.org/\"onmouseover=\"alert(1)", "__proto__", "constructor",
)


def message(conversation, number, body, *, sender="bo", time_=None):
    return {"conversation": conversation, "message": f"m{number}", "revision": 1, "sender": sender, "order": number,
            "time": time_ or 1_700_000_000_000 + number * 60_000, "body": body}


def long_history(count):
    words = "the table is booked under my name and there is parking behind the house so come when you like and bring what you have".split()
    dice = random.Random(7)
    return [message("long", n, {"kind": "text", "text": f"{n}: " + " ".join(dice.choice(words) for _ in range(dice.randint(1, 40))), "name": "Bo"})
            for n in range(1, count + 1)]


# What a text may stand within, where somebody hopes that one of these is taken off, or put together with it.
AROUND = ("{}", "'{}'", '"{}"', "**{}**", "`{}`", "\u202e{}", "a\u200b{}\u2066", "<!--{}-->", "[x]({})", "&lt;{}&#62;")


def hostile_messages(isShort):
    """Every place of a message in which a stranger may write, with every such text; 2,160 of them, or 216."""
    found = []
    for text in (around.format(text) if around != "{}" else text for around in AROUND[:1 if isShort else None] for text in HOSTILE):
        clean = text.replace("\u0000", "")
        bodies = [
            {"kind": "text", "text": f"{clean} https://example.org/{clean}", "name": clean or "x"},
            {"kind": "rich", "text": f"[{clean}]({clean}) **{clean}** `{clean}`"},
            {"kind": "photo", "photo": {"width": 100, "height": 100}, "caption": clean},
            {"kind": "file", "file": {"name": clean, "size": 1, "type": clean[:8]}},
            {"kind": "poll", "question": clean, "options": [{"text": clean, "id": "a"}]},
            {"kind": "contact", "contact": {"name": clean, "phone": clean, "note": clean}},
            {"kind": "location", "place": {"title": clean, "address": clean}},
            {"kind": "link", "text": clean, "preview": {"url": clean, "site": clean, "title": clean}},
            {"kind": "sticker", "sticker": {}, "emoji": clean},
            {"kind": "buttons", "text": clean, "rows": [{"buttons": [{"title": clean, "action": clean}]}]},
            {"kind": "text", "text": clean, "reply": {"sender": clean, "text": clean, "message": clean}, "forward": {"from": clean}},
            {"kind": "text", "text": "x", "reactions": [{"emoji": clean, "count": 1}]},
        ]
        for body in bodies:
            found.append(message("hostile", len(found) + 1, body, sender=clean[:60] or "x"))
    return found


def oracle_texts():
    """Texts whose lines were recorded from browsers."""
    lines = (ROOT / "Tests/Oracle/cases.jsonl").read_text().splitlines()
    return [message("oracle", number, {"kind": "text", "text": json.loads(line)["text"], "name": "Bo"}) for number, line in enumerate(lines, 1)]


class Findings:
    """What was found, and how long each took to find."""

    def __init__(self):
        self.count, self.before = 0, time.monotonic()

    def expect(self, what, found, wanted):
        well = wanted(found) if callable(wanted) else found == wanted
        now = time.monotonic()
        print(f"web: {now - self.before:5.1f} s  {what}: {json.dumps(found)[:300]}{'' if well else '   <-- NOT SO'}", flush=True)
        self.count, self.before = self.count + (not well), now


def measures_nothing(page, out):
    page.run("await open_('kinds')")
    told = page.run("""watch.below = watch.own = 0; const {scroller} = chat;
      for (let i = 0; i < 40; i++) { scrolled().scrollTop -= 300; await frame(); }
      for (const size of [85, 130, 100]) { scroller.scaleTexts(size); await frame(); await frame(); }
      await scroller.jump({message: chat.window.rows[0].message}); await frame(); await scroller.jump('newest'); await frame();
      const below = watch.below; document.querySelector('.forme-row').getBoundingClientRect(); new Range().getClientRects();
      return [below, watch.below > below]""")
    out.expect("measuring calls below the rows' element, and whether a planted one is counted", told, [0, True])
    page.run("watch.own = 0; chat.scroller.scrollTo(Math.round((chat.scroller.extent[0] + chat.scroller.extent[1]) / 2)); await until(seen); await frame()")
    with Trace(page) as trace:
        wheel(page, 60)
    # `scrollTop` of the scroller's own element is allowed: when steps have come to rest, the thumb is put where it belongs.
    forced = max(0, trace.forced() - page.evaluate("watch.own"))
    with Trace(page) as trace:
        page.run("await new Promise(done => setTimeout(() => { document.body.style.paddingTop = '1px'; done(document.body.offsetHeight); document.body.style.paddingTop = ''; }, 20)); await frame()")
    out.expect("layouts that scripts forced, as Chromium traces them, while a wheel turns; and whether a planted one is found", [forced, trace.forced() > 0], [0, True])


def lines(page, out, where="", conversation="kinds"):
    """Each line as wide as it says, where it says, and on its baseline, and bars of a voice alike. Which texts are not is returned."""
    told = page.run("""await open_('chat'); await open_('CONVERSATION'); await chat.scroller.jump('newest'); await frame(); await frame(); const found = {lines: 0, waves: 0, uneven: 0, wide: 0, low: 0, narrow: 0, worst: [0, 0, 0, 0], texts: new Set()}; const {scroller} = chat;
      for (let turn = 0; turn < 400; turn++) {
        await until(() => seen() && !document.querySelector('.forme-row.waiting'));
        for (const row of chat.window.rows) { const view = scroller.view(row.row); if (!view || view.checked || view.row !== row) continue; view.checked = true; await fonts.load(view.needs);
          const lines = row.layout.nodes.filter(node => node.text && node.part !== 'time').flatMap(node => node.text.lines);
          const drawn = [...view.element.querySelectorAll('.content .forme-line:not(.initials)')].filter(line => !line.closest('.p-time') && !line.closest('.p-sticker'));
          if (drawn.length !== lines.length) continue;
          const origin = view.element.querySelector('.content').getBoundingClientRect();
          for (const wave of view.element.querySelectorAll('.bars')) { const bars = [...wave.querySelectorAll('.bar')].map(bar => bar.getBoundingClientRect()), steps = bars.slice(1).map((bar, i) => bar.left - bars[i].left);
            const differ = list => Math.max(...list) - Math.min(...list) > 0.01, whole = length => Math.abs(length * scroller.scale - Math.round(length * scroller.scale)) < 0.01;
            found.waves++; found.uneven += differ(steps) || differ(bars.map(bar => bar.width)) || !whole(steps[0]) || !whole(bars[0].width) || bars.at(-1).right > wave.getBoundingClientRect().right + 0.01; }
          drawn.forEach((element, i) => { if (!element.textContent.trim()) return; const range = document.createRange(); range.selectNodeContents(element);
            const rects = [...range.getClientRects()].filter(rect => rect.width); if (!rects.length) return;
            const wide = (Math.max(...rects.map(rect => rect.right)) - Math.min(...rects.map(rect => rect.left))) * scroller.scale;
            const foot = document.createElement('span'); foot.style.cssText = 'display:inline-block;position:static;width:0;height:0'; element.append(foot);
            const base = (foot.getBoundingClientRect().bottom - origin.top) * scroller.scale; foot.remove();
            found.lines++; const more = wide - lines[i].width, off = Math.abs(base - lines[i].baseline), least = 1 + 0.0015 * lines[i].width;
            // Where its first letter begins and its last one ends, whichever way it runs.
            const left = (Math.min(...rects.map(rect => rect.left)) - origin.left) * scroller.scale - lines[i].left, side = lines[i].direction === 'rtl' ? left + more : left;
            if (-more > least || Math.abs(side) > least) { found.narrow++; found.texts.add(element.textContent.slice(0, 40)); }
            if (more > 0.5) found.wide++; if (off > 1) found.low++; found.worst = [Math.max(found.worst[0], more), Math.max(found.worst[1], off), Math.max(found.worst[2], -more - 0.0015 * lines[i].width), Math.max(found.worst[3], Math.abs(side))]; }); }
        if (scroller.y <= scroller.extent[0]) break; scrolled().scrollTop -= 500; await frame(); }
      return {...found, texts: [...found.texts].slice(0, 40)}""".replace("CONVERSATION", conversation))
    out.expect(f"lines{where}: wider than they say by more than half a pixel, off their baselines by more than one, narrower by more than 1 + 0.0015 of their width or not where they say; "
               "the most of each, and which texts these are; voices, and those whose bars are not alike", told, lambda found: found["lines"] > 200 and found["uneven"] == 0 and (found["waves"] > 0 or conversation != "kinds") and found["wide"] == 0 and found["low"] == 0 and len(found["texts"]) <= 10)
    return set(told["texts"])


# Width and height of the page, device pixels to one of CSS, and what the address says.
LINES = ((375, 800, 2, ""), (375, 800, 3, ""), (320, 700, 3, "&mirrored"), (480, 900, 2, ""), (347, 800, 2.625, ""), (375, 800, 1.5, "&text=150"), (900, 800, 1.25, "&text=85"))


def lines_everywhere(out, address):
    """The same on seven screens, each in a browser of its own scale: one that changes it afterwards rounds baselines otherwise."""
    texts = set()
    for width, height, scale, more in LINES:
        with Page(scale, width, height) as page:
            page.open(f"{address}#open=kinds{more}")
            for name in ("kinds", "oracle"):
                texts |= lines(page, out, f" of {name} at {width}@{scale}{more.replace('&', ', ')}", name)
            out.expect("errors", page.faults(), [])
    out.expect("texts that are narrower or elsewhere on any of them", sorted(texts), lambda found: len(found) <= 10)


def steps_and_drags(page, out):
    page.run("await open_('long')")
    told = page.run(f"""const {{scroller}} = chat, found = {{late: 0, blank: 0, wrong: 0, off: 0, moved: 0}}; moved.length = 0;
      for (let i = 0; i < 500; i++) {{ const y = scroller.y; scrolled().scrollTop -= 240; await frame(); if (Math.abs(scroller.y - Math.max(scroller.extent[0], y - 240 * scroller.scale)) >= 1) found.wrong++;
        if (!fetched()) found.late++; else if (!seen()) {{ await frame(); found.blank += !seen(); }} if (i % 25 === 0) found.off = Math.max(found.off, off()); }}
      found.moved = moved.length; return found""")
    # 14,400 pixels a second: how many pages come late is a matter of the machine, what is there is always shown.
    out.expect("of 500 steps up: pages that came late, blank screens, wrong places, pixels off, rows that shifted", told,
               lambda found: {key: value for key, value in found.items() if key != "late"} == {"blank": 0, "wrong": 0, "off": 0, "moved": 0} and found["late"] < 250)
    told = page.run("""const {scroller} = chat, found = {late: 0, off: 0}, room = scrolled().scrollHeight - scroller.height;
      for (const part of [0.5, 0.1, 0.9, 0.33, 0.77, 0]) { scrolled().scrollTop = room * part; await frame(); if (!await until(seen, 120)) found.late++; await frame(); found.off = Math.max(found.off, off()); }
      found.top = scroller.y === scroller.extent[0]; scrolled().scrollTop = 1e9; await frame(); await until(seen, 120); await frame(); found.end = scroller.y === scroller.last; return found""")
    out.expect("of drags of the thumb: late, pixels off, exact ends", told, {"late": 0, "off": 0, "top": True, "end": True})


def places_far_away(page, out):
    """Device pixels stay exact where a conversation is higher than any element: here, as its texts are twice as large and its screen is narrow."""
    told = page.run("""await open_('long'); const {scroller} = chat; await scroller.jump({y: Math.round((scroller.extent[0] + scroller.extent[1]) / 2)}); await until(seen); let most = 0, blank = 0;
      for (let i = 0; i < 60; i++) { scrolled().scrollTop += 333; await frame(); most = Math.max(most, off()); if (fetched() && !seen()) { await frame(); blank += !seen(); } }
      await new Promise(done => setTimeout(done, 300)); most = Math.max(most, off()); return {height: scroller.extent[1] - scroller.extent[0], runway: scrolled().scrollHeight * scroller.scale, off: most, blank}""")
    out.expect("in the middle of a higher one: pixels off, blank screens", told, lambda found: found["off"] < 0.05 and found["blank"] == 0 and found["runway"] < found["height"] and found["runway"] <= 1 << 24)
    # Where the thumb is near an end of the element and the screen is not as near that of the conversation, a step needs room.
    lost = page.run("""const {scroller} = chat, found = [], by = 240 * scroller.scale, room = scrolled().scrollHeight - scroller.height;
      const step = async way => { const y = scroller.y, wanted = Math.min(scroller.last, Math.max(scroller.extent[0], y + way * by)); scrolled().scrollTop += way * 240; await frame(); await until(seen); found.push(scroller.y - wanted); };
      for (const way of [-1, 1]) {
        await scroller.jump({y: way < 0 ? scroller.extent[0] + 5 * by + 7 : scroller.last - 5 * by - 7}); await until(seen); await new Promise(done => setTimeout(done, 300)); for (let i = 0; i < 7; i++) await step(way);
        await scroller.jump({y: Math.round((scroller.extent[0] + scroller.last) / 2)}); await until(seen); await frame(); scrolled().scrollTop = way < 0 ? 200 : room - 200; await frame(); await step(way); }
      return found""")
    out.expect("pixels of steps that were lost near the ends of it", lost, [0] * 16)


def chat():
    """The messages that are there before anybody looks."""
    return [message("chat", n, {"kind": "text", "text": f"message {n} " * (n % 7 + 1)}) for n in range(1, 200)]


def happening():
    """What happens in that conversation while somebody reads: 400 messages that come, edits, and deletions."""
    come = [message("chat", 10_000 + n, {"kind": "text", "text": f"live {n} " * (n % 9 + 1)}, time_=1_700_000_000_000 + n) for n in range(400)]
    edits = [{**message("chat", n, {"kind": "text", "text": "edited to be much longer " * 12}), "revision": 2} for n in range(1, 120, 9)]
    return come, edits, [{"conversation": "chat", "message": f"m{n}", "revision": 9, "deleted": True} for n in range(5, 120, 11)]


def life(page, out, service):
    """While somebody reads above, everything happens around it."""
    page.run("await open_('chat'); const {scroller} = chat; scrolled().scrollTop -= 900; await frame(); await until(seen); await new Promise(done => setTimeout(done, 300)); moved.length = 0; scroller.drift = 0;"
             "window.held = () => { const view = chat.scroller.view(chat.scroller.held.anchor.row); return view && view.element.getBoundingClientRect().top + view.row.lead / chat.scroller.scale; };"
             "window.place = held(); window.heldRow = chat.scroller.held.anchor.row")
    producer = ingest.Producer(service.events)
    come, edits, deletions = happening()
    for start in range(0, 400, 40):
        ingest.answers_until_kept(producer, come[start:start + 40])
        time.sleep(0.1)
    ingest.answers_until_kept(producer, edits)
    ingest.answers_until_kept(producer, deletions)
    told = page.run("""await until(() => chat.window.rows.some(row => row.message === 'm10399') || chat.window.mirror.rowsBelow > 100, 1200); await new Promise(done => setTimeout(done, 500));
      return {same: chat.scroller.held.anchor.row === heldRow, moved: Math.round((held() - place) * 1000) / 1000, shifts: moved.slice(0, 3), drift: chat.scroller.drift, calls: watch.below >= 0}""")
    out.expect("the row that is read while 400 messages, 14 edits and 11 deletions come", told,
               lambda found: found["same"] and found["moved"] == 0 and not found["shifts"] and found["drift"] == 0)


def widths(page, out):
    """The width of all is dragged: the row that is held stays, and in the end everything is where it is at that width."""
    told = page.run("""await open_('chat'); const {scroller} = chat, column = document.getElementById('column'); scrolled().scrollTop -= 1500; await frame(); await until(seen); await new Promise(done => setTimeout(done, 300));
      scroller.drift = 0; const {row} = scroller.held.anchor, top = () => scroller.view(row)?.element.getBoundingClientRect().top, before = top(); let answers = 0, draws = 0, most = 0;
      chat.window.addEventListener('update', () => answers++); scroller.addEventListener('draw', () => draws++);
      for (let i = 0; i < 90; i++) { column.style.setProperty('--width', `${Math.round(470 + 180 * Math.sin(i / 12))}px`); await frame(); const now = top(); most = now === undefined ? Infinity : Math.max(most, Math.abs(now - before)); }
      await until(() => chat.window.target.width === scroller.width); await new Promise(done => setTimeout(done, 300)); await until(seen);
      const told = {answers, draws, moved: most, drift: scroller.drift, off: off()}; column.style.removeProperty('--width'); await new Promise(done => setTimeout(done, 300)); return told""")
    # One for the width and one for its rows, and a few when it rests.
    out.expect("while the width is dragged: answers, draws, pixels by which the held row moved, pixels off", told,
               lambda found: found["answers"] > 5 and found["draws"] < 90 + found["answers"] + 20 and found["moved"] < 0.5 and found["drift"] == 0 and found["off"] == 0)


def own_message(page, out):
    told = page.run("""await open_('chat'); await chat.scroller.jump('newest'); await frame(); const {window: own, scroller} = chat; moved.length = 0;
      const places = new Set(), states = new Set(); let isDone = false;
      const look = () => { for (const {id, state} of own.pending) { states.add(state); const view = scroller.view(id); if (view) places.add(Math.round(view.element.getBoundingClientRect().bottom)); }
        if (!isDone) requestAnimationFrame(look); }; look();
      const post = forme.post; forme.post = async (...words) => { await new Promise(done => setTimeout(done, 400)); return post.apply(forme, words); };
      const id = await chat.send({kind: 'text', text: 'An own message that is long enough to have some lines of its own, so that its place and its size matter to somebody.'});
      await until(() => own.rows.at(-1).message === id); isDone = true; delete forme.post; await frame();
      const view = scroller.view(own.rows.at(-1).row); return {bottom: Math.round(view.element.getBoundingClientRect().bottom), before: [...places], once: own.rows.filter(row => row.message === id).length, pending: own.pending.length}""")
    out.expect("an own message stands where it will, and once", told,
               lambda found: found["once"] == 1 and found["pending"] == 0 and found["before"] and all(place == found["bottom"] for place in found["before"]))


def hostile(page, out, count):
    told = page.run(f"""await open_('hostile'); await chat.scroller.jump('newest'); let drawn = new Set(); const links = new Set();
      for (let turn = 0; turn < 4000; turn++) {{ await until(seen); for (const row of chat.window.rows) {{ const view = chat.scroller.view(row.row); if (!view || drawn.has(row.message)) continue; drawn.add(row.message);
          for (const link of view.element.querySelectorAll('a')) links.add(new URL(link.href).protocol + (link.rel === 'noopener noreferrer'));
          for (const element of view.element.querySelectorAll('[data-action], .spoiler')) if (element.dataset.action !== 'openLink') element.click(); }}
        if (chat.scroller.y <= chat.scroller.extent[0]) break; scrolled().scrollTop -= 500; await frame(); }}
      const foreign = performance.getEntriesByType('resource').map(entry => entry.name).filter(name => !name.startsWith(location.origin) && !name.startsWith('blob:'));
      const elements = [...document.querySelectorAll('#rows script, #rows iframe, #rows img, #rows style, #rows object, #rows form, #rows link')].length;
      return {{drawn: drawn.size, links: [...links].filter(link => !/^(https?:|mailto:|tel:)true$/.test(link)), foreign, elements, styled: document.querySelectorAll('#rows [style*="url"]').length}}""")
    out.expect("hostile messages: drawn, strange links, foreign requests, strange elements", told,
               lambda found: found["drawn"] >= count * 0.9 and not found["links"] and not found["foreign"] and not found["elements"] and not found["styled"])
    planted = page.run("const faults_ = faults.length; try { document.createElement('p').innerHTML = '<b>x</b>'; } catch {} await new Promise(done => setTimeout(done, 50)); const found = faults.splice(faults_); return found.length > 0")
    out.expect("a planted innerHTML is found", planted, True)


def paged():
    """A service that sends the chat."""
    service = Service()
    service.settings["http"]["pages"] = True
    service.write()
    return service


def is_laid_out(service, conversation, number):
    return ingest.web.Line(service.port).get(f"/v1/conversations/{conversation}/place", target="400@1", around=f"message:m{number}").json().get("place")


def run(kills=3, count=6_000, isShort=False, meanwhile=(), last=()):
    """How much is otherwise than it should be.

    Others come beside those that wait for frames, but when steps have been timed; and those that are about seconds at last, by themselves.
    """
    stepped = threading.Event()
    import killed
    import people
    import shown
    from kinds import events
    bad = hostile_messages(isShort)
    # Of the messages of one sender some say how far they have come.
    messages = [{**event, **({"status": status} if (status := (None, "sent", "delivered", "read")[number // 2 % 4]) else {})}
                for number, event in enumerate(events())]
    service = paged()
    with service:
        producer = ingest.Producer(service.events)
        small = [message("small", n, {"kind": "text", "text": f"message {n}", "name": "Bo"}) for n in range(1, 4)]
        small.append(message("c-own", 1, {"kind": "text", "text": "the first"}))
        everything = messages + chat() + small + bad + ([] if isShort else oracle_texts()) + long_history(count)
        for start in range(0, len(everything), 200):
            ingest.answers_until_kept(producer, everything[start:start + 200])
        until(lambda: is_laid_out(service, "long", count), 60 + count // 1000, "all laid out")
        address = f"http://127.0.0.1:{service.port}/"
        poll = next(event["message"] for event in messages if event["body"].get("kind") == "poll")

        # Four browsers beside each other, each with conversations of its own to change: most of the time frames are waited for.
        def every_kind(out):
            with Page() as page:
                page.open(address)
                for test in (measures_nothing, lines):
                    test(page, out)
                hostile(page, out, len(bad))
                people.keyboard(page, out, poll)
                for test in () if isShort else (*people.LONG, shown.forced, shown.still):
                    test(page, out)
                out.expect("errors, refusals of the policy and dialogs", page.faults(), [])
                if not isShort:
                    shown.letters(page, out, address)
                    shown.proof(page, out, address)

        def long_ones(out):
            with Page() as page:
                page.open(address)
                try:
                    steps_and_drags(page, out)
                finally:
                    stepped.set()
                widths(page, out)
                own_message(page, out)
                life(page, out, service)
                for test in people.SHORT:
                    test(page, out)
                out.expect("errors of the page with the long ones", page.faults(), [])

        def narrow(out):
            with Page(4, 360, 740) as page:
                page.open(address + "#text=200&answers")
                places_far_away(page, out)
                people.writing(page, out)
                out.expect("errors on a narrow screen", page.faults(), [])
            if not isShort:
                lines_everywhere(out, address)

        def own_messages(out):
            with Page() as page:
                page.open(address)
                shown.in_place(page, out, service)
                out.expect("errors of a page with own messages", page.faults(), [])

        # By itself, as it is about frames.
        def dragging(out):
            service.rest()
            with Page() as page:
                page.open(address)
                shown.dragged(page, out)

        def then(test):
            def waiting(out):
                stepped.wait()
                test(out)
            return waiting

        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            others = pool.submit(beside, *map(then, (*meanwhile, lambda out: killed.run(out, kills))))
            found = beside(every_kind, long_ones, narrow, own_messages) + others.result()
            if not isShort:
                found += beside(dragging)
    return found + sum(beside(test) for test in last)


def dragged(out):
    """The width under a pointer and nothing else, in a service that has nothing else to do."""
    import shown
    from kinds import events
    service = paged()
    with service:
        ingest.answers_until_kept(ingest.Producer(service.events), list(events()))
        service.rest()
        with Page() as page:
            page.open(f"http://127.0.0.1:{service.port}/")
            shown.dragged(page, out)


def beside(*tests):
    """How much is otherwise, of tests that run at the same time."""
    findings = [Findings() for _ in tests]
    with concurrent.futures.ThreadPoolExecutor(len(tests)) as pool:
        for test in [pool.submit(test, out) for test, out in zip(tests, findings)]:
            test.result()
    return sum(out.count for out in findings)
