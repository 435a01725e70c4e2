#!/usr/bin/env python3
"""Decodes a row block from standard input to JSON. Written from RowBlock.md alone, to hold it to its word."""
import json
import sys

import stored_numbers


class Reader(stored_numbers.Reader):
    def bits(self):
        return Bits(int.from_bytes(self.data[self.at:], "little"))

    @property
    def left(self):
        return len(self.data) - self.at


class Bits:
    def __init__(self, value):
        self.value = value

    def take(self, width):
        taken = self.value & (1 << width) - 1
        self.value >>= width
        return taken


def width(count):
    return (count - 1).bit_length()


def names(r, count=None, before=lambda r: None):
    last, found = b"", []
    while r.left and (count is None or len(found) < count):
        extra = before(r)
        head = r.number()
        differ = head >> 2
        same = r.number() if head & 1 else len(last) - differ
        name = bytearray(last[:same])
        if head & 2:
            digits, pending = "0123456789abcdef", None
            for place in range(same, same + differ):
                if place < len(last) and last[place] == ord("-"):
                    name += b"-"
                elif pending is not None:
                    name += digits[pending].encode()
                    pending = None
                else:
                    byte = r.bytes(1)[0]
                    name += digits[byte & 15].encode()
                    pending = byte >> 4
        else:
            name += r.bytes(differ)
        last = bytes(name)
        found.append((extra, last.decode()))
    return found


def steps(r, count):
    value, least, bits = r.signed(), r.signed(), r.bytes(1)[0]
    values, rest = [value], r.bits()
    for _ in range(count - 1):
        value = (value + least + rest.take(bits) + 2**63) % 2**64 - 2**63
        values.append(value)
    return values


def checksum(data):
    value = len(data) * 0x9E3779B97F4A7C15 % 2**64
    for start in range(0, len(data) // 8 * 8 + 1, 8):
        value = (value ^ int.from_bytes(data[start:start + 8], "little")) * 0xFF51AFD7ED558CCD % 2**64
        value ^= value >> 32
    return value


def column(r, codes, count, heights):
    lists, options = [], []
    for _ in range(count):
        first, more = len(options), True
        while more:
            number = r.number()
            options.append(number >> 1)
            more = number & 1
        lists.append((first, len(options) - first))
    bits = r.bits()
    own = [lists[code][0] + bits.take(width(lists[code][1])) for code in codes]
    return own, len(options), [heights[options[code]] for code in own]


def block(data):
    r = Reader(data)
    assert r.bytes(1) == b"\x01" and int.from_bytes(r.bytes(8), "little") == checksum(data[9:])
    count, targets = r.number(), r.number()
    lengths = [r.number() for _ in range(targets + 9)]
    parts = [Reader(r.bytes(length)) for length in lengths]
    senders = [name for _, name in names(parts[1])]
    looks = names(parts[2], before=lambda r: r.number())
    heights, own = [], 0
    while parts[3].left:
        own += parts[3].number()
        other = own + parts[3].signed()
        heights.append([own, other, other + parts[3].signed()])
    orders, times = steps(parts[4], count), steps(parts[5], count)
    bits = parts[6].bits()
    faces = [(bits.take(width(len(senders))), bits.take(width(len(looks)))) for _ in range(count)]
    codes, options, first = column(parts[7], [0] * count, 1, heights)
    columns = [first] + [column(part, codes, options, heights)[2] for part in parts[8:7 + targets]]
    numbers = steps(parts[7 + targets], count)
    ids = [name for _, name in names(parts[8 + targets], count)]
    return [{
        "number": numbers[i], "message": ids[i], "order": orders[i], "sender": senders[faces[i][0]], "time": times[i],
        "template": looks[faces[i][1]][1], "joinsSeries": looks[faces[i][1]][0] & 1 == 1,
        "hasFailed": looks[faces[i][1]][0] & 2 == 2, "heights": [column[i] for column in columns],
    } for i in range(count)]


json.dump(block(sys.stdin.buffer.read()), sys.stdout)
