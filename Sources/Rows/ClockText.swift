import MessageLayout

/// The form in which a group of locales writes the time of day.
package struct ClockFormat: Hashable, Sendable {
    package var hours: Hours
    /// Whether 9 is written 09.
    package var padsHours: Bool
    package var separator: String
    /// The digit zero of the script; the others follow it.
    package var zero: UInt16

    package enum Hours: Hashable, Sendable {
        case twentyFour
        /// The words stand behind the time, or before it, and contain the space that parts them from it.
        case twelve(beforeNoon: String, afterNoon: String, isLeading: Bool)
    }

    package init(hours: Hours, padsHours: Bool, separator: String = ":", zero: UInt16 = 0x30) {
        self.hours = hours
        self.padsHours = padsHours
        self.separator = separator
        self.zero = zero
    }

    package static let hours24 = ClockFormat(hours: .twentyFour, padsHours: true)
    /// Hours of two digits, as rows keep room for the widest time: a shorter one would leave a hole beside it.
    package static let hours12 = ClockFormat(
        hours: .twelve(beforeNoon: " AM", afterNoon: " PM", isLeading: false), padsHours: true)
}

/// The time of a message as its viewer reads it, in UTF-16 units: `09:41`, `09:41 AM`.
package struct ClockText: Hashable, Sendable {
    package let units: [UInt16]

    /// Takes milliseconds since 1970 in universal time.
    package init(milliseconds: Int64, for viewer: Viewer) {
        self.init(LocalTime(milliseconds: milliseconds, in: viewer.zone), format: viewer.clock)
    }

    package init(_ time: LocalTime, format: ClockFormat) {
        let minutes = [time.minute / 10, time.minute % 10]
        switch format.hours {
        case .twentyFour:
            self.init(hours: format.digits(ofHour: time.hour), minutes: minutes, format: format)
        case .twelve(let beforeNoon, let afterNoon, let isLeading):
            let hour = time.hour % 12 == 0 ? 12 : time.hour % 12
            let word = time.hour < 12 ? beforeNoon : afterNoon
            self.init(
                hours: format.digits(ofHour: hour), minutes: minutes, format: format,
                leading: isLeading ? word : "", trailing: isLeading ? "" : word)
        }
    }

    private init(
        hours: [Int32], minutes: [Int32], format: ClockFormat, leading: String = "", trailing: String = ""
    ) {
        let hours = hours.map { format.zero &+ UInt16($0) }
        let minutes = minutes.map { format.zero &+ UInt16($0) }
        units = leading.utf16 + hours + format.separator.utf16 + minutes + trailing.utf16
    }
}

extension ClockFormat {
    fileprivate func digits(ofHour hour: Int32) -> [Int32] {
        hour < 10 && !padsHours ? [hour] : [hour / 10, hour % 10]
    }
}
