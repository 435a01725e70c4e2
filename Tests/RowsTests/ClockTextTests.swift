import MessageLayout
import Rows
import Testing

private func text(_ hour: Int32, _ minute: Int32, _ format: ClockFormat) -> String {
    let time = LocalTime(day: LocalDay(number: 0), secondOfDay: hour * 3600 + minute * 60 + 59)
    return String(decoding: ClockText(time, format: format).units, as: UTF16.self)
}

@Test(
    arguments: [
        (0, 0, "00:00", "12:00 AM"), (9, 41, "09:41", "09:41 AM"), (12, 5, "12:05", "12:05 PM"),
        (13, 0, "13:00", "01:00 PM"), (23, 59, "23:59", "11:59 PM"),
    ] as [(Int32, Int32, String, String)])
func `a time is written as its reader's clock shows it`(hour: Int32, minute: Int32, long: String, short: String) {
    #expect(text(hour, minute, .hours24) == long)
    #expect(text(hour, minute, .hours12) == short)
}

@Test func `locales differ in separator, digits and words`() {
    #expect(text(9, 41, ClockFormat(hours: .twentyFour, padsHours: false, separator: ".")) == "9.41")
    #expect(text(9, 41, ClockFormat(hours: .twentyFour, padsHours: true, zero: 0x660)) == "٠٩:٤١")
    let korean = ClockFormat(
        hours: .twelve(beforeNoon: "오전 ", afterNoon: "오후 ", isLeading: true), padsHours: false)
    #expect(text(21, 41, korean) == "오후 9:41")
}

@Test func `a message is stamped with the time at its viewer's place`() {
    let viewer = Viewer(zone: TimeZoneRule(initialOffset: 19_800), clock: .hours12)
    let stamp = ClockText(milliseconds: 1_774_692_061_000, for: viewer)
    #expect(String(decoding: stamp.units, as: UTF16.self) == "03:31 PM")
}

@Test(
    arguments: [
        (0, 1970, 1, 1, 4), (-1, 1969, 12, 31, 3), (59, 1970, 3, 1, 7), (11_016, 2000, 2, 29, 2),
        (11_017, 2000, 3, 1, 3), (20_540, 2026, 3, 28, 6), (-719_528, 0, 1, 1, 6), (47_540, 2100, 2, 28, 7),
        (47_541, 2100, 3, 1, 1),
    ] as [(Int64, Int64, Int32, Int32, Int32)])
func `a day has its date and weekday`(number: Int64, year: Int64, month: Int32, day: Int32, weekday: Int32) {
    #expect(LocalDay(number: number).date == CivilDate(year: year, month: month, day: day))
    #expect(LocalDay(number: number).weekday == weekday)
}

@Test(
    arguments: [
        (0, 0, 0, 0), (-1, 0, -1, 86_399), (86_399_999, 0, 0, 86_399), (86_400_000, 0, 1, 0), (0, -1, -1, 86_399),
        (82_800_000, 3600, 1, 0),
    ] as [(Int64, Int32, Int64, Int32)])
func `a day begins at midnight of its place`(milliseconds: Int64, offset: Int32, day: Int64, second: Int32) {
    let time = LocalTime(milliseconds: milliseconds, in: TimeZoneRule(initialOffset: offset))
    #expect(time == LocalTime(day: LocalDay(number: day), secondOfDay: second))
}

@Test func `an offset holds from its transition on, in whatever order they were given`() {
    let zone = TimeZoneRule(
        initialOffset: 1,
        transitions: [.init(fromSeconds: 20, offsetSeconds: 3), .init(fromSeconds: 10, offsetSeconds: 2)])
    #expect([.min, 9, 10, 19, 20, .max].map { zone.offset(at: $0) } == [1, 1, 2, 2, 3, 3])
}
