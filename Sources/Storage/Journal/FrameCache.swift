import Pool

/// A cache of frames that were written or read lately, as statuses follow posts soon.
struct FrameCache {
    private var frames: [LogFrame] = []
    private var bytes = 0

    private static let limit = 4 << 20

    func find(_ place: LogPosition) -> LogFrame? {
        frames.last { $0.contains(place) }
    }

    mutating func put(_ frame: LogFrame) {
        frames.append(frame)
        bytes += frame.bytes.count
        while bytes > Self.limit || frames.count > 256 { bytes -= frames.removeFirst().bytes.count }
    }

    mutating func remove(_ frame: LogFrame) {
        frames.removeAll { $0.first == frame.first }
        bytes = frames.reduce(0) { $0 + $1.bytes.count }
    }
}
