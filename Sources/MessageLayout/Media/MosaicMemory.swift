/// Albums that were made last, one for each frame. A message asks for the same one for each of its readers, and again
/// when its bubble is placed.
struct MosaicMemory {
    private var known: [(frame: Mosaic.Frame, pictures: [PixelSize], mosaic: Mosaic)] = []

    /// The most frames: as many as there may be screens.
    private static let most = 64

    mutating func mosaic(of pictures: [PixelSize], in frame: Mosaic.Frame) -> Mosaic {
        let place = known.firstIndex { $0.frame == frame }
        if let place, known[place].pictures == pictures { return known[place].mosaic }
        let mosaic = Mosaic(of: pictures, in: frame)
        if let place {
            (known[place].pictures, known[place].mosaic) = (pictures, mosaic)
        } else {
            if known.count == Self.most { known.removeAll(keepingCapacity: true) }
            known.append((frame, pictures, mosaic))
        }
        return mosaic
    }
}
