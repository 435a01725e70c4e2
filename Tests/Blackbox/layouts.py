"""LayoutRecord.md: a row of one target and variant, decoded by a program that knows only the page."""

WORDS = (
    "bubble, text, name, time, status, caption, media, openSender, expand, more, link, accent, edited, stamp, capsule, line, plate, bare, "
    "reply, quote, replyBar, replySender, replyText, replyPicture, openReply, forward, forwarded, forwardedFrom, openForwarded, reactions, "
    "reaction, emoji, count, react, chip, thread, threadLine, threadCount, openThread, translation, translationLine, face, photo, video, "
    "picture, play, open, title, duration, durationText, track, faint, button, option, optionText, vote, file, download, avatar, sender, "
    "00:00 AM, Read more, message, row").split(", ")
PATH_WORDS = (
    "options, percent, votes, reactions, count, reply, forward, thread, thread.count, text, photos, duration, rows, buttons, answers, "
    "inputs, events, preview, contact, place, file, file.size, audio, audio.duration, picture, video, sticker, caption, form, "
    "name").split(", ")
ROLES = "box text media avatar icon bars track divider stamp control spoiler".split()
ACCESS = (None, "text", "image", "button", "link", "heading", "list", "progress", "field")
STAMPS = ("none", "tucked", "widened", "ownLine", "overMedia")
ALIGNMENTS = ("start", "center", "end")
START, END, TOP, BOTTOM = 1, 2, 4, 8


class Malformed(Exception):
    pass


class Numbers:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        if self.at >= len(self.data):
            raise Malformed("too short")
        self.at += 1
        return self.data[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                if shift and byte == 0 or value >= 1 << 32:
                    raise Malformed("a number in another form than the shortest")
                return value
            shift += 7

    def signed(self):
        value = self.number()
        return value >> 1 if value & 1 == 0 else -(value + 1 >> 1)

    def text(self, count):
        if self.at + count > len(self.data):
            raise Malformed("too short")
        self.at += count
        return self.data[self.at - count:self.at].decode()


def word_list(source, known):
    words = []
    for _ in range(source.number()):
        head = source.number()
        words.append(known[head >> 1] if head & 1 else source.text(head >> 1))
    return words


def shared(source):
    nodes = source.number()
    words = word_list(source, WORDS)

    def word():
        place = source.number()
        return words[place - 1] if place else None

    found, parent = [], -1
    for i in range(nodes):
        part, role, fields = word(), source.number(), source.number()
        node = {"part": part, "role": ROLES[role & 15], "access": ACCESS[role >> 4], "pins": START | TOP, "corners": 0, "token": None,
                "source": None, "text": None, "traits": 0, "action": None, "priority": 0, "label": None}
        if fields & 1:
            parent = i - source.number()
        node["parent"] = parent
        for bit, field, read in ((2, "pins", source.number), (4, "corners", source.number), (8, "token", word), (16, "source", word),
                                 (32, "text", source.number), (64, "traits", source.number), (128, "action", word),
                                 (256, "priority", source.signed), (512, "label", word)):
            if fields & bit:
                node[field] = read()
        found.append(node)
    texts = []
    for _ in range(source.number()):
        fields = source.number()
        text = {"alignment": ALIGNMENTS[fields & 3], "literal": word() if fields & 4 else None}
        pair = lambda: (source.number(), source.number())
        if fields & 8:
            text["pieces"] = [pair() for _ in range(source.number())]
        if fields & 16:
            text["spans"] = [(*pair(), source.number()) for _ in range(source.number())]
        if fields & 32:
            text["entities"] = [(*pair(), source.number(), word()) for _ in range(source.number())]
        texts.append(text)
    count = source.number()
    reading = None if count == 0 else [source.number() for _ in range(count - 1)]
    return found, texts, reading, source.number()


def drawing(source, nodes, texts):
    """Puts the faces, paths and words of version 2 into nodes and texts."""
    words, elements = word_list(source, PATH_WORDS), [""]

    def path(element, word):
        if element == 0 and word == 0:
            raise Malformed("a path that leads nowhere")
        return ".".join(filter(None, (elements[element], words[word - 1] if word else "")))

    for _ in range(source.number()):
        outer, word, place = source.number(), source.number(), source.number()
        elements.append(f"{path(outer, word)}[{place}]")
    for text in texts:
        head = source.number()
        weight = head >> 3
        text["face"] = {"weight": (400, 700)[weight] if weight < 2 else weight - 1, "italic": bool(head & 2), "monospaced": bool(head & 4)}
        text["path"] = path(source.number(), source.number()) if head & 1 else None
    for node in nodes:
        if node["action"]:
            head = source.number()
            node["about"] = path(head - 1, source.number()) if head else node["source"]
    for _ in range(source.number()):
        text = texts[source.number()]
        text["generated"] = source.text(source.number())


def content(source):
    head = source.number()
    if head & 1:
        return {"bars": [source.number() for _ in range(head >> 4)]}
    size, pitch, ascent = source.number(), source.number(), source.number()
    if head & 8:
        raise Malformed("a content of a row that is like another")
    unusual = source.number() if head & 4 else 0
    count = head >> 4
    widest, lines, at = source.number() if count else 0, [], 0
    for i in range(count):
        at += source.signed() if unusual & 1 else 0
        units, less = source.number(), source.number()
        left = source.signed() if unusual & 2 else 0
        traits = source.number() if unusual & 4 else (1 if head & 2 else 0) | (8 if i == count - 1 else 0)
        lines.append({"start": at, "end": at + units, "width": widest - less, "left": left, "rtl": bool(traits & 1), "traits": traits})
        at += units
    spans = [(source.number(), source.number(), source.signed(), source.number()) for _ in range(source.number())] if unusual & 8 else []
    return {"size": size, "pitch": pitch, "ascent": ascent, "widest": widest, "lines": lines, "rtl": bool(head & 2), "spans": spans}


def decode(data):
    """All states of a row: what stands where, in device pixels, as the JSON of a window has it."""
    source = Numbers(data)
    version = source.byte()
    if version not in (1, 3):
        raise Malformed(f"version {version}")
    head, scale = source.number(), source.number()
    mirrored, states = bool(head & 1), head >> 1
    row = {"version": (version + 1) // 2, "narrowest": source.number(), "widest": source.number(), "natural": source.number(), "mirrored": mirrored, "states": []}
    nodes, texts, row["reading"], row["confidence"] = shared(source)
    if version == 3:
        drawing(source, nodes, texts)
    points = lambda value: (value * scale + 500) // 1000
    for _ in range(states):
        count = source.number()
        if count == 0:
            row["states"].append(row["states"][-1])
            continue
        contents = [content(source) for _ in range(count - 1)]
        shape = source.number()
        wider, higher = (points(source.number()), points(source.number())) if shape & 8 else (source.signed(), source.signed())
        filled = [each for each in contents if "lines" in each]
        size = (wider + max((each["widest"] for each in filled), default=0),
                higher + sum(each["pitch"] * len(each["lines"]) for each in filled))
        layout = {"size": list(size), "stamp": STAMPS[shape & 7], "nodes": []}
        frames, waiting = {-1: (0, 0, *size)}, list(contents)
        for i, node in enumerate(nodes):
            parts = source.number()
            if parts == 0:
                frames[i] = frames[-1]
                continue
            unit = points if parts & 2 else lambda value: value
            distance = source.signed if parts & 256 else source.number
            across = [unit(distance())] if parts & 16 else None
            pins = node["pins"]
            if across is None:
                across = [unit(distance()), unit(distance() if pins & 3 == 3 else source.number())]
            down = [unit(distance())] if parts & 8 else [unit(distance()), unit(distance() if pins & 12 == 12 else source.number())]
            radius = unit(source.number()) if parts & 32 else None
            fill = [unit(source.number()), unit(source.number())] if parts & 64 else None
            lines = waiting.pop(0) if parts & 4 else None
            bars = waiting.pop(0) if parts & 128 else None
            if parts & 16:
                across.append(lines["widest"])
            if parts & 8:
                down.append(lines["pitch"] * len(lines["lines"]))
            x, y, w, h = frames[node["parent"]]
            left, width = axis(x, w, pins & START, pins & END, across, parts & 16, mirrored)
            top, height = axis(y, h, pins & TOP, pins & BOTTOM, down, parts & 8, False)
            frames[i] = (left, top, width, height)
            shown = {"node": i, "part": node["part"], "role": node["role"], "parent": node["parent"], "frame": list(frames[i]),
                     "radius": radius, "fill": fill, "token": node["token"], "source": node["source"], "action": node["action"],
                     "priority": node["priority"], "bars": bars and bars["bars"], "about": node.get("about")}
            if lines:
                text = texts[node["text"]]
                shown["text"] = {"literal": text["literal"], "size": lines["size"] / 64, "lines": [], "face": text.get("face"),
                                 "pieces": text.get("pieces"), "path": text.get("path") or node["source"], "generated": text.get("generated")}
                for k, line in enumerate(lines["lines"]):
                    room = width - line["width"]
                    begin = int(room / 2) if text["alignment"] == "center" else 0 if (text["alignment"] == "start") != line["rtl"] else room
                    at, against = top + k * lines["pitch"], "ltr" if line["rtl"] else "rtl"
                    shown["text"]["lines"].append({
                        "start": line["start"], "end": line["end"], "left": left + begin + line["left"], "top": at,
                        "baseline": at + lines["ascent"], "width": line["width"], "direction": "rtl" if line["rtl"] else "ltr",
                        **{name: True for bit, name in ((32, "ends_joined"), (64, "begins_joined")) if line["traits"] & bit},
                        **{name: word for bit, name, word in ((128, "ends_in", against), (256, "begins_in", against), (512, "begins_in", "arabic"))
                           if line["traits"] & bit}})
            layout["nodes"].append(shown)
        if waiting:
            raise Malformed(f"{len(waiting)} contents that no node has")
        row["states"].append(layout)
    if source.at != len(data):
        raise Malformed(f"{len(data) - source.at} bytes behind the row")
    return row


def axis(origin, length, start, end, numbers, known, backwards):
    """Left and width, or top and height, of what is pinned within a parent."""
    if start and end and not known:
        first, last = numbers
        return (origin + last if backwards else origin + first), length - first - last
    distance, own = numbers
    if bool(end and not start) != backwards:
        return origin + length - distance - own, own
    return origin + distance, own
