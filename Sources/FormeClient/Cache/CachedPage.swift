import Bytes
import Conversation
import Wire

/// A file of the cache.
///
/// ```text
///  FMPG │ version u8 │ checksum u64 │ key: u32, bytes │ frame: u32, bytes
/// ```
///
/// The checksum is of all that follows it. The key is there whole, so that two keys with one name are not mixed up;
/// the frame is the one in which a gateway would send the window.
enum CachedPage {
    private static let magic = Array("FMPG".utf8)
    private static let version: UInt8 = 1

    /// Everything that rows depend on, except the place up to which the reader has read.
    static func key(of opening: WindowOpening) -> [UInt8] {
        var writer = ByteWriter()
        var reader = opening.reader
        reader.unreadFrom = nil
        writer.value(opening.conversation)
        writer.value(opening.target)
        writer.value(reader)
        for isWanted in [opening.wantsBodies, opening.wantsMessages, opening.wantsFonts] {
            writer.integer((isWanted ? 1 : 0) as UInt8)
        }
        return writer.bytes
    }

    static func bytes(of reply: WindowReply, _ key: [UInt8]) -> [UInt8] {
        var content = ByteWriter()
        content.block(key)
        content.block(Framed(GatewayWord.window(reply)).encoded())
        var writer = ByteWriter()
        writer.append(magic)
        writer.integer(version)
        writer.integer(BlockChecksum(of: content.bytes).value)
        writer.append(content.bytes)
        return writer.bytes
    }

    /// Nil unless these are all bytes that `bytes` made, with this key.
    static func window(in bytes: [UInt8], of key: [UInt8]) -> WindowReply? {
        do throws(ByteError) {
            var reader = ByteReader(bytes)
            guard try reader.bytes(magic.count).elementsEqual(magic), try reader.integer() == version else {
                return nil
            }
            let checksum = try reader.integer(UInt64.self)
            let start = magic.count + 1 + 8
            guard BlockChecksum(of: Array(bytes[start...])).value == checksum else { return nil }
            guard try reader.block(atMost: Limits.frame, of: "key").elementsEqual(key) else { return nil }
            // It is longer than a gateway's frames if there are long texts.
            let frame = try reader.block(atMost: bytes.count, of: "frame")
            try reader.end()
            guard case .window(let reply) = try Framed<GatewayWord>(decoding: frame).word, reply.part == .whole else {
                return nil
            }
            return reply
        } catch {
            return nil
        }
    }
}

extension WindowMirror {
    /// Its last rows as a gateway would send them; nil where they are not the last of the conversation.
    func end(_ most: Int, of window: WindowID) -> WindowReply? {
        guard !frame.hasNewer else { return nil }
        let start = max(0, rows.count - most)
        var frame = frame
        frame.top = start == rows.count ? bottom : top(of: start)
        frame.rowsAbove += start
        return WindowReply(
            window: window, part: .whole, reason: .firstLoad, frame: frame, rows: Array(rows[start...]),
            insertedAbove: 0, firstVisible: nil, contentFits: false, prefetch: PrefetchHint(older: nil, newer: nil))
    }
}
