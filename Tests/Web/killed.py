"""The chat whose gateway is killed under it, in a service of its own, as others go on with theirs."""
import os
import signal

import ingest
from page import Page
from pages import chat, happening, is_laid_out, message, paged
from service import until


def killed(page, out, service, kills):
    """The gateway goes under the stream, again and again, and comes back: what is shown in the end is what there is."""
    page.run("await open_('chat'); await chat.scroller.jump('newest'); await frame(); moved.length = 0; globalThis.heardOf = new Set()")
    producer = ingest.Producer(service.events)
    number = 1_900_000_000_000  # behind all others
    for kill in range(kills):
        gateway = next(pid for pid, role in service.family().items() if role == "gateway")
        ingest.answers_until_kept(producer, [message("chat", number + n, {"kind": "text", "text": f"before and after {kill} {n}"}, time_=1_900_000_000_000) for n in range(3)])
        number += 3
        os.kill(gateway, signal.SIGKILL)
        ingest.answers_until_kept(producer, [message("chat", number + n, {"kind": "text", "text": f"meanwhile {kill} {n}"}, time_=1_900_000_000_000) for n in range(3)])
        number += 3
        until(lambda: page.evaluate(f"chat.window.state === 'live' && chat.window.rows.at(-1).message === 'm{number - 1}'"), 20,
              lambda: page.evaluate("JSON.stringify([chat.window.state, chat.window.rows.slice(-3).map(row => row.message), chat.window.mirror.rowsBelow, chat.window.mirror.cursor, faults])"))
        # A window has so many rows and no more; those of this turn are among them.
        page.evaluate("chat.window.rows.forEach(row => heardOf.add(row.message)), true")
    told = page.run(f"""await frame(); await frame(); const names = chat.window.rows.map(row => row.message);
      return {{lost: {6 * kills} - [...heardOf].filter(name => Number(name.slice(1)) >= 1.9e12).length, repeated: names.length - new Set(names).size, end: chat.scroller.last - chat.scroller.y, off: off()}}""")
    out.expect(f"after the gateway was killed {kills} times: lost, repeated, pixels from the end, pixels off", told, {"lost": 0, "repeated": 0, "end": 0, "off": 0})


def killed_far_above(page, out, service, kills):
    """The same while somebody reads far above: that row stays where it is, to the pixel, and what came meanwhile is there below."""
    page.run("await open_('chat'); await chat.scroller.jump({message: 'm40'}); await until(seen); await new Promise(done => setTimeout(done, 400)); chat.scroller.drift = 0; moved.length = 0;"
             "globalThis.read = chat.scroller.held.anchor.row; globalThis.stands = () => { const view = chat.scroller.view(read); return view && view.element.getBoundingClientRect().top; }; globalThis.stood = stands()")
    producer = ingest.Producer(service.events)
    number = 1_950_000_000_000
    # It may be back before anybody looks.
    page.evaluate("chat.window.addEventListener('state', ({detail}) => { globalThis.noticed ||= detail.state !== 'live'; }), 0")
    for kill in range(kills):
        page.evaluate("globalThis.noticed = false, 0")
        gateway = next(pid for pid, role in service.family().items() if role == "gateway")
        os.kill(gateway, signal.SIGKILL)
        until(lambda: page.evaluate("noticed"), 10, "the page notices")
        ingest.answers_until_kept(producer, [message("chat", number + kill, {"kind": "text", "text": f"far below {kill}"}, time_=1_950_000_000_000)])
        until(lambda: page.evaluate("chat.window.state === 'live'"), 20, "the page is back")
    told = page.run(f"""await frame(); await frame(); const place = stands(), off_ = off(); const found = {{moved: place === undefined ? null : Math.round((place - stood) * 1000) / 1000, shifts: moved.slice(0, 2), off: off_}};
      await chat.scroller.jump('newest'); await until(() => seen() && chat.window.rows.at(-1).message === 'm{number + kills - 1}', 600); found.last = chat.window.rows.slice(-{kills}).map(row => Number(row.message.slice(1)) - {number}); return found""")
    out.expect(f"a row far above while the gateway is killed {kills} times: pixels by which it moved, shifts, pixels off; and what came meanwhile", told,
               {"moved": 0, "shifts": [], "off": 0, "last": list(range(kills))})


def run(out, kills):
    service = paged()
    with service, Page() as page:
        producer = ingest.Producer(service.events)
        come, edits, deletions = happening()
        for events in (chat(), edits, deletions, come):
            for start in range(0, len(events), 200):
                ingest.answers_until_kept(producer, events[start:start + 200])
        until(lambda: is_laid_out(service, "chat", 10_399), 60, "the chat laid out")
        page.open(f"http://127.0.0.1:{service.port}/")
        killed(page, out, service, kills)
        killed_far_above(page, out, service, min(3, kills))
        out.expect("errors while the gateway was killed", page.faults(), [])
