import FormeLayout
import JSON
import MessageLayout
import Record
import Shaping
import Typography
import Wire

/// Pauses the leak checker. Compiled code leaks a few kilobytes, paths of errors that were not thrown, when a style
/// is read: once, and no concern of the fuzzer.
@_silgen_name("__lsan_disable") private func beginForgiving()
@_silgen_name("__lsan_enable") private func endForgiving()

/// Both styles, on few screens: one for each class, one of them from right to left.
private final class Styles {
    private var bubble: LayoutEngine
    private var flat: LayoutEngine
    private var encoder = RecordEncoder()

    nonisolated(unsafe) static let shared = Styles()

    private init() {
        beginForgiving()
        defer { endForgiving() }
        do {
            let targets = [(320, 3000, false), (390, 2625, true), (640, 1000, false)].map { width, scale, isMirrored in
                Target(width: .points(width), scale: .init(thousandths: scale), isMirrored: isMirrored)
            }
            let fonts = try FontList(Fuzz.families())
            bubble = try LayoutEngine(
                style: StyleFiles.open("config/styles/bubble.json5"), fonts: fonts, targets: targets)
            flat = try LayoutEngine(style: StyleFiles.open("config/styles/flat.json5"), fonts: fonts, targets: targets)
        } catch {
            fatalError("\(error)")
        }
    }

    func record(of message: JSONValue, isFlat: Bool) throws -> (LayoutSheet, [UInt8]) {
        let sheet = try isFlat ? flat.layOut(JSONReader(message)) : bubble.layOut(JSONReader(message))
        var bytes: [UInt8] = []
        try encoder.encode(sheet, into: &bytes)
        return (sheet, bytes)
    }
}

extension Fuzz {
    /// Input: a byte for the style, then a message. Its layouts are stored and read back.
    static func layOut(_ input: ArraySlice<UInt8>) {
        guard let style = input.first, let message = try? JSONValue.parse(Array(input.dropFirst())),
            let (sheet, bytes) = try? Styles.shared.record(of: message, isFlat: style & 1 == 1)
        else { return }
        let again = try! LayoutRecord(bytes).sheet()
        precondition(again.targets == sheet.targets)
        for target in sheet.targets.indices {
            for variant in 0..<Int(sheet.variantCount) {
                let model = sheet.model(target: target, variant: variant)
                precondition(again.model(target: target, variant: variant) == model)
                precondition(model.size.width >= 0 && model.size.height >= 0)
            }
        }
    }
}
