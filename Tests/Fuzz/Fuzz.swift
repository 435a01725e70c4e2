import Glibc
import JSON
import Shaping
import Typography
import Wire

/// libFuzzer over all readers of foreign bytes. `deploy/fuzz` builds and runs it.
@main struct Fuzzer {
    static func main() {
        var count = CommandLine.argc
        var words = unsafe CommandLine.unsafeArgv
        exit(unsafe run(&count, &words, fuzz))
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func run(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// Runs one input: its first byte chooses a reader, which gets the rest. No bytes may cause a trap, and a value that
/// is read must be the one that was written.
private func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    guard let road = input.first else { return 0 }
    let rest = input[1...]
    switch road % 11 {
    case 0: Fuzz.measure(rest)
    case 1: Fuzz.decode(rest)
    case 2: Fuzz.findEntities(rest)
    case 3: Fuzz.parse(rest)
    case 4: Fuzz.openRecord(rest)
    case 5: Fuzz.readRow(rest)
    case 7: Fuzz.readWord(rest)
    case 8: Fuzz.readRequest(rest)
    case 9: Fuzz.readSealed(rest)
    case 10: Fuzz.ask(rest)
    default: Fuzz.layOut(rest)
    }
    return 0
}

/// The shaper, in a class because globals cannot be borrowed from. libFuzzer has one thread, and so has this.
private final class Engine {
    private var shaper: Shaper

    nonisolated(unsafe) static let shared = Engine()

    private init() {
        do {
            shaper = try Shaper(fonts: FontList(Fuzz.families()))
        } catch {
            fatalError("\(error)")
        }
    }

    func measure(_ text: RichText) -> MeasuredText { shaper.measure(text) }
    func measure(_ text: String) -> MeasuredText { shaper.measure(text) }
}

enum Fuzz {
    /// Every face of the configuration, each as a family of its own.
    static func families() throws -> [FontFamily] {
        guard let file = unsafe fopen("config/fonts.json5", "r") else { throw FontError.noFamilies }
        defer { unsafe _ = fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe fread(&bytes, 1, bytes.count, file)
        bytes.removeLast(bytes.count - count)
        let list = try JSONValue.parse(bytes, dialect: .json5).array ?? []
        return list.map { family in
            let isEmoji = family["emoji"]?.bool ?? false
            let face = family["faces"]?.array?.first
            return FontFamily(
                name: family["name"]?.string ?? "", isEmoji: isEmoji,
                faces: [
                    FaceFile(
                        weight: nil, path: face?["path"]?.string ?? "", index: face?["index"]?.number?.integer ?? 0)
                ])
        }
    }

    /// Input: three bytes of width and style, then a text in UTF-16, or in UTF-8 when the style says so.
    static func measure(_ input: ArraySlice<UInt8>) {
        guard input.count > 3 else { return }
        let bytes = Array(input)
        let breaker = LineBreaker(
            box: Int32(bytes[0]) << 6, size: .points(16), scale: Scale(thousandths: 1000 + 125 * Int32(bytes[1] & 15)))
        let text = measured(bytes[3...], style: bytes[2])
        precondition(text.count == text.marks.count)
        let decoded = try! MeasuredText(decoding: text.encoded())
        precondition(decoded == text)
        var bare = text
        bare.stops = Stops()
        bare.segments = Segments()
        precondition(breaker.lines(of: bare) == breaker.lines(of: text))
        exercise(text, breaker)
    }

    private static func measured(_ bytes: ArraySlice<UInt8>, style: UInt8) -> MeasuredText {
        if style & 1 == 0 { return unsafe Engine.shared.measure(String(decoding: bytes, as: UTF8.self)) }
        let pairs = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2)
        var text = RichText(units: pairs.map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) })
        let middle = Int32(text.units.count / 2)
        if style & 2 != 0 { text.spans = [.init(start: middle, end: middle + 4, style: TextStyle(percent: 150))] }
        if style & 4 != 0 {
            text.boxes = [InlineBox(position: middle, extent: .em(width: 900, ascent: 900, descent: 100))]
        }
        return unsafe Engine.shared.measure(text)
    }

    /// Input: four bytes of box, then a stored text.
    static func decode(_ input: ArraySlice<UInt8>) {
        let box = input.prefix(4).reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        guard let text = try? MeasuredText(decoding: input.dropFirst(4)), text.count < 1 << 12 else { return }
        let again = try! MeasuredText(decoding: text.encoded())
        precondition(again == text)
        exercise(text, LineBreaker(box: Int32(truncatingIfNeeded: box), size: .points(16), scale: .two))
        exercise(text, LineBreaker(width: .points(100), size: .points(4096), scale: Scale(thousandths: 16_000)))
    }

    /// Asks everything of a text.
    private static func exercise(_ text: MeasuredText, _ breaker: LineBreaker) {
        let lines = breaker.lines(of: text)
        precondition(Int(lines.last?.end ?? 0) == text.count)
        _ = breaker.validBoxes(for: lines, of: text)
        _ = breaker.balancedBox(for: text)
        _ = breaker.continued(lines, of: text, as: text)
        for mostLines in [2, .max] {
            let layout = TextLayout(text, breaker: breaker, stacking: .init(mostLines: mostLines))
            for position in 0...Int32(min(text.count, 40)) {
                guard let caret = layout.caret(at: position, in: text) else { continue }
                _ = layout.hit(x: caret.left, y: caret.top, in: text)
            }
            _ = layout.rectangles(of: 0, Int32(text.count), in: text)
            for entity in text.entities { _ = layout.rectangles(of: entity, in: text) }
        }
    }

    static func findEntities(_ input: ArraySlice<UInt8>) {
        let text = String(decoding: input, as: UTF8.self)
        let units = Int32(text.utf16.count)
        var end: Int32 = 0
        for entity in EntityFinder.find(in: text) {
            precondition(entity.start >= end && entity.start < entity.end && entity.end <= units)
            end = entity.end
        }
    }

    static func parse(_ input: ArraySlice<UInt8>) {
        for dialect in [JSONDialect.json, .json5] { _ = try? JSONValue.parse(Array(input), dialect: dialect) }
    }
}
