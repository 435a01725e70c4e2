import MessageLayout
import Testing
import Typography
