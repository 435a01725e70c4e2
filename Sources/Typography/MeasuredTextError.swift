package import Bytes

package enum MeasuredTextError: Error, Hashable, Sendable {
    case truncated
    case tooLarge
    case unknownVersion(UInt8)
    /// Bytes follow the value.
    case trailingBytes
    /// The parts do not fit together.
    case inconsistent(Part)

    package enum Part: Hashable, Sendable {
        case marks, runs, styles, unsafeBreaks, shortPieces, boxes, entities
    }
}

extension MeasuredTextError {
    package init(_ fault: ByteError) { if case .truncated = fault { self = .truncated } else { self = .tooLarge } }
}
