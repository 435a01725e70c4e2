extension String {
    /// The text, or its beginning where it has more bytes: its scalars as far as they have room, none of them in part.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var bytes = Array(utf8.prefix(limit + 1))
        while let last = bytes.popLast(), UTF8.isContinuation(last) {}
        return String(decoding: bytes, as: UTF8.self)
    }
}
