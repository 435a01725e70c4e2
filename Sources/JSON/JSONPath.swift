/// The way from the whole text to one value in it: `fonts[2].weight`.
package indirect enum JSONPath: Hashable, Sendable {
    case root
    case member(String, of: JSONPath)
    case element(Int, of: JSONPath)
}

extension JSONPath {
    /// The member of the whole text that it goes through; nil for the whole, and for an element.
    package var first: String? {
        switch self {
        case .root, .element(_, of: .root): nil
        case .member(let key, of: .root): key
        case .member(_, of: let parent), .element(_, of: let parent): parent.first
        }
    }
}

extension JSONPath: CustomStringConvertible {
    package var description: String {
        switch self {
        case .root: ""
        case .member(let key, of: .root): key
        case .member(let key, of: let parent): "\(parent).\(key)"
        case .element(let index, of: let parent): "\(parent)[\(index)]"
        }
    }
}
