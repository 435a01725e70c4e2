/// The present rates of faults, in thousandths.
struct Weather {
    private(set) var isBad = true
    private(set) var loss = 0
    private(set) var duplication = 0
    private(set) var delay = 0
    private(set) var isReordering = false
    var journalFullUntil = Instant.start
    var shardsFullUntil = Instant.start
    var slowUntil = Instant.start

    init() {}

    init(_ faults: Set<Fault>) {
        if faults.contains(.loss) { loss = 10 }
        if faults.contains(.duplication) { duplication = 10 }
        if faults.contains(.delay) { delay = 20 }
        isReordering = faults.contains(.reordering)
    }

    mutating func clear() {
        self = Weather()
        isBad = false
    }
}
