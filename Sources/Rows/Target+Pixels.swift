import MessageLayout
import Typography

extension Target {
    /// Far more than any screen shows, and far from the end of the integers: no request and no record makes sums trap.
    static let mostPixels: Int32 = 1 << 24

    /// The nearest whole number of device pixels.
    func pixels(_ length: Fixed) -> Int32 { pixels(length, percent: 100) }

    /// The same for a length that grows with the reader's text size.
    func textPixels(_ length: Fixed) -> Int32 { pixels(length, percent: textScale.percent) }

    var boundedRowPixels: Int32 { rowPixels.bounded }

    private func pixels(_ length: Fixed, percent: Int32) -> Int32 {
        let unit: Int64 = 64 * 1000 * 100
        let factor = Int64(scale.thousandths.bounded) * Int64(min(percent.bounded, 10_000))
        let (product, overflows) = Int64(length.raw).multipliedReportingOverflow(by: factor)
        return overflows ? Self.mostPixels : Int32(clamping: product / unit + product % unit * 2 / unit).bounded
    }
}

extension Int32 {
    var bounded: Int32 { Swift.min(Swift.max(self, 0), Target.mostPixels) }
}
