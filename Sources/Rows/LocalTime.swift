import MessageLayout

/// The day and the time that calendar and clock show somewhere at a moment.
package struct LocalTime: Hashable, Sendable {
    package var day: LocalDay
    package var secondOfDay: Int32

    package init(day: LocalDay, secondOfDay: Int32) {
        self.day = day
        self.secondOfDay = secondOfDay
    }

    /// Takes milliseconds since 1970 in universal time.
    package init(milliseconds: Int64, in zone: TimeZoneRule) {
        let seconds = milliseconds.dividedDownward(by: 1000).quotient
        let local = (seconds + Int64(zone.offset(at: seconds))).dividedDownward(by: 86_400)
        self.init(day: LocalDay(number: local.quotient), secondOfDay: Int32(local.remainder))
    }

    package var hour: Int32 { secondOfDay / 3600 }
    package var minute: Int32 { secondOfDay / 60 % 60 }
}

/// A day of the calendar, counted from 1 January 1970.
package struct LocalDay: Hashable, Comparable, Sendable {
    package var number: Int64
    package init(number: Int64) { self.number = number }

    package static func < (a: LocalDay, b: LocalDay) -> Bool { a.number < b.number }

    /// 1 is Monday, 7 is Sunday.
    package var weekday: Int32 { Int32((number + 3).dividedDownward(by: 7).remainder) + 1 }

    /// Its date in the Gregorian calendar, also before that was introduced.
    package var date: CivilDate {
        // Years are counted from 1 March, so that a leap day is the last of its year, in eras of 400 years, which all
        // are 146,097 days long. Five months from March on have 153 days, and so have the next five.
        let (era, dayOfEra) = (number + 719_468).dividedDownward(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return CivilDate(
            year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: Int32(month),
            day: Int32(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
    }
}

package struct CivilDate: Hashable, Sendable {
    package var year: Int64
    /// 1 is January.
    package var month: Int32
    package var day: Int32

    package init(year: Int64, month: Int32, day: Int32) {
        self.year = year
        self.month = month
        self.day = day
    }
}

extension Int64 {
    /// Quotient, and a remainder that is never negative: the second before 1970 is the last one of its day.
    fileprivate func dividedDownward(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
