import Bytes

/// The reach of the layouts of a message: for each target, the rows for which all of them hold.
struct Reaches: ~Copyable {
    /// Accounts by group of screens, variant and state.
    private var accounts = Buffer<Closed>()
    /// Natural widths by group.
    private var naturalWidths = Buffer<Lanes>()
    /// Rows of the layout that holds on the target at hand, by variant and state, and whether the other state differs.
    private var rows = Buffer<ClosedRange<Int32>>()
    private var differs = Buffer<Bool>()

    /// An account by lanes: a number or a bit for each.
    struct Closed {
        var slack: InlineArray<16, Int32>
        var isWiderOpen: UInt32
        var dependsOnState: UInt32
    }

    /// Turns to another message.
    mutating func begin() {
        accounts.removeAll()
        naturalWidths.removeAll()
    }

    mutating func append(_ account: Account) {
        accounts.append(
            Closed(
                slack: account.slack.each, isWiderOpen: account.isWiderOpen.bits,
                dependsOnState: account.dependsOnState.bits))
    }

    /// Appends again the account of the layout that is `count` layouts before.
    mutating func append(before count: Int) { accounts.append(accounts[accounts.count - count]) }
    mutating func append(naturalWidth: Lanes) { naturalWidths.append(naturalWidth) }

    /// Finds the reach of each target; with messages, as if each were the first target. A layout that holds for the
    /// next target too has the same reach there.
    mutating func find(
        _ count: Int, columns: Int, states: Int, _ screens: borrowing LaneScreens, areMessages: Bool,
        into reaches: inout [LayoutSheet.Reach]
    ) {
        reaches.removeAll(keepingCapacity: true)
        rows.refill(0...0, count: columns)
        differs.refill(false, count: columns)
        var naturalWidth: Int32 = 0
        for target in 0..<count {
            let (group, lane) = (target / Lanes.scalarCount, target % Lanes.scalarCount)
            let bit = 1 << UInt32(lane) as UInt32
            let own = screens.rows(of: areMessages ? 0 : target)
            let isAlike = !areMessages && screens.isAlike(in: group)[lane]
            if isAlike, let before = reaches.last, before.narrowest <= own.row && own.row <= before.widest {
                reaches.append(before)
                continue
            }
            if !isAlike { naturalWidth = max(0, naturalWidths[group][lane]) }
            var (narrowest, widest) = (Int32(0), Int32.max)
            // Most variants reach equally far.
            var last = (slack: Int32(-1), isWiderOpen: false, rows: rows[0])
            for column in 0..<columns {
                // With two states, every second column is expanded.
                let isExpanded = states == 2 && column & 1 == 1
                let place = group * columns + column
                if isExpanded, !differs[column - 1] {
                    rows[column] = rows[column - 1]
                } else if !isAlike || !rows[column].contains(own.row) {
                    // Otherwise the layout of the target before holds, and with it the answer whether the other state
                    // differs.
                    let (slack, isWiderOpen) = (accounts[place].slack[lane], accounts[place].isWiderOpen & bit != 0)
                    if slack != last.slack || isWiderOpen != last.isWiderOpen {
                        last = (slack, isWiderOpen, own.rows(slack: slack, isWiderOpen: isWiderOpen))
                    }
                    rows[column] = last.rows
                    if !isExpanded { differs[column] = accounts[place].dependsOnState & bit != 0 }
                }
                narrowest = max(narrowest, rows[column].lowerBound)
                widest = min(widest, rows[column].upperBound)
            }
            reaches.append(LayoutSheet.Reach(narrowest: narrowest, widest: widest, naturalWidth: naturalWidth))
        }
    }
}
