#!/usr/bin/env python3
"""Decodes a layout record from standard input to JSON. Written from LayoutRecord.md alone, to hold it to its word."""
import json
import sys


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def number(self):
        value = shift = 0
        while True:
            byte = self.bytes(1)[0]
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def numbers(self, count):
        return [self.number() for _ in range(count)]


def signed(number):
    return number >> 1 ^ -(number & 1)


def wrap(value):
    return (value + 2**31) % 2**32 - 2**31


def skeleton(r):
    """For each node its parent, pins and text; for each text its alignment."""
    count, nodes, parent = r.number(), [], -1
    for _ in range(r.number()):
        r.bytes(r.number()).decode()
    for i in range(count):
        _, _, mask = r.numbers(3)
        parent = i - r.number() if mask & 1 else parent
        fields = {bit: r.number() for bit in (2, 4, 8, 16, 32, 64, 128, 256, 512) if mask & bit}
        nodes.append((parent, fields.get(2, 5), fields.get(32, -1)))
    alignments = []
    for _ in range(r.number()):
        head = r.number()
        alignments.append(head & 3)
        r.numbers(head >> 2 & 1)
        for bit, size in ((8, 2), (16, 3), (32, 4)):
            if head & bit:
                r.numbers(size * r.number())
    return nodes, alignments


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


def column(r, count):
    stretches = r.number()
    pairs = [r.numbers(2) for _ in range(stretches)]
    return [slot for length, slot in pairs for _ in range(length)] if pairs else r.numbers(count)


def change(r):
    mask = r.number()
    found = {bit: r.number() for bit in (1, 2, 16, 8) if mask & bit}
    if mask & 4:
        head = r.number()
        found[4] = r.numbers(head >> 1) if head & 1 else [head >> 1]
    return found


def place(r):
    parts = r.number()
    across, down = r.numbers(2), r.numbers(1 if parts & 64 else 2)
    radius, fill = r.numbers(parts >> 1 & 1), r.numbers(2 if parts & 4 else 0)
    return parts, across, down, (radius or [0])[0], fill or [0, 0], r.numbers(3 if parts & 8 else 0)


def content(r):
    head = r.number()
    if head & 1:
        return head, 0, [r.number() for _ in range(head >> 4)], []
    unusual = r.number() if head & 4 else 0
    size = 2 + bin(unusual & 7).count("1")
    lines = [r.numbers(size) for _ in range(head >> 4)]
    return head, unusual, lines, [r.numbers(4) for _ in range(r.number() if unusual & 8 else 0)]


def block(found, width, alignment):
    head, unusual, rows, spans = found
    lines, start = [], 0
    for i, row in enumerate(rows):
        row = iter(row)
        start = wrap(start + (signed(next(row)) if unusual & 1 else 0))
        end, told = wrap(start + next(row)), wrap(next(row))
        own = wrap(width - told) if head & 8 else told
        more = signed(next(row)) if unusual & 2 else 0
        traits = next(row) if unusual & 4 else (head >> 1 & 1) + (8 if i == len(rows) - 1 else 0)
        room = wrap(width - own)
        left = int(room / 2) if alignment == 1 else room if (alignment == 2) != bool(traits & 1) else 0
        lines.append([start, end, wrap(left + more), own, traits])
        start = end
    return lines, [[wrap(entity), wrap(line), signed(left), wrap(own)] for entity, line, left, own in spans]


def axis(pins, parent, numbers, is_signed):
    first = signed(numbers[0]) if is_signed else numbers[0]
    if pins == 3:
        return first, parent - first - (signed(numbers[1]) if is_signed else numbers[1])
    return parent - first - numbers[1] if pins == 2 else first, numbers[1]


def layout(changes, nodes, alignments, geometries, places, contents, mirrored):
    fields, listed = dict.fromkeys((1, 2, 8, 16), 0), []
    for one in changes:
        for bit, value in one.items():
            if bit == 4:
                more = len(value) - len(listed)
                listed = [item or listed[i - more] for i, item in enumerate(value)]
            else:
                fields[bit] = fields[bit] + signed(value) if bit in (1, 2) else value
    result, listed = [], iter(listed)
    for (parent, pins, text), number in zip(nodes, geometries[fields[8]]):
        if number == 0:
            result.append(None)
            continue
        parts, across, down, radius, fill, face = places[number - 1]
        left, top, width, height = result[parent]["frame"] if parent >= 0 and result[parent] else \
            (0, 0, fields[1], fields[2])
        x, own = axis(pins & 3, width, across, parts & 32)
        node = {"radius": wrap(radius), "fill": [wrap(side) for side in fill], "font": [], "lines": [], "spans": [], "bars": []}
        if parts & 8:
            node["font"] = [face[0] >> 1 if face[0] & 1 else face[0] << 5] + [wrap(one) for one in face[1:]]
            alignment = alignments[text] if text >= 0 else 0
            node["lines"], node["spans"] = block(contents[next(listed) - 1], own, alignment)
        y, high = axis(pins >> 2, height, down + ([face[1] * len(node["lines"])] if parts & 64 else []), parts & 32)
        node["frame"] = [wrap(left + width - x - own if mirrored else left + x), wrap(top + y), wrap(own), wrap(high)]
        node["bars"] = contents[next(listed) - 1][2] if parts & 16 else []
        result.append(node)
    return {"size": [wrap(fields[1]), wrap(fields[2])], "stamp": fields[16], "nodes": result}


def main():
    r = Reader(sys.stdin.buffer.read())
    assert r.bytes(1) == b"\x01", "not version 1"
    nodes, alignments = skeleton(Reader(r.bytes(r.number())))
    found = targets(r)
    listed = reaches(r, found)
    variants, states, _, geometries, changes, _, places, _, contents, _ = r.numbers(10)
    slots = [[column(r, len(found)) for _ in range(states)] for _ in range(variants)]
    width = 2 if places > 255 else 1
    geometries = [[int.from_bytes(r.bytes(width), "little") for _ in nodes] for _ in range(geometries)]
    changes = [change(r) for _ in range(changes)]
    places, contents = [place(r) for _ in range(places)], [content(r) for _ in range(contents)]
    assert r.at == len(r.data), "bytes are left"
    layouts = []
    for target, (values, group) in enumerate(found):
        for variant in range(variants):
            for state in range(states):
                path = dict.fromkeys([(group, 0, 0), (target, 0, 0), (target, variant, 0), (target, variant, state)])
                used = [changes[slots[v][s][t] - 1] for t, v, s in path if slots[v][s][t]]
                layouts.append({"target": target, "variant": variant, "state": state, "rows": listed[target][0],
                                "natural": listed[target][1]} | layout(
                    used, nodes, alignments, geometries, places, contents, values[3]))
    json.dump({"targets": [values for values, _ in found], "layouts": layouts}, sys.stdout)


main()
