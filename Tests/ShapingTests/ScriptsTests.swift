import Foundation
import TestSupport
import Testing
import Typography

@testable import Shaping

/// Something that is written in each script of our day.
private let sentences: [(script: String, text: String)] = [
    ("Latin", "All human beings are born free and equal in dignity and rights."),
    ("Cyrillic", "Все люди рождаются свободными и равными в своём достоинстве и правах."),
    ("Greek", "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι."),
    ("Armenian", "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ։"),
    ("Georgian", "ყველა ადამიანი იბადება თავისუფალი და თანასწორი. ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ"),
    ("Hebrew", "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם."),
    ("Arabic", "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق."),
    ("Urdu", "تمام انسان آزاد اور حقوق و عزت کے اعتبار سے برابر پیدا ہوئے ہیں۔"),
    ("Syriac", "ܟܠ ܒܪܢܫܐ ܒܪܝܠܗ ܚܐܪܐ"),
    ("Thaana", "ހުރިހާ އިންސާނުން ވެސް އުފަންވަނީ މިނިވަންކަމުގައި"),
    ("NKo", "ߡߐ߱ ߞߏ߬ߕߐ߮ ߓߍ߯ ߝߘߊߣߍ߲߫"),
    ("Ethiopic", "የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው።"),
    ("Devanagari", "सभी मनुष्यों को गौरव और अधिकारों के विषय में जन्मजात स्वतन्त्रता प्राप्त है।"),
    ("Bengali", "সমস্ত মানুষ স্বাধীনভাবে সমান মর্যাদা এবং অধিকার নিয়ে জন্মগ্রহণ করে।"),
    ("Gurmukhi", "ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ, ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਆਜ਼ਾਦ ਹੈ।"),
    ("Gujarati", "પ્રતિષ્ઠા અને અધિકારોની દૃષ્ટિએ સર્વ માનવો જન્મથી સ્વતંત્ર અને સમાન હોય છે."),
    ("Odia", "ସମସ୍ତ ମନୁଷ୍ୟ ଜନ୍ମକାଳରୁ ସ୍ୱାଧୀନ ଏବଂ ମର୍ଯ୍ୟାଦା ଓ ଅଧିକାରରେ ସମାନ।"),
    ("Tamil", "மனிதப் பிறவியினர் சகலரும் சுதந்திரமாகவே பிறக்கின்றனர்."),
    ("Telugu", "ప్రతిపత్తిస్వత్వముల విషయమున మానవులెల్లరును జన్మతః స్వతంత్రులును సమానులును నగుదురు."),
    ("Kannada", "ಎಲ್ಲಾ ಮಾನವರೂ ಸ್ವತಂತ್ರರಾಗಿಯೇ ಜನಿಸಿದ್ದಾರೆ. ಹಾಗೂ ಘನತೆ ಮತ್ತು ಹಕ್ಕುಗಳಲ್ಲಿ ಸಮಾನರಾಗಿದ್ದಾರೆ."),
    ("Malayalam", "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചിട്ടുള്ളവരാണ്."),
    ("Sinhala", "සියලු මනුෂ්‍යයෝ නිදහස්ව උපත ලබා ඇත. ගරුත්වයෙන් හා අයිතිවාසිකම්වලින් සමාන වෙති."),
    ("Thai", "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ"),
    ("Pali", "ຎໂມ ຕສ຺ສ ຠຄວໂຕ"), ("Lao", "ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ, ສິດທິ, ເສລີພາບ ແລະ ຄວາມສະເໝີພາບເທົ່າທຽມກັນ."),
    ("Khmer", "មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។"),
    ("Burmese", "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ မွေးဖွားလာသူများ ဖြစ်သည်။"),
    ("Tibetan", "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ཆེ་མཐོངས་དང༌། ཐོབ་ཐངགི་རང་དབང་འདྲ་མཉམ་དུ་ཡོད་ལ།"),
    ("Mongolian", "ᠬᠦᠮᠦᠨ ᠪᠦᠷ ᠲᠥᠷᠥᠵᠦ ᠮᠡᠨᠳᠡᠯᠡᠬᠦ ᠡᠷᠬᠡ ᠴᠢᠯᠥᠭᠡ ᠲᠡᠢ"),
    ("Javanese", "ꦱꦧꦼꦤ꧀ꦲꦸꦮꦺꦴꦁ ꦏꦭꦲꦶꦂꦫꦏꦺ ꦏꦤ꧀ꦛꦶ ꦩꦂꦢꦶꦏ"),
    ("Balinese", "ᬲᬫᬶᬯ᭄ᬢ᭄ᬢᬾᬓ᭄ᬘ᭄ᬧ᭄ᬭᬸ"), ("Sundanese", "ᮞᮊᮥᮙ᮪ᮔ ᮏᮜ᮪ᮙ ᮌᮥᮘᮢᮌ᮪"), ("Cherokee", "ᏂᎦᏓ ᎠᏂᏴᏫ ᏂᎨᎫᏓᎸᎾ ᎠᎴ ᎤᏂᏠᏱ ᎤᎾᏕᎿ"),
    ("Inuktitut", "ᐃᓅᔪᓕᒫᑦ ᐊᓂᖅᑎᕆᔪᑦ ᐃᓅᓂᖅ ᐱᕕᒃᑕᖃᖅᖢᑎᒃ"), ("Tifinagh", "ⴰⵔ ⴷ ⵜⵜⵍⴰⵍⴰⵏ ⵎⴷⴷⵏ ⴳⴰⵏ ⵉⵍⴻⵍⵍⵉⵜⵏ"),
    ("Vai", "ꕉꕜꕮ ꔔꘋ ꖸ ꔰ ꗋꘋ ꕮꕨ ꔔꘋ ꖸ ꕎ"), ("Yi", "ꋍꂷꊿꃅꄿꐨꐥ"),
    ("Ol Chiki", "ᱥᱟᱱᱟᱢ ᱢᱟᱱᱣᱟ ᱠᱚ"), ("Meetei", "ꯃꯤꯑꯣꯏꯕ ꯈꯨꯗꯤꯡꯃꯛ ꯄꯣꯛꯄ ꯃꯇꯝꯗ"), ("Adlam", "𞤋𞤲𞥆𞤢𞤥𞤢 𞤢𞥄𞤣𞤫𞥅𞤶𞤭 𞤬𞤮𞤬"),
    ("Osage", "𐓷𐓘𐓻𐓘𐓻𐓟"),
    ("Rohingya", "𐴀𐴞𐴕𐴐𐴝𐴦𐴕"), ("Chakma", "𑄇𑄧𑄟𑄳𑄟"), ("Lepcha", "ᰕᰫ་ᰂᰧᰶ"), ("Limbu", "ᤕᤠᤵᤌᤢᤱ"), ("Cham", "ꨀꨇꩉ ꨌꩌ"),
    ("Tai Le", "ᥖᥭᥰ ᥘᥫᥴ"),
    ("New Tai Lue", "ᦟᦲᧅᦷᦎᦺᦑᦟᦹᧉ"), ("Tai Tham", "ᨣᩢᩴᨾᩮᩬᩥᨦ"), ("Tai Viet", "ꪼꪕꪒꪾ"), ("Lisu", "ꓡꓲ-ꓢꓴ ꓐꓯꓹ"), ("Miao", "𖼐𖼺𖾏"),
    ("Hmong", "𞄀𞄄𞄰𞄩"),
    ("Warang Citi", "𑢹𑣗𑣁𑣜𑣊"), ("Chinese", "人人生而自由，在尊严和权利上一律平等。人人生而自由，在尊嚴和權利上一律平等。"),
    ("Japanese", "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。"),
    ("Korean", "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다."), ("Gothic", "𐌰𐍄𐍄𐌰 𐌿𐌽𐍃𐌰𐍂 𐌸𐌿 𐌹𐌽 𐌷𐌹𐌼𐌹𐌽𐌰𐌼"),
    ("Runic", "ᛁᚲ ᚺᛚᛖᚹᚨᚷᚨᛊᛏᛁᛉ"),
    ("Egyptian", "𓇋𓏠𓈖 𓅱"), ("Cuneiform", "𒀭𒂗𒆤"), ("Tangut", "𗼇𗟲"), ("music", "𝄞 ♩ 𝅘𝅥𝅮"),
]

@Test(arguments: sentences) func `nothing is missing in what is written`(script: String, text: String) throws {
    var shaper = try PinnedFonts.shaper()
    for style in [TextStyle.regular, TextStyle(weight: 700), TextStyle(weight: 400, isMonospaced: true)] {
        let measured = shaper.measure(text, style: style)
        #expect(!measured.marks.contains { $0.contains(.missingGlyph) })
        // Nor is the text drawn as boxes of the first font.
        #expect(!measured.runs.isEmpty && measured.advances.contains { $0 > 0 })
    }
}

/// Scalars that a font may have.
private let scalars = (0x21...0x1ffff).filter { !(0xd800...0xf8ff ~= $0) }.compactMap(Swift.Unicode.Scalar.init)

@Test func `what any face of the list has is never missing`() throws {
    var shaper = try PinnedFonts.shaper()
    var all: Set<UInt32> = []
    for face in try PinnedFonts.list.get().faces { for range in face.characters() { all.formUnion(range) } }
    let scalars = all.sorted().compactMap(Swift.Unicode.Scalar.init)
    #expect(scalars.count > 78_000)
    for start in stride(from: 0, to: scalars.count, by: 500) {
        let text = scalars[start..<min(start + 500, scalars.count)].map { "\($0)\n" }.joined()
        let measured = shaper.measure(text)
        let missing = measured.marks.indices.filter { measured.marks[$0].contains(.missingGlyph) }
        #expect(missing.isEmpty, "\(missing.map { String(Array(text.utf16)[$0], radix: 16) })")
    }
}

@Test func `the list has every character of Debian's Noto packages`() throws {
    var known: Set<UInt32> = []
    for face in try PinnedFonts.list.get().faces { for range in face.characters() { known.formUnion(range) } }
    for folder in ["/usr/share/fonts/truetype/noto", "/usr/share/fonts/opentype/noto"] {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let face = try FontFace(FaceFile(weight: nil, path: "\(folder)/\(name)", index: 0))
            // Characters of private use are forms that other fonts have elsewhere.
            let missing = face.characters().joined().filter {
                !known.contains($0) && !(0xE000...0xF8FF ~= $0) && $0 < 0xF_0000
            }
            #expect(missing.isEmpty, "\(name): \(missing.map { String($0, radix: 16) })")
        }
    }
}

@Test func `fonts of rarer scripts are asked for nothing that the families before them have`() throws {
    let families = try PinnedFonts.families()
    let few = try FontList(Array(families.prefix { $0.name != "NotoSansAdlam" }))
    let all = try FontList(families)
    #expect(few.families.count == 15 && all.families.count > 140)
    for style in [TextStyle.regular, TextStyle(weight: 700), TextStyle(weight: 400, isMonospaced: true)] {
        let (old, new) = (try owners(in: few, style), try owners(in: all, style))
        for (scalar, owner) in old where owner != nil {
            #expect(owner == new[scalar] ?? nil, "U+\(String(scalar.value, radix: 16))")
        }
    }
}

/// The face that measures each scalar, by its path; nil where none has it.
private func owners(in list: FontList, _ style: TextStyle) throws -> [Swift.Unicode.Scalar: String?] {
    var shaper = try Shaper(fonts: list)
    var found: [Swift.Unicode.Scalar: String?] = [:]
    let fonts = shaper.fonts(for: style)
    for scalar in scalars { found[scalar] = fonts.characters[scalar.value].family.place.map { fonts.faces[$0].path } }
    return found
}
