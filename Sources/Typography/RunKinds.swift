/// The kinds of the runs of a text, in the order in which they first come. Most texts have a few, which are looked
/// through; one with letters of many scripts, embedded in each other, may have thousands.
struct RunKinds {
    private(set) var list: [TextRun]
    /// The places in the list of those behind the first few.
    private var later: [TextRun: Int] = [:]

    private static let few = 16

    init(of runs: [TextRun]) {
        // Most texts are one run, whose list is that of its kinds.
        list = runs.count == 1 ? runs : []
        for run in runs where place(of: run) == nil {
            if list.count >= RunKinds.few { later[RunKinds.key(run)] = list.count }
            list.append(run)
        }
    }

    /// The place of a run's kind in the list; nil where it is another.
    func place(of run: TextRun) -> Int? {
        // Often it is the last of a few.
        if let known = list.prefix(RunKinds.few).lastIndex(where: { $0.isLike(run) }) { return known }
        return later.isEmpty ? nil : later[RunKinds.key(run)]
    }

    /// The run, but for its beginning.
    private static func key(_ run: TextRun) -> TextRun {
        var key = run
        key.start = 0
        return key
    }
}
