#!/usr/bin/env python3
"""Decodes a layout record, or a row of one, from standard input to JSON. Written from LayoutRecord.md alone, to hold it
to its word."""
import json
import sys

from stored_numbers import Reader, signed


def wrap(value):
    return (value + 2**31) % 2**32 - 2**31


def pixels(points, scale):
    return (points * scale + 500) // 1000


PATH_WORDS = (
    "options, percent, votes, reactions, count, reply, forward, thread, thread.count, text, photos, duration, rows, buttons, answers, "
    "inputs, events, preview, contact, place, file, file.size, audio, audio.duration, picture, video, sticker, caption, form, "
    "name").split(", ")


def skeleton(r):
    """For each node its parent, pins, text and whether it has an action; for each text its alignment."""
    count, nodes, parent = r.number(), [], -1
    for _ in range(r.number()):
        word = r.number()
        assert word < 128 if word & 1 else r.bytes(word >> 1).decode() is not None
    for i in range(count):
        _, _, mask = r.numbers(3)
        parent = i - r.number() if mask & 1 else parent
        fields = {bit: r.number() for bit in (2, 4, 8, 16, 32, 64, 128, 256, 512) if mask & bit}
        nodes.append((parent, fields.get(2, 5), fields.get(32, -1), fields.get(128, 0) != 0))
    alignments = []
    for _ in range(r.number()):
        head = r.number()
        alignments.append(head & 3)
        r.numbers(head >> 2 & 1)
        for bit, size in ((8, 2), (16, 3), (32, 4)):
            if head & bit:
                r.numbers(size * r.number())
    return nodes, alignments


def drawing(r, nodes, texts):
    """Faces and paths of texts, what actions are about, and words that are generated."""
    words, elements = [], [""]
    for _ in range(r.number()):
        word = r.number()
        words.append(PATH_WORDS[word >> 1] if word & 1 else r.bytes(word >> 1).decode())

    def path(element, word):
        assert element or word, "a path that leads nowhere"
        return ".".join(filter(None, (elements[element], words[word - 1] if word else "")))

    for _ in range(r.number()):
        outer, word, place = r.numbers(3)
        elements.append(f"{path(outer, word)}[{place}]")
    faces = []
    for _ in range(texts):
        head = r.number()
        weight = (400, 700, *range(1, 1001))[head >> 3]
        faces.append([weight, head >> 1 & 1, head >> 2 & 1, path(*r.numbers(2)) if head & 1 else ""])
    abouts = []
    for node in nodes:
        head = r.number() if node[3] else 0
        abouts.append(path(head - 1, r.number()) if head else "")
    generated = [[r.number(), r.bytes(r.number()).decode()] for _ in range(r.number())]
    return {"texts": faces, "abouts": abouts, "generated": generated}


def targets(r):
    found = []
    for _ in range(r.number()):
        head, scale = r.numbers(2)
        percent, width, group = r.number() if head & 2 else 100, 0, len(found)
        for i in range(head >> 3):
            step = r.number() * (64 if head & 4 else 1)
            width = width - step if i else step
            found.append(([width, scale, percent, head & 1], group))
    return found


def reaches(r, found):
    """For each target the narrowest and widest row, and the natural width."""
    narrowest, widest, natural, listed = 0, 2**31 - 1, 0, []
    for i, ((width, scale, _, _), group) in enumerate(found):
        row = width * scale // 64000
        less, more = r.numbers(2)
        narrowest = row + 1 - less if less else narrowest
        widest = (2**31 - 1 if more == 1 else row + more - 2) if more else widest
        natural = wrap(r.number()) if group == i else natural
        listed.append(([narrowest, widest], natural))
    return listed


def column(r, count, like):
    head = r.number()
    if head < 2:
        return r.numbers(count) if head else like
    pairs = [r.numbers(2) for _ in range(head - 1)]
    return [value for length, value in pairs for _ in range(length)]


def columns(r, count, variants, states):
    """For each variant and state, for each target: the shape, and the content of each thing that is filled."""
    filled = r.numbers(r.number())
    first, found = [None] * (len(filled) + 1), []
    for variant in range(variants):
        found.append([])
        for state in range(states):
            like = found[variant][0] if state else found[0][0] if variant else first
            found[variant].append([column(r, count, like[i]) for i in range(len(filled) + 1)])
    return filled, found


def place(r):
    parts = r.number()
    across, down = r.numbers(1 if parts & 16 else 2), r.numbers(1 if parts & 8 else 2)
    return parts, across, down, r.numbers(parts >> 5 & 1), r.numbers(2 if parts & 64 else 0)


def content(r):
    head = r.number()
    count, found = head >> 4, {"head": head}
    if head & 1:
        return found | {"bars": r.numbers(count)}
    found["face"] = r.number()
    if head & 8:
        return found | {"less": r.number()}
    unusual = r.number() if head & 4 else 0
    size = 2 + bin(unusual & 7).count("1")
    found |= {"unusual": unusual, "widest": r.number() if count else 0, "lines": [r.numbers(size) for _ in range(count)]}
    return found | {"spans": [r.numbers(4) for _ in range(r.number() if unusual & 8 else 0)]}


def face(told, off, scale):
    size, pitch, ascent = told
    points, size = size & 1, size >> 2 << (6 if size & 2 else 0)
    if points:
        size, pitch, ascent = size * scale // 1000, pixels(pitch, scale), (ascent * scale + 32000) // 64000
    return [wrap(size), wrap(pitch), wrap(ascent + (0, 1, -1)[off])]


def block(told, contents, faces, scale, first):
    """Lines without their place in the node, at a scale; where told by others, these are at the first one."""
    found = {"font": face(faces[told["face"] // 3], told["face"] % 3, scale), "lines": [], "spans": []}
    other = contents[told["head"] >> 4] if told["head"] & 8 else told
    start, widest = 0, wrap(other["widest"])
    for i, row in enumerate(other["lines"]):
        row = iter(row)
        start = wrap(start + (signed(next(row)) if other["unusual"] & 1 else 0))
        end, own = wrap(start + next(row)), wrap(widest - next(row))
        if told["head"] & 8:
            own = (own * scale + first - 1) // first - (told["less"] >> i & 1)
        left = signed(next(row)) if other["unusual"] & 2 else 0
        usual = (other["head"] >> 1 & 1) + (8 if i == len(other["lines"]) - 1 else 0)
        found["lines"].append([start, end, left, own, wrap(next(row)) if other["unusual"] & 4 else usual])
        start = end
    if told["head"] & 8:
        widest = max(line[3] for line in found["lines"])
    found["spans"] = [[wrap(entity), wrap(line), signed(left), wrap(own)] for entity, line, left, own in other["spans"]]
    return found, widest, wrap(found["font"][1] * len(found["lines"]))


def axis(pins, parent, numbers, is_signed):
    first = signed(numbers[0]) if is_signed else numbers[0]
    if pins == 3:
        return first, parent - first - (signed(numbers[1]) if is_signed else numbers[1])
    return parent - first - numbers[1] if pins == 2 else first, numbers[1]


def layout(shape, filled, nodes, alignments, places, target):
    """From a shape, and for each thing that is filled its block or bars."""
    (width, scale, _, mirrored), (head, wide, high), numbers = target, shape[:3], shape[3:]
    wide, high = [pixels(side, scale) if head & 8 else signed(side) for side in (wide, high)]
    told = [found for found in filled.values() if isinstance(found, tuple)]
    size = [wrap(max([0] + [found[1] for found in told]) + wide), wrap(sum(found[2] for found in told) + high)]
    result = []
    for i, ((parent, pins, text, _), number) in enumerate(zip(nodes, numbers)):
        if number == 0:
            result.append(None)
            continue
        parts, across, down, radius, fill = places[number - 1]
        if parts & 2:
            across, down, radius, fill = [[pixels(one, scale) for one in list] for list in (across, down, radius, fill)]
        node = {"radius": wrap((radius or [0])[0]), "fill": [wrap(side) for side in fill or [0, 0]],
                "font": [], "lines": [], "spans": [], "bars": []}
        hugged = (0, 0)
        if parts & 4:
            found, *hugged = filled[2 * i]
            node |= {name: found[name] for name in ("font", "spans")}
        left, top, around, tall = result[parent]["frame"] if parent >= 0 and result[parent] else (0, 0, *size)
        x, own = axis(pins & 3, around, across + ([hugged[0]] if parts & 16 else []), parts & 256)
        y, deep = axis(pins >> 2, tall, down + ([hugged[1]] if parts & 8 else []), parts & 256)
        own = wrap(own)
        node["frame"] = [wrap(left + around - x - own if mirrored else left + x), wrap(top + y), own, wrap(deep)]
        for start, end, more, long, traits in found["lines"] if parts & 4 else []:
            alignment, room = alignments[text] if text >= 0 else 0, wrap(own - long)
            usual = int(room / 2) if alignment == 1 else room if (alignment == 2) != bool(traits & 1) else 0
            node["lines"].append([start, end, wrap(usual + more), long, traits])
        node["bars"] = filled[2 * i + 1] if parts & 128 else []
        result.append(node)
    return {"size": size, "stamp": head & 7, "nodes": result}


def row(r):
    """Of a row, or an excerpt of one, the size of each state and for each content its first line, and its lines without left."""
    version, first, here, every, start, passed = r.bytes(1)[0], 0, 0, 0, 0, 0
    assert version in (1, 2, 3, 4), "not a row"
    is_excerpt = version % 2 == 0
    if is_excerpt:
        r.bytes(8)
        first, here, every, start = r.numbers(4)
    head, scale, _, _, _ = r.numbers(5)
    shared = r.number() + r.at if is_excerpt else None
    nodes, texts = skeleton(r)
    r.numbers(max(0, r.number() - 1) + 1)
    if version > 2:
        drawing(r, nodes, len(texts))
    assert shared in (None, r.at), "not the shared part"
    states = []
    for _ in range(head >> 1):
        count, told, lowest, widest = r.number(), [], 0, 0
        if count == 0:
            states.append(states[-1])
            continue
        for _ in range(count - 1):
            kind = r.number()
            total = kind >> 4
            if kind & 1:
                r.numbers(total)
                continue
            _, pitch, _ = r.numbers(3)
            unusual = r.number() if kind & 4 else 0
            wide = wrap(r.number()) if total else 0
            own = range(total)
            if is_excerpt:
                own = [line for line in own if first <= passed + line < first + here]
            end = start if own and own[0] > 0 else 0
            lines = []
            for line in own:
                begin = wrap(end + (signed(r.number()) if unusual & 1 else 0))
                end = wrap(begin + r.number())
                lines.append([begin, end, wrap(wide - r.number())])
                r.numbers((unusual >> 1 & 1) + (unusual >> 2 & 1))
            spans = [r.numbers(4) for _ in range(r.number() if unusual & 8 else 0)]
            assert all(span[1] in own for span in spans), "a span of another line"
            told.append({"first": own[0] if own else 0, "lines": lines})
            passed, lowest, widest = passed + total, wrap(lowest + pitch * total), max(widest, wide)
        shape, wide, high = r.numbers(3)
        wide, high = [pixels(side, scale) if shape & 8 else signed(side) for side in (wide, high)]
        for _ in nodes:
            parts = r.number()
            if parts:
                r.numbers(sum([2 - (parts >> 4 & 1), 2 - (parts >> 3 & 1), parts >> 5 & 1, 2 * (parts >> 6 & 1)]))
        states.append({"size": [wrap(widest + wide), wrap(lowest + high)], "contents": told})
    assert r.at == len(r.data) and passed == (every if is_excerpt else passed), "bytes or lines are left"
    return states


def main():
    r = Reader(sys.stdin.buffer.read())
    if sys.argv[1:] == ["row"]:
        return json.dump(row(r), sys.stdout)
    version = r.bytes(1)[0]
    assert version in (1, 2), "not a record"
    nodes, alignments = skeleton(Reader(r.bytes(r.number())))
    drawn = {}
    if version == 2:
        part = Reader(r.bytes(r.number()))
        drawn = {"drawing": drawing(part, nodes, len(alignments))}
        assert part.at == len(part.data), "bytes of drawing are left"
    found = targets(r)
    listed = reaches(r, found)
    variants, states, _, shapes, _, places, _, faces, _, contents, _ = r.numbers(11)
    filled, slots = columns(r, len(found), variants, states) if found else (r.numbers(r.number()), [])
    shapes = [r.numbers(3 + len(nodes)) for _ in range(shapes)]
    places, faces = [place(r) for _ in range(places)], [r.numbers(3) for _ in range(faces)]
    contents = [content(r) for _ in range(contents)]
    assert r.at == len(r.data), "bytes are left"
    layouts = []
    for target, (values, _) in enumerate(found):
        for variant in range(variants):
            for state in range(states):
                shape, *numbers = [column[target] for column in slots[variant][state]]
                used = {thing: contents[number - 1] for thing, number in zip(filled, numbers) if number}
                used = {thing: told["bars"] if told["head"] & 1 else block(
                    told, contents, faces, values[1], found[0][0][1]) for thing, told in used.items()}
                layouts.append({"target": target, "variant": variant, "state": state, "rows": listed[target][0],
                                "natural": listed[target][1]} | layout(
                                    shapes[shape - 1], used, nodes, alignments, places, values))
    json.dump({"targets": [values for values, _ in found], "layouts": layouts} | drawn, sys.stdout)


main()
