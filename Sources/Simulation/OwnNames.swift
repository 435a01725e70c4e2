import MessageLayout
import Names
import Wire

extension Name {
    /// A name that the simulation gives: short and plain, and so always one.
    init(own text: String) { self = try! Self(text) }
}

extension EditionID {
    /// As above.
    init(own text: String) { self = try! Self(text) }
}
