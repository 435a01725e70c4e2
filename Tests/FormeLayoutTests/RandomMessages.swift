import JSON
import MessageLayout
import TestSupport
import Typography

/// Random messages of every kind, with any of the fields that the kind has, in many scripts.
struct RandomMessages {
    let style: StyleSheet
    private let kinds: [String]

    init(_ style: StyleSheet) {
        self.style = style
        kinds = style.templates.keys.sorted()
    }

    func message(of kind: String? = nil, using random: inout SplitMix64) -> (kind: String, message: JSONValue) {
        let kind = kind ?? kinds.randomElement(using: &random)!
        let message = style.template(for: kind)!.fields.random(using: &random).with("kind", as: .string(kind))
        return (kind, message)
    }
}

extension FieldSpec {
    fileprivate func random(using random: inout SplitMix64) -> JSONValue {
        var members: [JSONObject.Member] = []
        for field in fields where field.isRequired || Int.random(in: 0..<3, using: &random) == 0 {
            members.append(.init(field.name, field.type.random(using: &random)))
        }
        return .object(JSONObject(members))
    }
}

extension FieldSpec.FieldType {
    fileprivate func random(using random: inout SplitMix64) -> JSONValue {
        switch self {
        case .text: return .string(.sentence(using: &random))
        case .integer: return .number(JSONNumber([0, 1, 7, 62, 100, 1240, 3_600_000].randomElement(using: &random)!))
        case .flag: return .bool(.random(using: &random))
        case .picture:
            let sides = [1, 40, 300, 1200, 4000]
            guard Int.random(in: 0..<5, using: &random) > 0 else { return .object(JSONObject([])) }
            return .object(
                JSONObject([
                    .init("width", .number(JSONNumber(sides.randomElement(using: &random)!))),
                    .init("height", .number(JSONNumber(sides.randomElement(using: &random)!))),
                ]))
        case .bars:
            return .array((0..<Int.random(in: 0...90, using: &random)).map { .number(JSONNumber($0 * 37 % 256)) })
        case .object(let spec): return spec.random(using: &random)
        case .list(let spec, let most):
            let count = Int.random(in: 0...min(most, 5), using: &random)
            return .array((0..<count).map { _ in spec.random(using: &random) })
        case .texts(let most):
            let count = Int.random(in: 0...min(most, 5), using: &random)
            return .array((0..<count).map { _ in .string(.sentence(using: &random)) })
        }
    }
}

extension String {
    private static let vocabulary = [
        "a", "see", "you", "at", "nine", "tomorrow", "Donaudampfschifffahrtsgesellschaft", "naïve", "Ελλάδα", "Привет",
        "мир", "שלום", "מה", "שלומך", "مرحبا", "هل", "اجتماع", "नमस्ते", "दुनिया", "สวัสดีชาวโลก", "ជំរាបសួរ", "漢字", "会議は九時",
        "안녕하세요", "👍", "👨‍👩‍👧‍👦", "🎉", "❤️", "12", "1,240.50", "(", "…", "—", "@ben", "#plan",
        "https://example.com/a/long/path",
        "**bold**", "`code`", "- item", "> quote", "# heading", "\n", "\n\n", "\t", "e\u{301}", "\u{200d}", "\u{ad}",
    ]

    /// Up to a few dozen words, most of one script; now and then a few emoji, and now and then nothing.
    static func sentence(using random: inout SplitMix64) -> String {
        let length = [0, 1, 2, 4, 8, 16, 40, 160].randomElement(using: &random)!
        let own = (0..<3).map { _ in vocabulary.randomElement(using: &random)! }
        return (0..<length).map { _ in
            Int.random(in: 0..<3, using: &random) > 0
                ? own.randomElement(using: &random)! : vocabulary.randomElement(using: &random)!
        }.joined(separator: " ")
    }
}

extension Target {
    static let scales: [Int32] = [1000, 1500, 2000, 2625, 3000]

    /// Any row of a phone or a tablet, at one of the scales that screens have.
    static func random(using random: inout SplitMix64) -> Target {
        Target(
            width: Fixed(raw: .random(in: 280 * 64...900 * 64, using: &random)),
            scale: Scale(thousandths: scales.randomElement(using: &random)!),
            textScale: TextScale(percent: [85, 100, 100, 130, 200].randomElement(using: &random)!),
            isMirrored: Int.random(in: 0..<4, using: &random) == 0)
    }
}
