"""Numbers as records and blocks write them: what both decoders read with. Written from the pages alone."""


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

    def signed(self):
        return signed(self.number())

    def numbers(self, count):
        return [self.number() for _ in range(count)]


def signed(number):
    return number >> 1 ^ -(number & 1)
