import Bytes
import MessageLayout
import Record

/// A comparison of the heights in the heads of rows with those in their records.
struct HeightCheck: ~Copyable {
    private var reader = HeightReader()
    private var plan = HeightPlan([])
    private var record: LayoutRecord?

    /// True for the list of a record's heights, and for any list where the record cannot be read here.
    mutating func isRight(_ list: ArraySlice<UInt8>, of layout: [UInt8]) -> Bool {
        do throws(ByteError) {
            let record = try LayoutRecord(layout, like: record)
            self.record = record
            plan.turn(to: record.targets)
            let heights = try reader.heights(of: record)
            do throws(ByteError) { return try plan.heights(in: list) == heights } catch { return false }
        } catch {
            return true
        }
    }
}
