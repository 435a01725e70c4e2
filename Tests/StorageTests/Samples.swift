import MessageLayout
import Storage
import TestSupport
import Typography
import Wire

func event(_ number: Int64, body: String = "text", revision: UInt32 = 1, conversation: String = "c") throws -> Event {
    try Event(
        conversation: ConversationID(conversation), message: MessageID("m\(number)"), order: number,
        sender: SenderID("s"), time: Timestamp(milliseconds: 0), body: body, revision: revision)
}

let narrow = Target(width: .points(280), scale: Scale(thousandths: 2000))
let wide = Target(width: .points(390), scale: Scale(thousandths: 3000))

func model(_ height: Int32) -> ThinModel { ThinModel(width: 10, height: height, lines: []) }

func row(_ event: Event, height: Int32 = 1) -> LayoutCache.Row {
    let record = ThinRecord([(target: narrow, model: model(height)), (target: wide, model: model(height * 2))])
    return LayoutCache.Row(event: event, record: record.encoded())
}
