/// The slot of an edition, for as long as it is there. None is given twice, and a later edition has a higher one.
struct EditionSlot: Hashable, Comparable, Sendable {
    let number: Int
    static func < (a: EditionSlot, b: EditionSlot) -> Bool { a.number < b.number }
}

/// The slot of a worker, for as long as it is there; it is taken again when the worker is gone.
struct WorkerSlot: Hashable, Comparable, Sendable {
    let number: Int
    static func < (a: WorkerSlot, b: WorkerSlot) -> Bool { a.number < b.number }
}
