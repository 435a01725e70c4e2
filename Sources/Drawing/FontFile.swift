/// The bytes of one face. Browsers read the first face of a collection only, so any other is taken out of it.
package enum FontFile {
    /// Nil for a collection that is damaged, or has no such face.
    package static func face(_ index: Int, of file: [UInt8]) -> [UInt8]? {
        guard number(file, 0) == 0x7474_6366 else { return index == 0 ? file : nil }
        guard let count = number(file, 8), 0..<Int(min(count, 256)) ~= index,
            let start = number(file, 12 + 4 * index).map({ Int($0) }),
            let tables = short(file, start + 4), start + 12 + 16 * tables <= file.count
        else { return nil }
        var font = Array(file[start..<start + 12 + 16 * tables])
        for table in 0..<tables {
            let entry = start + 12 + 16 * table
            guard let from = number(file, entry + 8).map({ Int($0) }),
                let length = number(file, entry + 12).map({ Int($0) }),
                from + length <= file.count
            else { return nil }
            let place = font.count
            for byte in 0..<4 { font[12 + 16 * table + 8 + byte] = UInt8(truncatingIfNeeded: place >> (24 - 8 * byte)) }
            font += file[from..<from + length]
            font += [UInt8](repeating: 0, count: (4 - length % 4) % 4)
        }
        return font
    }

    private static func number(_ file: [UInt8], _ place: Int) -> UInt32? {
        guard place >= 0, place + 4 <= file.count else { return nil }
        return file[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func short(_ file: [UInt8], _ place: Int) -> Int? {
        guard place >= 0, place + 2 <= file.count else { return nil }
        return Int(file[place]) << 8 | Int(file[place + 1])
    }
}
