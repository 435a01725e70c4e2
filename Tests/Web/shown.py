"""What else the chat promises to whoever looks: colours and motion of their own, words that wait for letters, own messages that come to nothing, and the page of proof."""
import math
import time

import ingest
from page import TOOLS
from people import contrast
from pages import message
from service import until

HANDLE = "const handle = document.getElementById('handle').getBoundingClientRect(); return [handle.x + 2, handle.y + handle.height / 2]"


def forced(page, out):
    """Where somebody has colours of their own, words are readable in these, and what is chosen is told by more than a colour."""
    page.call("Emulation.setEmulatedMedia", features=[{"name": "forced-colors", "value": "active"}])
    try:
        told = page.run("""await open_('kinds'); await chat.scroller.jump('newest'); const found = {active: matchMedia('(forced-colors: active)').matches, bare: [], chosen: 0, same: 0, glyphs: 0};
          const seenKinds = new Set();
          for (let turn = 0; turn < 80; turn++) { await until(seen);
            for (const element of document.querySelectorAll('#rows :is(.t-bubble, .t-chip, .t-button, .t-answer, .t-input, .t-plate, .spoiler)')) { const style = getComputedStyle(element); if (style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 1) found.bare.push(element.className); }
            for (const chip of document.querySelectorAll('#rows .t-chip.chosen')) { found.chosen++; const other = chip.parentElement.querySelector('.t-chip:not(.chosen)'); if (other && getComputedStyle(chip).outlineWidth === getComputedStyle(other).outlineWidth) found.same++; }
            if (chat.scroller.y <= chat.scroller.extent[0]) break; scrolled().scrollTop -= 600; await frame(); }
          return {...found, bare: [...new Set(found.bare)]}""")
        out.expect("in forced colours: whether they hold, what has no edge, chosen ones that look like others", told,
                   lambda found: found["active"] and not found["bare"] and found["chosen"] > 0 and not found["same"])
        contrast(page, out, "in forced colours, ")
    finally:
        page.call("Emulation.setEmulatedMedia", features=[])


def still(page, out):
    """Who wants no motion sees none: no dots that beat, no fading, no gliding to a place."""
    body = """await open_('kinds'); await chat.scroller.jump('newest'); let most = 0;
      for (let turn = 0; turn < 80; turn++) { await until(seen); for (const spoiler of document.querySelectorAll('#rows .spoiler:not(.open)')) spoiler.click(); await frame(); most = Math.max(most, document.getAnimations().length);
        if (chat.scroller.y <= chat.scroller.extent[0]) break; scrolled().scrollTop -= 600; await frame(); }
      return [most, getComputedStyle(scrolled()).scrollBehavior]"""
    moving = page.run(body)
    page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    try:
        out.expect("motions at a time where nobody minds, and where somebody does", [moving[0] > 0, *page.run(body)], [True, 0, "auto"])
    finally:
        page.call("Emulation.setEmulatedMedia", features=[])


def letters(page, out, address):
    """Fonts that do not come: boxes stand at once, words are hidden for three seconds and not longer, and it is counted."""
    page.call("Network.enable")
    page.call("Network.setCacheDisabled", cacheDisabled=True)
    # Blocked ones would fail at once: these wait, as on a line that is dead.
    page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/fonts/*"}])
    try:
        page.call("Page.navigate", url="about:blank")
        page.call("Page.navigate", url=f"{address}#open=chat")
        start = time.monotonic()
        while not page.evaluate("!!document.querySelector('#rows article .content')") and time.monotonic() < start + 10:
            time.sleep(0.02)
        page.evaluate(TOOLS)
        told = page.run("""const rows = () => [...document.querySelectorAll('#rows article')], start = performance.now(), found = {};
          await until(() => rows().length > 3); found.boxes = rows().every(row => row.querySelector('.content').getBoundingClientRect().height > 10); found.hidden = rows().every(row => row.classList.contains('waiting'));
          found.words = [...document.querySelectorAll('#rows .p-text .forme-line')].every(line => getComputedStyle(line).visibility === 'hidden');
          await until(() => !document.querySelector('#rows .waiting'), 400); found.s = Math.round((performance.now() - start) / 100) / 10; found.shown = [...document.querySelectorAll('#rows .p-text .forme-line')].every(line => getComputedStyle(line).visibility === 'visible');
          found.counted = fonts.late >= rows().length; return found""")
        out.expect("letters that never come: boxes at once, words hidden, seconds until they are shown, and counted", told,
                   lambda found: found["boxes"] and found["hidden"] and found["words"] and 1 < found["s"] <= 3.6 and found["shown"] and found["counted"])
    finally:
        page.call("Fetch.disable")
        page.call("Network.setCacheDisabled", cacheDisabled=False)


def in_place(page, out, service):
    """An own message that is superseded, or stands elsewhere than it was shown, says so in its place; one that is sent twice is there once."""
    producer = ingest.Producer(service.events)
    told = page.run("""await open_('c-own'); await chat.scroller.jump('newest'); await until(seen); const {window: own, scroller} = chat, found = {}; globalThis.own = own;
      const post = forme.post; globalThis.post_ = post; let isHeld = true;
      // Deleted elsewhere before it arrives.
      forme.post = async (...words) => words[1][0].body ? [{answer: 'superseded'}] : post.apply(forme, words);
      const id = await chat.send({kind: 'text', text: 'This is gone before it comes'}); await until(() => scroller.view(id)?.element.classList.contains('superseded'), 300);
      const element = scroller.view(id)?.element; found.says = !!element && getComputedStyle(element, '::before').content.includes('Deleted'); element?.click(); await until(() => !scroller.view(id), 100); found.left = own.pending.length;
      // Another comes first: it waits in its place, and then stands above the other.
      let go; const gate = new Promise(done => go = done); forme.post = async (...words) => { if (words[1][0].body) await gate; return post.apply(forme, words); };
      globalThis.go = go; globalThis.sending = own.post({kind: 'text', text: 'I say this first'}, {order: 1_000_000}); await until(() => own.pending.some(one => one.row && scroller.view(one.id)), 300); globalThis.mine = own.pending[0].id; found.waits = !!mine; return found""")
    ingest.answers_until_kept(producer, [message("c-own", 2_000_000, {"kind": "text", "text": "and I am later"}, time_=1_700_000_900_000)])
    told |= page.run("""await until(() => own.rows.at(-1).message === 'm2000000', 400); await frame(); const {scroller} = chat, waiting = scroller.view(mine).element.getBoundingClientRect(), other = scroller.view(own.rows.at(-1).row).element.getBoundingClientRect(); const found = {below: waiting.top >= other.bottom - 1};
      go(); await sending; await until(() => own.rows.some(row => row.message === mine), 400); await frame(); await frame(); const row = own.rows.find(one => one.message === mine), view = scroller.view(row.row); found.above = own.rows.at(-1).message === 'm2000000';
      found.moved = view.element.classList.contains('moved') && getComputedStyle(view.element, '::before').content.includes('moved'); await until(() => !view.element.classList.contains('moved'), 500); found.quiet = !view.element.classList.contains('moved');
      // The answer is lost: it is sent again, and is there once.
      let turns = 0; const say = forme.say; forme.say = async (...words) => { const told = await say.apply(forme, words); if (words[1]?.events?.[0]?.body && turns++ < 2) throw new TypeError('the line broke'); return told; }; forme.post = post_;
      const id = await chat.send({kind: 'text', text: 'Twice is once'}); await until(() => own.rows.at(-1).message === id, 400); delete forme.say; delete forme.post; found.turns = turns; found.once = own.rows.filter(one => one.message === id).length; found.pending = own.pending.length; return found""")
    out.expect("own messages that are superseded, reordered, and sent again", told,
               {"says": True, "left": 0, "waits": True, "below": True, "above": True, "moved": True, "quiet": True, "turns": 3, "once": 1, "pending": 0})


def drag(page, seconds, between=lambda: None, turns=40):
    """The handle under a pointer that swings, as often as a mouse tells of itself; in between, so many times something else."""
    x, y = page.run(HANDLE)
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    page.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
    start, number, turned = time.monotonic(), 0, 0
    while time.monotonic() < start + seconds:
        number += 1
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x - 90 + 90 * math.cos(number / 40), y=y, button="left", buttons=1)
        if time.monotonic() > start + turned * seconds / turns:
            turned += 1
            between()
        time.sleep(max(0, start + number / 120 - time.monotonic()))
    page.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left", clickCount=1)


def dragged(page, out, seconds=10, least=55):
    """The width under a pointer that does not rest, with every kind in view one after the other: frames a second, and the row that is held."""
    # All letters are there before: a new folder has no slices of fonts yet, and whole ones take a browser tenths of a second each.
    page.run("""await open_('kinds'); await chat.scroller.jump('newest');
      for (let turn = 0; turn < 80; turn++) { await until(() => seen() && !document.querySelector('.forme-row.waiting')); if (chat.scroller.y <= chat.scroller.extent[0]) break; scrolled().scrollTop -= 600; await frame(); }
      await chat.scroller.jump('newest'); await until(seen); await new Promise(done => setTimeout(done, 500))""")
    page.evaluate("""globalThis.dragging = {frames: [], off: 0, kinds: new Set(), widths: new Set()}, (() => { const tick = time => { dragging.frames.push(time); dragging.widths.add(chat.scroller.width);
      for (const row of chat.window.rows) if (chat.scroller.view(row.row)) dragging.kinds.add(row.said?.body?.kind); if (!dragging.isOver) requestAnimationFrame(tick); }; requestAnimationFrame(tick); })(), 0""")
    # Another screenful from time to time, so that all kinds come by.
    drag(page, seconds, lambda: page.evaluate("scrolled().scrollTop -= 1200, 0"))
    told = page.run("""dragging.isOver = true; await until(() => chat.window.target.width === chat.scroller.width && seen(), 300); await new Promise(done => setTimeout(done, 300)); const {frames} = dragging, gaps = frames.slice(1).map((time, place) => time - frames[place]).sort((a, b) => a - b);
      return {per_s: Math.round(10 * 1000 * (frames.length - 1) / (frames.at(-1) - frames[0])) / 10, p99: Math.round(gaps[Math.floor(gaps.length * 0.99)]), kinds: dragging.kinds.size, widths: dragging.widths.size, drift: chat.scroller.drift, off: off()}""")
    out.expect(f"the width under a pointer for {seconds} s: frames a second, the longest of a hundred (ms), kinds in view, widths, pixels of drift, pixels off", told,
               lambda found: found["per_s"] >= least and found["kinds"] >= 15 and found["widths"] > 20 and found["drift"] == 0 and found["off"] == 0)
    return told


def proof(page, out, address):
    """The page that measures: breaks and widths of the browser beside ours, and what is planted there is painted and counted."""
    page.call("Page.navigate", url="about:blank")
    page.call("Page.navigate", url=f"{address}proof#of=kinds")
    until(lambda: page.evaluate("!!globalThis.proof"), 60, lambda: page.evaluate("document.getElementById('state')?.textContent ?? location.href"))
    table = """const rows = kind => [...document.querySelectorAll(`#sums tr.${kind}`)].map(row => [...row.cells].map(cell => cell.textContent));
      const sum = (all, place) => all.reduce((total, row) => total + Number(row[place]), 0), [all] = rows('all');
      return {...proof, scripts: rows('script').length, kinds: rows('kind').length, sums: [1, 2, 3].every(place => sum(rows('script'), place) === Number(all[place]) && sum(rows('kind'), place) === Number(all[place])),
        others: document.querySelectorAll('.pair.other').length, marks: document.querySelectorAll('.mark').length, px: all.slice(4)}"""
    told = page.run(table)
    out.expect("the page of proof: texts, lines, breaks that the browser has elsewhere, by scripts and kinds", told,
               lambda found: found["texts"] > 150 and found["lines"] > 400 and found["scripts"] >= 4 and found["kinds"] >= 12 and found["sums"] and found["breaks"] == found["marks"] == found["others"] == 0 and float(found["px"][0][:-3]) <= 1 and float(found["px"][2][:-3]) == 0)
    planted = page.run("""const sheet = new CSSStyleSheet(); sheet.replaceSync('.theirs { letter-spacing: 1.5px !important; }'); document.adoptedStyleSheets.push(sheet); delete globalThis.proof;
      document.getElementById('ask').requestSubmit(); while (!globalThis.proof) await new Promise(done => setTimeout(done, 50)); """ + table)
    out.expect("letters that are set wider there are painted and counted", planted, lambda found: found["breaks"] > 30 and found["others"] > 10 and found["marks"] >= found["breaks"] and found["sums"])
    out.expect("errors of the page of proof", page.faults(), [])
