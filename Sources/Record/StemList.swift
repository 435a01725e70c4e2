/// The stems, in hexadecimal.
enum StemList {
    static let all: [Stem] = [
        Stem(
            """
            31050701050f0307790901000e0f0f010211b9030102020003140411320f04010518220a02072882040a0703000006060000\
            0700000800000000061cd00f9e0327370cbe1589030cc1149c0344b817b8030a100c09030f0f14d00f8008cc010ce8078005
            """,
            places: """
                2300000000111f0c07070c0c07151f2007030c10070e1f2005030c10050e1f0c05070c0c1d15070c0c0707070c0c1d071d21\
                0d1d550d1d580d01212c0d271d5512070c0c0719070c0c1d1905202012410520204c4103000000001f000023005238140a1f\
                0703033b10030e23003e38140a230065001a061f08041f001e23003e56140a21008902004510
                """,
            faces: [
                Face(size: 832, pitch: 18, ascent: 896, isPoints: true),
                Face(size: 1024, pitch: 22, ascent: 1099, isPoints: true),
                Face(size: 1024, pitch: 22, ascent: 1106, isPoints: true),
                Face(size: 1088, pitch: 23, ascent: 1156, isPoints: true),
                Face(size: 704, pitch: 14, ascent: 733, isPoints: true),
            ]
        ),
        Stem(
            """
            4509087f050f1b077909030100020f0211bb03010702020003140408020605112101010724800407081133050f0802040802\
            0a05112101030724800407040006060006060000080000080000000000061cd00f9e0327370cbe1589030cc1149c0344b817\
            b8030a100c09030f0f14d00f8008cc010ce8078005
            """,
            places: """
                03000000001f000001711c001c0d009d010001008d010820019b012700270d00d801000100c2010b2c0195012500250f004f\
                00030047041001aa012a002a0d00ec01000100d4010c3003390e000e01008d01002007000018000100c201002c0300470010\
                05000040000100d40100300700000010070000000007000000120700001812050000402f01008d0158201f00180100c20179\
                2c0300472c101d0040
                """,
            faces: [
                Face(size: 960, pitch: 20, ascent: 1013, isPoints: true),
                Face(size: 768, pitch: 16, ascent: 815, isPoints: true),
                Face(size: 960, pitch: 22, ascent: 1083, isPoints: true),
                Face(size: 960, pitch: 22, ascent: 1056, isPoints: true),
                Face(size: 1024, pitch: 23, ascent: 1120, isPoints: true),
                Face(size: 832, pitch: 18, ascent: 896, isPoints: true),
            ]
        ),
    ]
}
