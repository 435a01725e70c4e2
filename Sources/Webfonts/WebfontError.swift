package enum WebfontError: Error, Hashable, Sendable {
    case unreadable(path: String)
    /// The file has no such face, or is damaged.
    case noFace(path: String, index: Int)
    /// The subsetter or the compressor gives up.
    case cannotCut(path: String, index: Int)
    case cannotCompress(path: String, index: Int)
}

extension WebfontError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let path): "\(path): cannot be read"
        case .noFace(let path, let index): "\(path): has no face \(index), or is damaged"
        case .cannotCut(let path, let index): "\(path): face \(index) cannot be cut into slices"
        case .cannotCompress(let path, let index): "\(path): face \(index) cannot be compressed"
        }
    }
}
