#!/usr/bin/env python3
"""Decodes a layout record, or a row of one, from standard input to JSON. Written from LayoutRecord.md alone, to hold it
to its word."""
import json
import sys
from pathlib import Path

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


class Bits:
    """The layouts of version 3."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bit(self):
        self.at += 1
        return self.data[(self.at - 1) >> 3] >> (self.at - 1 & 7) & 1

    def bits(self, count):
        return sum(self.bit() << i for i in range(count))

    def number(self, order):
        zeros = 0
        while not self.bit():
            zeros += 1
        return ((1 << zeros | self.bits(zeros)) - 1) << order | self.bits(order)

    def signed(self, order):
        return signed(self.number(order))

    def length(self, order):
        return wrap(self.number(order))


def classes_of(b, found, twins):
    """For each target its class."""
    own, flags = [], [1] + [b.bit() for _ in found[1:]]
    for i, flag in enumerate(flags):
        expected = own[twins[i]] if twins[i] >= 0 else own[-1] if own else 0
        known = len(set(own))
        own.append(expected if flag else known - b.number(0))
        assert 0 <= own[-1] <= known, "no such class"
    return own


def face_of(b):
    points = b.bit()
    size = b.length(3) << 6 if b.bit() else b.length(8)
    pitch = wrap((size >> 6) + b.signed(3))
    usual = size if points else size >> 6
    usual += usual >> 4
    return points, wrap(size), pitch, wrap(usual + (0 if b.bit() else b.signed(5)))


def face_pixels(told, scale):
    points, size, pitch, ascent = told
    if points:
        size, pitch, ascent = size * scale // 1000, pixels(pitch, scale), (ascent * scale + 32000) // 64000
    return [wrap(size), wrap(pitch), wrap(ascent)]


def slot_of(b, is_bars, classes, columns, faces, used):
    """Blocks of a node, as (face, count of lines), and for each variant and state a block for each class, from 1."""
    blocks, maps, now = [], [], [0] * classes
    for _ in range(columns):
        if not b.bit():
            flags = [b.bit() for _ in range(classes)]
            for i, flag in enumerate(flags):
                if flag:
                    now[i] = now[i - 1] if i else now[0]
                    continue
                following = len(blocks) + 1
                now[i] = following - b.number(0)
                assert now[i] >= 0, "no such block"
                if now[i] < following:
                    continue
                face, count = (blocks[-1] if blocks else (-1, 0)) if not is_bars else (-1, 0)
                if not is_bars:
                    if not b.bit():
                        face = used[0] - b.signed(0)
                        if face == len(faces):
                            faces.append(face_of(b))
                        used[0] = max(used[0], face + 1)
                    assert 0 <= face < len(faces), "no such face"
                    count += b.signed(1)
                blocks.append((face, count))
        maps.append(list(now))
    return blocks, maps


def reaches_of(b, found, twins, breaks):
    listed = []
    for i, ((width, scale, _, _), group) in enumerate(found):
        row, twin = width * scale // 64000, twins[i]

        def twins_own(place):
            return scaled(listed[twin][place], scale, found[twin][0][1])

        natural = listed[-1][2] if listed else 0
        if group == i:
            natural = wrap(twins_own(2) + b.signed(0)) if twin >= 0 else b.length(8)
        like = listed[-1][:2] if group != i and breaks[i] == breaks[i - 1] else None
        if like is None or not b.bit():
            narrowest = twins_own(0) + b.signed(0) if twin >= 0 else row - b.number(4)
            widest = row
            if not b.bit():
                more = b.number(3)
                widest = row + more if more else 2**31 - 1
            like = [narrowest, widest]
        listed.append([*like, natural])
    return [(own[:2], own[2]) for own in listed]


def layout_numbers(b, other):
    return [one if b.bit() else b.number(3) for one in other]


def arrangement_of(b, first, columns, nodes, width):
    """For each variant and state the numbers of the layout, and of each node its place, from 1."""
    own = []
    for column in range(columns):
        items = []
        for start in range(0, nodes + 1, 32):
            run = range(start, min(start + 32, nodes + 1))
            flags = [1 if not column and not first else b.bit() for _ in run]
            for item, flag in zip(run, flags):
                like = own[-1][item] if column else first[0][item] if first else [0] * 3 if item == 0 else 0
                if not flag:
                    items.append(like)
                elif column and first and b.bit():
                    items.append(first[column][item])
                else:
                    items.append(layout_numbers(b, like) if item == 0 else b.bits(width))
        own.append(items)
    return own


def lengthy(b, length, read):
    """Something that is known to take so many bits."""
    end = b.at + length
    found = read()
    assert b.at == end, "another length"
    return found


def blocks_of(b, is_bars, blocks, lengths, scales, found, faces):
    """What each block has: bars; or for each scale lines of start, end, left, width and traits, and spans."""
    told, base = [], None
    for (face, count), own, length in zip(blocks, scales, lengths):
        if is_bars:
            told.append(lengthy(b, length, lambda: [b.bits(8) for _ in range(b.number(3))]))
            continue

        def read():
            scale = own[0]
            before = base if base and base["key"] == (face, scale) else None
            lines = lines_of(b, count, before, face_pixels(faces[face], scale)[0] >> 8)
            known, at = lines | {"key": (face, scale)}, {scale: lines}
            for other in own[1:]:
                rows = [line[:3] + [(line[3] * other + scale - 1) // scale - b.bit()] + line[4:] for line in lines["lines"]]
                spans = [[entity, line, *[scaled(one, other, scale) + b.signed(0) for one in rest]]
                         for entity, line, *rest in lines["spans"]]
                at[other] = lines | {"lines": rows, "spans": [[wrap(one) for one in span] for span in spans]}
            return known, at

        known, at = lengthy(b, length, read)
        base = base or known
        told.append(at)
    return told


def scaled(number, scale, other):
    return wrap(abs(number * scale) // other * (1 if number >= 0 else -1))


def turned_back(number):
    return number >> 4 | (number & 15) << 3 if number < 128 else number


def lines_of(b, count, before, space):
    head = b.number(0)
    unusual, direction = head >> 1, head & 1
    lines, spans, start, units, widths = [], [], 0, 0, 0
    widest = (wrap(before["widest"] + b.signed(5)) if before else b.length(8)) if count else 0
    for i in range(count):
        start = wrap(start + (b.signed(0) if unusual & 1 else 0))
        is_last = i == count - 1
        width = widest
        if before and is_last and count > 1:
            width = wrap(before["widths"] - widths - (count - before["count"]) * space + b.signed(2))
        elif count > 1:
            width = wrap(widest - b.length(5 if is_last else 4))
        known = before or {"units": units, "widths": widths}
        share = int(known["units"] * width / known["widths"]) if known["widths"] > 0 else 0
        if known["widths"] > 0:
            product = known["units"] * width
            share = wrap(abs(product) // known["widths"] * (1 if product >= 0 else -1))
        if before:
            expected, order = (wrap(before["units"] - units), 0) if is_last else (share, 2)
        else:
            expected, order = (0, 4) if i == 0 else (share, 3)
        own = wrap(expected + b.signed(order))
        traits = direction | (8 if is_last else 0)
        if unusual & 4:
            traits = wrap(traits ^ turned_back(b.number(0)))
            direction = traits & 1
        left = b.signed(5) if unusual & 2 else 0
        units, widths = wrap(units + own), wrap(widths + width)
        lines.append([start, wrap(start + own), left, width, traits])
        start = lines[-1][1]
    entity, line, left, wide = 0, 0, 0, 0
    for _ in range(b.number(1) if unusual & 8 else 0):
        entity, before_line = wrap(entity + b.signed(0)), line
        line = wrap(line + b.signed(0))
        left = wrap((left + wide if line == before_line else 0) + b.signed(5))
        wide = b.length(6)
        spans.append([entity, line, left, wide])
    return {"lines": lines, "spans": spans, "widest": widest, "count": count, "units": units, "widths": widths}


def layouts_of(b, found, nodes, alignments, variants, states, places, faces):
    widths, columns = [values[0] for values, _ in found], variants * states
    twins = [first if (first := widths.index(width)) < i else -1 for i, width in enumerate(widths)]
    breaks, slots, faces, last, used = classes_of(b, found, twins), {}, list(faces), -1, [0]
    for _ in range(b.number(1)):
        last += 1 + b.number(1)
        slots[last] = slot_of(b, last & 1, max(breaks) + 1, columns, faces, used)
    arrangements, shapes = classes_of(b, found, twins), []
    lengths, width = [b.number(7) for _ in range(max(arrangements))], len(places).bit_length()
    shapes.append(arrangement_of(b, None, columns, len(nodes), width))
    for length in lengths:
        shapes.append(lengthy(b, length, lambda: arrangement_of(b, shapes[0], columns, len(nodes), width)))
    told, every = {}, list(dict.fromkeys(values[1] for values, _ in found))
    lengths = {number: [b.number(7) for _ in blocks] for number, (blocks, _) in slots.items()}
    for number, (blocks, maps) in slots.items():
        scales = []
        for place in range(1, len(blocks) + 1):
            users = [values[1] for (values, _), own in zip(found, breaks) if any(now[own] == place for now in maps)]
            scales.append(users[:1] + [scale for scale in every if scale in users and scale != users[0]])
        told[number] = blocks_of(b, number & 1, blocks, lengths[number], scales, found, faces)
    listed = reaches_of(b, found, twins, breaks)
    left = 8 * len(b.data) - b.at
    assert 0 <= left < 8 and b.bits(left) == 0, "bits are left"
    layouts = []
    for target, (values, _) in enumerate(found):
        for column in range(columns):
            used = {}
            for number, (blocks, maps) in slots.items():
                place = maps[column][breaks[target]]
                if place and number & 1:
                    used[number] = told[number][place - 1]
                elif place:
                    own = told[number][place - 1][values[1]]
                    font = face_pixels(faces[blocks[place - 1][0]], values[1])
                    widest = max([line[3] for line in own["lines"]] or [0])
                    used[number] = {"font": font, **{name: [list(one) for one in own[name]] for name in ("lines", "spans")}}, \
                        widest, wrap(font[1] * len(own["lines"]))
            head, *items = shapes[arrangements[target]][column]
            layouts.append({"target": target, "variant": column // states, "state": column % states,
                            "rows": listed[target][0], "natural": listed[target][1]} | layout(
                                head + items, used, nodes, alignments, places, values))
    return layouts


def stems():
    """Of each stem its head, its places and its faces, as the documentation has them."""
    page = Path(__file__).resolve().parents[2] / "Sources/Record/Record.docc/LayoutRecord.md"
    listed = page.read_text().split("### Stems")[1].split("```")[1::2]
    faces = [[(1, *map(int, face.split())) for face in told.split(",")] for told in listed[2::3]]
    return list(zip(map(bytes.fromhex, listed[0::3]), map(bytes.fromhex, listed[1::3]), faces))


def head_of(r):
    """A record's head, and the places and the faces of its stem."""
    number = r.number()
    if number == 0:
        return r.bytes(r.number()), [], []
    head, told, faces = stems()[number - 1]
    start, end = r.numbers(2)
    assert start + end <= len(head), "more than the stem has"
    places, listed = Reader(told), []
    while places.at < len(told):
        listed.append(place(places))
    return head[:start] + r.bytes(r.number()) + head[len(head) - end:], listed, faces


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
    assert version in (1, 2, 3), "not a record"
    head, listed, faces = head_of(r) if version == 3 else (b"", [], [])
    h = Reader(head) if version == 3 else r
    nodes, alignments = skeleton(Reader(h.bytes(h.number())))
    drawn = {}
    part = Reader(h.bytes(h.number()) if version > 1 else b"")
    if part.data:
        drawn = {"drawing": drawing(part, nodes, len(alignments))}
        assert part.at == len(part.data), "bytes of drawing are left"
    found = targets(h)
    if version == 3:
        assert h.at == len(head), "bytes of the head are left"
        variants, states = r.numbers(2)
        listed += [place(r) for _ in range(r.number())]
        bits = Bits(r.bytes(r.number()))
        assert r.at == len(r.data), "bytes are left"
        layouts = layouts_of(bits, found, nodes, alignments, variants, states, listed, faces) if found else []
        return json.dump({"targets": [values for values, _ in found], "layouts": layouts} | drawn, sys.stdout)
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
