"""Who reads, for how long, and where else: tokens that end and are renewed, what was seen last, two tabs, and many conversations at once."""
import time

import ingest
from page import Page
from pages import message
from service import until

LIVE = "chat.window?.state === 'live' && seen()"


def fill(gate, names, count=60):
    producer = ingest.Producer(gate.service.events)
    for name in names:
        ingest.answers_until_kept(producer, [message(name, n, {"kind": "text", "text": f"{name}: message {n} " * (n % 5 + 1)}) for n in range(1, count + 1)])
    for name in names:
        line = gate.line("--all", "--read")
        until(lambda: line.get(f"/v1/conversations/{name}/place", target="400@1", around=f"message:m{count}").json().get("place"), 30, "laid out")
    return producer


def renewed(page, out, gate, producer):
    """Tokens that hold for three seconds, one after the other: the same window goes on under all of them, and loses and repeats nothing."""
    tokens = [gate.token("--all", "--read", "--for", f"{3 * n}s") for n in range(1, 5)]
    page.evaluate(f"""globalThis.tokens = {tokens!r}, globalThis.asked = 0, globalThis.renewing = (async () => {{ const Forme = forme.constructor;
      globalThis.own = new Forme('', {{token: async () => tokens[asked++]}}).open('c1', {{target: {{width: 400, scale: 1}}, reader: {{own: 'ada'}}}});
      globalThis.states = []; own.addEventListener('state', ({{detail}}) => states.push(detail.state)); await until(() => own.state === 'live'); }})(), 0""")
    page.run("await renewing")
    start, number = time.monotonic(), 1000
    while time.monotonic() - start < 9.5:
        number += 1
        ingest.answers_until_kept(producer, [message("c1", number, {"kind": "text", "text": f"under the next token {number}"}, time_=1_700_100_000_000)])
        time.sleep(0.25)
    told = page.run(f"""await until(() => own.state === 'live' && own.rows.at(-1)?.message === 'm{number}', 900); const names = own.rows.map(row => row.message);
      return {{asked, refused: states.includes('refused'), last: names.at(-1), lost: {number - 1000} - names.filter(name => Number(name.slice(1)) > 1000).length, repeated: names.length - new Set(names).size, rows: names.length}}""")
    out.expect("tokens of 3, 6 and 9 s, renewed under a window: tokens, lost, repeated", told,
               lambda found: found["asked"] >= 4 and not found["refused"] and found["lost"] == 0 and found["repeated"] == 0)
    told = page.run("await until(() => own.state === 'refused', 900); const before = own.rows.length; own.close(); return {state: own.state, rows: before}")
    out.expect("when there is no further token, it ends, and shows nothing any more", told, {"state": "refused", "rows": 0})


def kept(out, gate, address):
    """What was seen last is there before anything of the conversation comes, and is gone after whoever leaves."""
    token = gate.token("--all", "--read", "--subject", "ada")
    there = f"{address}#token={token}&as=ada&open=c1"
    stored = "new Promise(done => { const ask = indexedDB.open('forme', 1); ask.onsuccess = () => { const db = ask.result; if (!db.objectStoreNames.length) return done(0); const all = db.transaction('seen').objectStore('seen').getAllKeys(); all.onsuccess = () => { db.close(); done(all.result.filter(key => !key[1].startsWith('\\n')).length); }; }; })"

    with Page() as page:
        def again(fragment=there):
            page.call("Page.navigate", url="about:blank")
            page.open(fragment)

        page.open(there)
        page.run(f"await until(() => globalThis.chat && {LIVE}); await until(() => !document.querySelector('.waiting'), 200); scrolled().scrollTop -= 400; await frame(); scrolled().scrollTop = 1e9; await frame(); await frame(); await new Promise(done => setTimeout(done, 2200))")
        page.call("Network.enable")
        before = page.run("return [...document.querySelectorAll('article')].map(one => [one.ariaLabel, Math.round(one.getBoundingClientRect().bottom - innerHeight)]).filter(([, y]) => y < 0 && y > -600).sort()")
        # Nothing of conversations comes any more.
        page.call("Network.setBlockedURLs", urls=["*/v1/conversations*"])
        again()
        told = page.run("await until(() => document.querySelector('article') && !document.querySelector('.waiting'), 300); await frame(); return [chat.window.state, chat.window.isKept, [...document.querySelectorAll('article')].map(one => [one.ariaLabel, Math.round(one.getBoundingClientRect().bottom - innerHeight)]).filter(([, y]) => y < 0 && y > -600).sort()]")
        out.expect("what was seen last is there before the network answers, in its place", [told[0] != "live", told[1], told[2] == before, len(before) > 3], [True, True, True, True])
        page.call("Network.setBlockedURLs", urls=[])
        told = page.run("moved.length = 0; await until(() => chat.window?.state === 'live', 900); await frame(); await frame(); return [chat.window.state, chat.window.isKept, moved, off()]")
        out.expect("and when it answers, nothing moves", told, ["live", False, [], 0])

        # Deleted while somebody looks: kept no longer.
        producer = ingest.Producer(gate.service.events)
        ingest.answers_until_kept(producer, [{"conversation": "c1", "message": "m58", "revision": 9, "deleted": True}])
        page.run("await until(() => !chat.window.rows.some(row => row.message === 'm58' && row.said?.body), 600); await new Promise(done => setTimeout(done, 400))")
        words = page.run("return new Promise(done => { const ask = indexedDB.open('forme', 1); ask.onsuccess = () => { const all = ask.result.transaction('seen').objectStore('seen').getAll(); all.onsuccess = () => { ask.result.close(); done(JSON.stringify(all.result.map(one => one.rows ?? 0)).includes('message 58')); }; }; })")
        out.expect("words of a deleted message are kept", words, False)
        # Another name sees nothing of it.
        again(f"{address}#token={gate.token('--all', '--read', '--subject', 'bo')}&as=bo&open=c2")
        out.expect("rows that another reader finds at first", page.run("return new Promise(async done => { const Forme = forme.constructor; const own = new Forme('', {keep: 'bo'}); done(await own.kept.get('c1') === undefined); })"), True)
        # The end of the token, told by the gateway, wipes it.
        brief = gate.token("--all", "--read", "--subject", "ada", "--for", "4s")
        again(f"{address}#token={brief}&as=ada&open=c1")
        page.run(f"await until(() => globalThis.chat && {LIVE})")
        had = page.run(f"await new Promise(done => setTimeout(done, 1800)); return {stored}")
        told = page.run(f"await until(() => chat.window.state === 'refused', 600); await until(() => !document.querySelector('#list .entry'), 600); await new Promise(done => setTimeout(done, 300)); return [{had} > 0, await {stored}, document.querySelectorAll('article, #list .entry').length, document.getElementById('empty').hidden]")
        out.expect("at the end of the token all is wiped, from the disk and from the screen", told, lambda found: found[0] and found[1] <= 1 and found[2:] == [0, False])
        # Who leaves, in one tab, has left in all.
        again()
        page.run(f"await until(() => globalThis.chat && {LIVE}); await new Promise(done => setTimeout(done, 1800))")
        told = page.run(f"const other = new BroadcastChannel('forme-kept'), heard = new Promise(done => other.onmessage = ({{data}}) => done(data)); await forme.forget(); const name = await heard; other.close(); await new Promise(done => setTimeout(done, 1800)); return [name.endsWith('|ada'), await {stored}]")
        out.expect("who leaves is told to other tabs, and leaves nothing", told, lambda found: found[0] and found[1] <= 1)
        out.expect("faults of a page with tokens", [fault for fault in page.faults() if "Failed to fetch" not in fault], [])


def tabs(page, out, gate, address, token):
    """Two tabs of one reader: each follows what the other says."""
    with Page() as other:
        there = f"{address}#token={token}&as=ada&open=c2"
        for one in (page, other):
            one.call("Page.navigate", url="about:blank")
            one.open(there)
            one.run(f"await until(() => globalThis.chat && {LIVE})")
        for number, (one, two) in enumerate(((page, other), (other, page), (page, other))):
            one.run(f"await chat.send({{kind: 'text', text: 'from tab {number}'}})")
            for each in (one, two):
                each.run(f"await until(() => chat.window.rows.at(-1)?.said?.body.text === 'from tab {number}', 600); await frame(); await frame()")
        same = [one.run("return chat.window.rows.map(row => row.message)") for one in (page, other)]
        out.expect("two tabs have the same rows", [same[0] == same[1], len(same[0]) == len(set(same[0]))], [True, True])
        out.expect("faults of the other tab", other.faults(), [])


def eight(page, out, producer):
    """Eight conversations at once, in one page, over two of its connections: each is told of its own messages."""
    page.evaluate("""globalThis.eight = (async () => { globalThis.all = []; for (let n = 1; n <= 8; n++) { const own = forme.open(`c${n}`, {target: {width: 300 + n, scale: 1}, reader: {own: 'ada'}, count: 20}); all.push(own); } })(), 0""")
    told = page.run("await eight; await until(() => all.every(own => own.state === 'live' && own.rows.length), 600); return all.filter(own => own.state === 'live').length")
    for n in range(1, 9):
        ingest.answers_until_kept(producer, [message(f"c{n}", 5000, {"kind": "text", "text": f"c{n}: to all"}, time_=1_700_200_000_000)])
    told = {"live": told, **page.run("""await until(() => all.every(own => own.rows.some(row => row.message === 'm5000')), 600);
      const found = {told: all.filter(own => own.rows.some(row => row.message === 'm5000')).length, strange: all.flatMap(own => own.rows.filter(row => row.said.body.text[0] === 'c' && !row.said.body.text.startsWith(`${own.conversation}:`))).length};
      // Each goes its own way on the shared line.
      await all[3].jump({message: 'm1'}); await all[5].page('older'); for (const own of all.slice(0, 2)) own.close();
      const late = forme.open('c1', {target: {width: 333, scale: 2}, reader: {own: 'ada'}}); await until(() => late.state === 'live' && late.rows.at(-1)?.message === 'm5000', 600);
      found.late = late.rows.at(-1)?.message; found.jumped = all[3].rows.some(row => row.message === 'm1'); found.older = all[5].rows.length > 30; late.close(); for (const own of all) own.close(); return found""")}
    out.expect("eight conversations in one page", told, {"live": 8, "told": 8, "strange": 0, "late": "m5000", "jumped": True, "older": True})


def run(out, isShort):
    from test_tokens import Gate
    gate = Gate()
    gate.service.settings["http"]["pages"] = True
    gate.service.write()
    with gate:
        producer = fill(gate, [f"c{n}" for n in range(1, 9)])
        address = f"http://127.0.0.1:{gate.service.port}/"
        everyday = gate.token("--all", "--read", "--write", "--subject", "ada")
        with Page() as page:
            page.open(f"{address}#token={everyday}&as=ada&open=c3")
            if not isShort:
                renewed(page, out, gate, producer)
            tabs(page, out, gate, address, everyday)
            # Of the chat's own connections none is left to wait for.
            page.run("chat.close()")
            eight(page, out, producer)
            out.expect("faults of a page with tokens that are renewed", page.faults(), [])
        if not isShort:
            kept(out, gate, address)
