import Names
import Record
import TestSupport
import Wire

/// Random questions about texts of rows, and answers to them.
extension SplitMix64 {
    private mutating func units() -> Range<Int32> {
        let start = Int32.random(in: 0...9_999, using: &self)
        return start..<start + .random(in: 0...999, using: &self)
    }

    private mutating func few<Value>(_ make: (inout SplitMix64) -> Value) -> [Value] {
        (0..<Int.random(in: 0...3, using: &self)).map { _ in make(&self) }
    }

    private mutating func point() -> PixelPoint {
        PixelPoint(x: .random(in: -9_999...9_999, using: &self), y: .random(in: -9_999...9_999, using: &self))
    }

    mutating func question() throws -> RangesQuestion {
        let subjects: [RangesQuestion.Subject] = [.row(MessageNumber(number())), .message(try name())]
        let names: [AskedText.Name] = [.path("options[1].text"), .node(.random(in: 0...99, using: &self))]
        return RangesQuestion(
            subjects.randomElement(using: &self)!, mark: perhaps { RowMark($0.number()) },
            isExpanded: .random(using: &self),
            texts: few { random in
                AskedText(
                    names.randomElement(using: &random)!, ranges: random.few { $0.units() },
                    carets: random.few { $0.units().lowerBound }, points: random.few { $0.point() })
            }, points: few { $0.point() })
    }

    private mutating func hit() -> PlacedHit {
        PlacedHit(
            node: .random(in: 0...99, using: &self), offset: units().lowerBound, isDownstream: .random(using: &self),
            grapheme: units(), isInside: .random(using: &self))
    }

    private mutating func caret() -> PlacedCaret {
        func place(_ random: inout SplitMix64) -> CaretPlace {
            CaretPlace(
                x: random.number(), top: random.number(), height: random.number(),
                isRightToLeft: .random(using: &random))
        }
        return PlacedCaret(
            offset: units().lowerBound, isHidden: .random(using: &self), downstream: perhaps { place(&$0) },
            upstream: perhaps { place(&$0) })
    }

    mutating func placedRanges() throws -> RangesReply {
        RangesReply(
            cursor: cursor(), edition: try EditionID("0badcafe"), row: MessageNumber(number()), message: try name(),
            mark: RowMark(number()),
            texts: few { random in
                PlacedText(
                    node: .random(in: 0...99, using: &random), path: "options[1].text",
                    length: random.units().upperBound, shown: random.units().lowerBound,
                    ranges: random.few { random in
                        PlacedRange(
                            random.units(),
                            random.few {
                                FineRect(left: $0.number(), top: $0.number(), width: $0.number(), height: $0.number())
                            })
                    }, carets: random.few { $0.caret() }, hits: random.few { $0.hit() })
            }, hits: few { $0.hit() })
    }
}
