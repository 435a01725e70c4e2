/// Examples of all JSON of the service. Tests hold each to its shape, and `Windows.md` has the same ones.
enum DescribedExamples {
    static let all: [String: [String]] = [
        "Word": [
            #"{"open":{"window":2,"conversation":"c2","target":{"width":390,"scale":3},"screen":2532,"around":"newest"}}"#,
            #"{"page":{"window":1,"side":"older","count":50}}"#, #"{"changes":{"window":1,"since":[1,7,0]}}"#,
            #"{"resize":{"window":1,"target":{"width":390,"scale":3},"screen":2532}}"#,
            #"{"hold":{"window":1,"anchors":[{"row":28,"edge":"top","offset":0}]}}"#, #"{"close":{"window":1}}"#,
            #"{"preview":{"window":1,"draft":{"text":"See you at nine"}}}"#,
            #"{"ranges":{"window":1,"row":77,"texts":[{"path":"text","ranges":[[0,3]],"carets":[4]}],"points":[[120,40]]}}"#,
        ],
        "ConversationList": [
            """
            {"conversations":[{"conversation":"c1","title":"Friends","picture":{"url":"https://example.org/c1.jpg"},\
            "activity":1700000000000,"last":{"message":"m7","order":7,"sender":"grace","time":1700000000000,"kind":"text",\
            "words":"See you at nine"},"read":4,"unread":3}],"next":"1700000000000.1f00ba5e.6331"}
            """
        ],
        "Cursor": ["[1,7,0]"], "Target": [#"{"width":390,"scale":3,"textScale":100,"mirrored":false}"#],
        "Anchor": [#"{"row":28,"edge":"top","offset":0}"#],
        "Events": [
            """
            {"events":[{"conversation":"c1","message":"m1","order":1,"sender":"ada","time":1700000000000,"text":"Hello"}],\
            "lane":"live"}
            """,
            #"{"conversation":"c1","message":"m1","revision":2,"body":{"kind":"text","text":"Hello, Grace"}}"#,
            #"{"conversation":"c1","message":"m1","revision":3,"deleted":true}"#,
            #"{"conversation":"c1","revision":3,"title":"Friends","picture":{"url":"https://example.org/c1.jpg"}}"#,
            #"{"conversation":"c1","read":{"reader":"ada","message":"m7"}}"#,
        ],
        "Draft": [
            #"{"text":"See you at nine"}"#,
            #"{"body":{"kind":"text","text":"See you at nine"},"sender":"ada","time":1700000000000}"#,
        ],
        "Body": [#"{"kind":"text","text":"Hello"}"#],
        "Answers": [#"{"answers":[{"answer":"accepted"},{"answer":"invalid","field":"order","reason":"missing"}]}"#],
        "Problem": [
            #"{"type":"about:blank","title":"The request cannot be read","status":400,"detail":"count: '999' is not a whole number in 1...256"}"#,
            #"{"type":"about:blank","title":"Not found","status":404,"detail":"nothing was ever posted to this conversation","because":"unknownConversation"}"#,
        ],
        "Health": [#"{"status":"degraded"}"#],
        "Row": [#"{"row":77,"message":"m77","order":77,"height":96,"lead":16,"strip":80}"#],
        "Heights": [#"{"window":1,"cursor":[1,9,0],"rank":412,"top":-200,"heights":[96,120,96]}"#],
        "Preview": [
            """
            {"window":1,"cursor":[1,7,0],"row":{"row":-1,"message":"draft","order":79,"height":96,"lead":4,"strip":80},\
            "neighbours":[]}
            """
        ],
        "RangesQuestion": [
            #"{"message":"m7","texts":[{"path":"text","ranges":[[0,3],[4,11]],"carets":[4]}]}"#,
            #"{"row":77,"mark":"00c0ffee00c0ffee","expanded":true,"points":[[120,40]]}"#,
        ],
        "Ranges": [
            """
            {"window":1,"cursor":[1,7,0],"edition":"0badcafe","row":77,"message":"m77","mark":"00c0ffee00c0ffee",\
            "texts":[{"node":3,"path":"text","length":15,"shown":15,"ranges":[{"start":0,"end":3,"frames":[[36.00,24,80.50,66]]}],\
            "carets":[{"offset":4,"downstream":{"x":131.25,"top":24,"height":66,"direction":"ltr"}}]}],\
            "hits":[{"node":3,"offset":4,"affinity":"downstream","start":4,"end":5,"inside":true}]}
            """
        ],
        "Rejected": [#"{"window":1,"because":"invalid","field":"sender","reason":"expected 'ada', who posts this"}"#],
        "Refused": [#"{"window":1,"because":"busy"}"#],
    ]
}
