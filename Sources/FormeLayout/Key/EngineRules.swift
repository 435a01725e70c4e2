import Foundation
import MessageLayout

/// The number of the rules by which this release lays out (`LayoutEnvironment.rules`).
///
/// If the environment has `FORME_TEST_RULES`, that is added to it: tests of an upgrade thus have two releases of one
/// build.
package enum EngineRules {
    package static let current =
        LayoutEnvironment.rules + (ProcessInfo.processInfo.environment["FORME_TEST_RULES"].flatMap { Int($0) } ?? 0)
}
