import Testing
import Typography
@testable import MessageLayout
