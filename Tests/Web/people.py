"""The chat for everybody who uses it: with keys, with a screen reader, with colours and sizes of their own; searching, and taking words along."""

KEYS = {"ArrowUp": 38, "ArrowDown": 40, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "Enter": 13, "Escape": 27, "Tab": 9}
ROLES = {"image": ("image", "img"), "button": ("button",), "link": ("link",), "heading": ("heading",), "list": ("list",), "progress": ("progressbar",), "field": ("textbox",), "text": ("paragraph",)}


def press(page, key, times=1):
    for _ in range(times):
        for kind in ("keyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key], **({"text": "\r"} if key == "Enter" and kind == "keyDown" else {}))
        page.run("await frame(); await frame()")


def keyboard(page, out, poll):
    """From row to row, to the ends, into what can be done with a row, and out again."""
    page.run("await open_('kinds'); chat.scroller.jump('newest'); await frame(); chat.scroller.view(chat.scroller.keys.row).element.focus()")
    place = "Number(document.activeElement.ariaPosInSet)"
    count = page.evaluate("chat.window.rows.length + chat.window.mirror.rowsAbove")
    found = {"last": page.evaluate(place) == count}
    press(page, "ArrowUp", 5)
    found["up"] = page.evaluate(place) == count - 5
    press(page, "ArrowDown", 2)
    found["down"] = page.evaluate(place) == count - 3
    press(page, "PageUp")
    found["page"] = page.evaluate(place) < count - 3
    press(page, "Home")
    found["first"] = page.run(f"await until(() => {place} === 1); return {place} === 1 && chat.scroller.y === chat.scroller.extent[0]")
    seen = page.run("""const found = {blind: 0, lost: 0}; for (let i = 0; i < 60; i++) {
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowDown', bubbles: true, cancelable: true})); await frame(); await until(seen, 60);
        const {scroller, window: own} = chat, at = own.mirror.index(scroller.keys.row), view = scroller.view(scroller.keys.row);
        if (!view || document.activeElement !== view.element) { found.lost++; continue; }
        const high = own.mirror.y(at + 1) - own.mirror.y(at); if (own.mirror.y(at) < scroller.y || own.mirror.y(at + 1) > scroller.y + Math.max(scroller.screen, high)) found.blind++; }
      return found""")
    found["walk"] = seen == {"blind": 0, "lost": 0}
    press(page, "End")
    found["end"] = page.run(f"await until(() => {place} === {count}); return {place} === {count} && chat.scroller.isAtEnd")
    # Every action of a poll by arrows, and Escape leads back to the row.
    page.run(f"await chat.scroller.jump({{message: '{poll}'}}); await until(seen); const find = () => chat.window.rows.find(row => row.message === '{poll}'); await until(() => chat.scroller.view(find()?.row)); await frame(); chat.scroller.view(find().row).element.focus()")
    actions = page.evaluate("chat.scroller.view(chat.scroller.keys.row).actions.length")
    reached = set()
    for number in range(actions):
        press(page, "ArrowRight")
        reached.add(page.evaluate("chat.scroller.view(chat.scroller.keys.row).actions.indexOf(document.activeElement)"))
    found["actions"] = actions > 1 and reached == set(range(actions))
    press(page, "Escape")
    found["back"] = page.evaluate("document.activeElement.matches('article')")
    press(page, "Enter")
    found["menu"] = page.evaluate("!document.getElementById('menu').hidden && document.getElementById('menu').contains(document.activeElement)")
    press(page, "Escape")
    found["closed"] = page.evaluate("document.getElementById('menu').hidden && document.activeElement.matches('article')")
    press(page, "Tab")
    found["out"] = page.evaluate("!document.getElementById('rows').contains(document.activeElement)")
    found["stops"] = page.evaluate("document.querySelectorAll('#rows [tabindex=\"0\"]').length") == 1
    out.expect("keys", {key: value for key, value in found.items() if not value}, {})


def reading(page, out):
    """What a screen reader is told of every kind: roles and names as the models say, in their order, and each text as one."""
    page.run("await open_('kinds'); await chat.scroller.jump('newest'); await frame(); globalThis.heard = new Set()")
    kinds, faults, rows, statuses = set(), [], 0, set()
    for _ in range(80):
        page.run("await until(seen)")
        told = page.run("""return chat.window.rows.flatMap(row => { const view = chat.scroller.view(row.row); if (!view || heard.has(row.message)) return []; heard.add(row.message);
          const dom = [...view.element.querySelectorAll('.content [role]:not(.spoiler)')].map(one => one.getAttribute('role')), names = {image: 'img', progress: 'progressbar', field: 'textbox', text: 'paragraph'};
          const links = !!view.element.querySelector('.forme-line a');
          return [{label: view.element.getAttribute('aria-label'), place: view.element.ariaPosInSet, kind: row.said.body.kind, name: row.said.body.name ?? row.said.sender, links, isTop: row === chat.window.rows[0],
            roles: row.layout.reading.filter(({label}) => label !== 'status' || row.said.status).map(({role}) => role), dom,
            status: row.layout.reading.some(({label}) => label === 'status') ? row.said.status ?? null : undefined, same: JSON.stringify(dom) === JSON.stringify(row.layout.reading.map(({role}) => names[role] ?? role)),
            lines: Math.max(0, ...row.layout.nodes.map(({text}) => text?.lines.length ?? 0))}]; })""")
        articles = tree(page)
        for row in told:
            rows += 1
            kinds.add(row["kind"])
            article = next((one for one in articles if one[1].split() == row["label"].split()), None)
            what = f"{row['kind']} {row['label'][:40]!r}"
            if not article or row["name"] not in row["label"]:
                faults.append(f"{what} of {row['name']} has no article of its name")
                continue
            inside = flat(article)
            for role in set(row["roles"]):
                own = [one for one in inside if one[0] in ROLES[role]]
                if len(own) < row["roles"].count(role) and role not in ("list", "text"):
                    faults.append(f"{what}: {len(own)} of {row['roles'].count(role)} are {role}")
                if role in ("image", "button", "link", "progress", "field", "heading") and any(not one[1] for one in own):
                    faults.append(f"{what}: a nameless {role}")
            # How far a message has come is heard by its word, and not at all where nobody says.
            if "status" in row:
                statuses.add(row["status"])
                words = [one[1].strip() for one in inside if one[0] in ROLES["image"]]
                if "status" in words or row["status"] and row["status"] not in words:
                    faults.append(f"{what}: {row['status']} is heard as {words}")
            if not row["links"]:
                # Buttons are one name; a paragraph is one text.
                parts = [one for one in inside if one[0] == "paragraph" and sum(inner[0] == "StaticText" for inner in flat(one)) > 1]
                if parts:
                    faults.append(f"{what}: a text in {len(flat(parts[0]))} pieces")
        if page.run("if (chat.scroller.y <= chat.scroller.extent[0]) return true; scrolled().scrollTop -= 600; await frame(); return false"):
            break
    out.expect("what a screen reader is told of every kind", {"kinds": len(kinds), "rows": rows, "statuses": sorted(map(str, statuses)), "faults": faults[:5]},
               lambda found: found["kinds"] >= 20 and set(found["statuses"]) >= {"None", "sent", "read"} and found["rows"] > 60 and not found["faults"])


def tree(page):
    """Articles of the feed as (role, name, children)."""
    page.call("Accessibility.enable")
    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def built(node):
        inside = [one for child in node.get("childIds", []) if child in by_id for one in built(by_id[child])]
        role = node.get("role", {}).get("value", "")
        if node.get("ignored") or role in ("none", "generic", "InlineTextBox"):
            return inside
        return [(role, node.get("name", {}).get("value", ""), inside)]

    feed = next((node for node in nodes if node.get("role", {}).get("value") == "feed"), None)
    return built(feed)[0][2] if feed else []


def flat(node):
    return [node] + [one for child in node[2] for one in flat(child)]


def searching(page, out):
    """Hits are where the browser draws these words, in lines that were broken, too; older ones are fetched."""
    told = page.run("""await open_('chat'); await chat.scroller.jump('newest'); await frame(); document.getElementById('search').click(); const bar = document.getElementById('search-bar'), input = bar.querySelector('input'), rows = chat.window.rows.length;
      input.value = 'message 3'; input.dispatchEvent(new Event('input')); await frame();
      for (let i = 0; i < 3; i++) bar.querySelector('button').click(); await until(() => document.querySelector('.forme-now'), 300); await until(() => !document.querySelector('.waiting'), 100);
      await new Promise(done => setTimeout(done, 300)); const found = {hits: 0, words: 0, off: 0, now: document.querySelectorAll('.forme-now').length > 0, caret: document.querySelectorAll('.forme-caret').length};
      const marks = [...document.querySelectorAll('.forme-mark')].map(mark => mark.getBoundingClientRect()); found.hits = marks.length;
      for (const line of document.querySelectorAll('#rows .p-text .forme-line')) for (const hit of line.textContent.matchAll(/message 3/g)) { const range = document.createRange(); range.setStart(line.firstChild, hit.index); range.setEnd(line.firstChild, hit.index + 9);
        const place = range.getBoundingClientRect(); found.words++; found.off = Math.max(found.off, Math.min(...marks.map(box => Math.abs(place.left - box.left) + Math.abs(place.right - box.right) + Math.abs((place.top + place.bottom - box.top - box.bottom) / 2)))); }
      input.value = 'message 2 '; input.dispatchEvent(new Event('input')); await frame(); const step = bar.querySelector('button');
      for (let i = 0; i < 80 && !/^1 of \\d+$/.test(bar.querySelector('span').textContent); i++) { step.click(); await frame(); await frame(); }
      found.count = bar.querySelector('span').textContent; input.value = 'nobody says this'; input.dispatchEvent(new Event('input')); step.click(); await until(() => bar.querySelector('span').textContent === 'Nothing found', 400);
      found.none = bar.querySelector('span').textContent; bar.querySelectorAll('button')[2].click(); await frame(); found.left = document.querySelectorAll('.forme-mark, .forme-now, .forme-caret').length; return found""")
    out.expect("search: hits, pixels off, the one that is shown, and what is left of it", told,
               lambda found: found["words"] > 5 and found["hits"] >= found["words"] and found["off"] <= 6 and found["now"] and found["caret"] == 1 and found["count"].startswith("1 of") and found["none"] == "Nothing found" and found["left"] == 0)


def copying(page, out):
    """What is selected over lines and rows comes out as it was written."""
    told = page.run("""await open_('long'); await chat.scroller.jump('newest'); await frame(); await until(() => seen() && !document.querySelector('.waiting'), 200);
      const drawn = chat.window.rows.filter(row => chat.scroller.view(row.row) && row.layout.nodes.some(({text}) => text?.lines.length > 1)).slice(-3);
      const selection = getSelection(), lines = row => chat.scroller.view(row.row).element.querySelectorAll('.p-text .forme-line');
      const copied = (from, to) => { const [first, last] = [lines(from)[0].firstChild, [...lines(to)].at(-1).firstChild]; selection.setBaseAndExtent(first, 0, last, last.length);
        const event = new ClipboardEvent('copy', {clipboardData: new DataTransfer(), bubbles: true, cancelable: true}); document.dispatchEvent(event); return event.clipboardData.getData('text/plain'); };
      const found = drawn.map(row => copied(row, row) === row.said.body.text), all = copied(drawn[0], drawn[2]);
      found.push(drawn.every(row => all.split('\\n').includes(row.said.body.text))); selection.removeAllRanges(); return found""")
    out.expect("texts of several lines that are copied as they were written", told, lambda found: len(found) == 4 and all(found))


def places(page, out):
    """A day, a message, what was not read, and the newest: each by a jump that lands to the pixel."""
    told = page.run("""await open_('long'); await chat.scroller.jump('newest'); await frame(); const {scroller, window: own} = chat, found = {};
      const day = Date.UTC(2023, 10, 16); await scroller.jump({date: day}); await until(() => seen() && own.rows.some(row => row.said?.time >= day)); await frame(); await frame();
      const first = own.rows.find(row => row.said?.time >= day), view = scroller.view(first.row); found.day = !!view && own.mirror.y(own.mirror.index(first.row)) < scroller.y + scroller.screen && !!first.decoration.dateLine; found.off = off();
      const message = 'm17'; await scroller.jump({message}); await until(() => seen() && own.rows.some(row => row.message === message)); await frame(); found.message = !!scroller.view(own.rows.find(row => row.message === message).row);
      found.newest = !document.getElementById('newest').hidden && document.getElementById('count').textContent.length > 0; document.getElementById('newest').click(); await until(() => scroller.isAtEnd && seen()); await frame(); await frame();
      found.end = scroller.y === scroller.last && document.getElementById('newest').hidden; return found""")
    out.expect("jumps to a day, a message and the newest", told, {"day": True, "off": 0, "message": True, "newest": True, "end": True})


def contrast(page, out, where=""):
    """Colours of all words on what is behind them, in light and in dark."""
    found = {}
    for scheme in ("light", "dark"):
        page.evaluate(f"document.documentElement.dataset.scheme = '{scheme}', 0")
        found[scheme] = page.run("""await open_('kinds'); await chat.scroller.jump('newest'); const part = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return [r, g, b, a]; };
          const light = ([r, g, b]) => [r, g, b].map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4).reduce((sum, value, place) => sum + value * [0.2126, 0.7152, 0.0722][place], 0);
          const over = (top, under) => [0, 1, 2].map(place => top[place] * top[3] + under[place] * (1 - top[3])).concat(1);
          let worst = [99, '']; const seenKinds = new Set();
          for (let turn = 0; turn < 60; turn++) { await until(seen);
            for (const line of document.querySelectorAll('#rows .forme-line, #rows .forme-line .link, #rows .pill')) { if (!line.textContent.trim() || line.closest('.picture')) continue; let own = line, layers = [];
              // What is drawn over a picture has a plate of its own.
              while (own && own.id !== 'main') { const colour = part(getComputedStyle(own).backgroundColor); if (colour[3]) layers.push(colour); own = own.parentElement; }
              const back = layers.reverse().reduce((under, top) => over(top, under), part(getComputedStyle(document.body).backgroundColor)), ink = over(part(getComputedStyle(line).color), back);
              const [a, b] = [light(ink), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05); if (ratio < worst[0]) worst = [Math.round(ratio * 100) / 100, line.parentElement.className + ': ' + line.textContent.slice(0, 30)]; }
            if (chat.scroller.y <= chat.scroller.extent[0]) break; scrolled().scrollTop -= 600; await frame(); }
          return worst""")
    page.evaluate("delete document.documentElement.dataset.scheme, 0")
    out.expect(f"{where}the faintest words of every kind, in light and in dark", found, lambda told: all(ratio >= 4.5 for ratio, _ in told.values()))


def sizes(page, out):
    """Screens, scales and sizes of texts that nobody foresaw: everything stands where it says, and nothing is cut off at the side."""
    found = []
    for width, scale, text, mirrored in ((320, 1, 100, False), (360, 2.625, 85, False), (500, 1.5, 200, False), (800, 1.25, 130, True), (1920, 1, 150, False)):
        page.size(width, 800, scale)
        page.evaluate(f"openConversation('chat'), 0")
        if mirrored != page.evaluate("document.documentElement.dir === 'rtl'"):
            page.evaluate("document.getElementById('more').click(), [...document.querySelectorAll('#menu button')].at(-1).click(), 0")
        told = page.run(f"""await open_('kinds'); chat.scroller.scaleTexts({text}); await until(() => chat.window.target?.textScale === {text} && chat.window.target.scale === {scale} && chat.scroller.scale === {scale} && chat.window.state === 'live', 300); await new Promise(done => setTimeout(done, 200)); await until(seen); await frame(); await frame();
          scrolled().scrollTop -= 800; await frame(); await until(seen); await frame(); const rows = scrolled().getBoundingClientRect();
          let out = 0; for (const bubble of document.querySelectorAll('#rows .t-bubble')) {{ const box = bubble.getBoundingClientRect(); if (box.left < rows.left - 0.5 || box.right > rows.right + 0.5) out++; }}
          const pills = [...document.querySelectorAll('#rows .pill')].every(pill => Math.abs(parseFloat(getComputedStyle(pill).fontSize) - 0.125 * {text}) < 0.01);
          return [Math.round(off() * 1000) / 1000, out, document.documentElement.scrollWidth > innerWidth, pills]""")
        found.append([f"{width}@{scale}, {text} %{', mirrored' if mirrored else ''}", *told])
    page.evaluate("chat.scroller.scaleTexts(100), document.documentElement.dir === 'rtl' && (document.getElementById('more').click(), [...document.querySelectorAll('#menu button')].at(-1).click()), 0")
    page.size(1000, 800, 1)
    out.expect("on screens from 320 to 1920 px: pixels off, bubbles that reach out, a page that scrolls to the side, days in the size of texts", found, lambda told: all(row[1] < 0.05 and row[2] == 0 and not row[3] and row[4] for row in told))


def writing(page, out):
    """Whoever answers is seen to write, in words under the title and in the list, and then what they wrote stands in the same place."""
    told = page.run("""await open_('small'); const words = document.getElementById('words'), about = document.getElementById('about'), found = {};
      const list = () => document.querySelector('#list .entry[aria-current="true"] .words').textContent, before = chat.window.rows.length + chat.window.mirror.rowsAbove;
      words.value = 'Is somebody there?'; words.dispatchEvent(new Event('input')); words.form.requestSubmit();
      await until(() => about.textContent.endsWith('writing…'), 400); found.about = about.textContent; await until(() => list() === 'typing…', 200); found.list = list();
      const typing = chat.window.rows.at(-1); await until(() => chat.scroller.view(typing.row), 200); found.dots = chat.scroller.view(typing.row)?.element.querySelectorAll('.p-dot').length;
      await until(() => chat.window.rows.at(-1).said?.body.kind === 'text' && chat.window.rows.at(-1).said.sender !== 'ada', 600); const answer = chat.window.rows.at(-1);
      found.same = answer.message === typing.message; const wanted = `${(before + 2).toLocaleString('en')} messages`; await until(() => about.textContent === wanted, 60); found.after = about.textContent; return found""")
    out.expect("who answers is seen to write first", told, {"about": "Bo is writing…", "list": "typing…", "dots": 3, "same": True, "after": "5 messages"})


def refused(page, out):
    """A message that is not taken says so where it stands, and is sent again by a touch or a key; what cannot even be drawn, or changed, goes back to where it was written, and the reason stays."""
    told = page.run("""await open_('chat'); await chat.scroller.jump('newest'); await until(() => seen()); const {window: own, scroller} = chat, found = {}, count = own.rows.length;
      const post = forme.post; let isRefused = true; forme.post = async (...words) => { if (!isRefused || !words[1][0].body) return post.apply(forme, words); await new Promise(done => setTimeout(done, 300)); return [{answer: 'invalid', field: 'body', reason: 'is not taken here'}]; };
      const id = await chat.send({kind: 'text', text: 'Nobody takes this'}); await until(() => scroller.view(id)?.element.classList.contains('refused'), 300);
      const element = scroller.view(id).element; found.says = getComputedStyle(element, '::before').content.includes('Not sent'); found.why = own.pending[0].why; found.rows = own.rows.length - count;
      isRefused = false; found.tab = element.tabIndex; element.focus(); element.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true})); await until(() => own.rows.at(-1).message === id, 300); found.sent = own.rows.filter(row => row.message === id).length; found.pending = own.pending.length; delete forme.post; await frame(); await frame(); found.focus = document.activeElement === scrolled();
      const words = document.getElementById('words'); words.value = 'x'.repeat(300_000); words.dispatchEvent(new Event('input')); words.form.requestSubmit();
      const about = document.getElementById('about'); await until(() => about.textContent.startsWith('Not sent'), 300); found.back = words.value.length; await frame(); await frame(); found.stays = about.textContent.startsWith('Not sent'); words.value = 'and more';
      forme.post = async () => [{answer: 'invalid', field: 'body', reason: 'is not taken here'}]; chat.edit(own.rows.at(-1), 'Nor this'); await until(() => about.textContent.startsWith('Not changed'), 300); delete forme.post; found.edit = words.value;
      words.value = ''; words.dispatchEvent(new Event('input')); return found""")
    out.expect("a message that is refused", told, {"says": True, "why": "body: is not taken here", "rows": 0, "sent": 1, "pending": 0, "tab": 0, "focus": True, "back": 300000, "stays": True, "edit": "Nor this\nand more"})


def focus(page, out):
    """What hides itself hands the focus on; and on a narrow screen a conversation that was left is opened again."""
    page.size(360, 740, 1)
    told = page.run("""await open_('chat'); const id = name => document.getElementById(name), found = {}, entry = document.querySelector('#list .entry[aria-current="true"]');
      id('back').click(); found.list = document.activeElement === entry; entry.click(); found.again = getComputedStyle(id('main')).display !== 'none'; found.rows = document.activeElement === scrolled(); return found""")
    page.size(1000, 800, 1)
    told |= page.run("""const id = name => document.getElementById(name), found = {}; await until(() => chat.scroller.width > 500 && chat.window.state === 'live' && seen());
      await chat.scroller.jump({message: 'm17'}); await until(() => seen() && !id('newest').hidden); id('newest').focus(); id('newest').click(); found.newest = document.activeElement === scrolled();
      id('date').hidden = false; id('date').querySelector('input').focus(); document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape', bubbles: true, cancelable: true})); found.date = id('date').hidden && document.activeElement === id('more');
      id('search').click(); const entry = document.querySelector('#list .entry:not([aria-current="true"])'); entry.focus(); entry.click(); found.entry = id('search-bar').hidden && document.activeElement === entry; await until(() => chat.window.state === 'live'); return found""")
    out.expect("where the focus goes from what hides itself", told, {"list": True, "again": True, "rows": True, "newest": True, "date": True, "entry": True})


def turned(page, out):
    """From right to left names stand beside their pictures, and what is told of an own message beside it; and words are written in a direction of their own."""
    told = page.run("""const root = document.documentElement, words = document.getElementById('words'), mark = document.createElement('div'), found = {}; root.dir = 'rtl'; mark.className = 'forme-row refused'; document.body.append(mark);
      found.title = getComputedStyle(document.querySelector('#list .entry .title')).textAlign; found.mark = getComputedStyle(mark, '::before').right; found.empty = getComputedStyle(words).direction;
      mark.remove(); root.dir = 'ltr'; words.value = 'שלום'; found.words = getComputedStyle(words).direction; words.value = ''; return found""")
    out.expect("from right to left: names, marks, words", told, {"title": "right", "mark": "16px", "empty": "rtl", "words": "rtl"})


SHORT = (searching, copying, places, refused, focus, turned)
LONG = (reading, contrast, sizes)

