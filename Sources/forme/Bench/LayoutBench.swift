import FormeLayout
import Glibc
import JSON
import MessageLayout
import Shaping
import Typography

/// Messages as JSON in, layouts out, on one thread: how many a second, and what takes how long.
struct LayoutBench: ~Copyable {
    private var composer: Composer
    private var shaper: Shaper
    private(set) var stages = Stages()

    /// Seconds of processor time.
    struct Stages {
        var parse = 0.0
        var measure = 0.0
        var compose = 0.0
        var encode = 0.0
        var messages = 0
        var bytes = 0
        var slices = 0
    }

    init(style: StyleSheet, fonts: FontList, targets: [Target]? = nil) throws {
        var shaper = try Shaper(fonts: fonts)
        composer = Composer(style, targets: targets) { text, style, result in
            shaper.measure(text, style: style, into: &result)
        }
        self.shaper = shaper
    }

    /// Nanoseconds are enough to tell stages apart, and processor time would ask the kernel.
    private static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    mutating func run(_ messages: some Sequence<[UInt8]>) throws {
        stages = Stages()
        var measuring = 0.0
        var sheet = LayoutSheet()
        for bytes in messages {
            let start = Self.now
            let value = try JSONValue.parse(bytes)
            let parsed = Self.now
            let before = measuring
            try composer.layOut(JSONReader(value), into: &sheet) { text, style, result in
                let begin = Self.now
                shaper.measure(text, style: style, into: &result)
                measuring += Self.now - begin
            }
            let composed = Self.now
            stages.parse += parsed - start
            stages.measure += measuring - before
            stages.compose += composed - parsed - (measuring - before)
            stages.messages += 1
            stages.slices += sheet.slices.count
        }
    }
}
