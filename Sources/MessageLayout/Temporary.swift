struct MediaClamp {
    var largest: PixelSize; var smallest: PixelSize
    func slot(for p: PixelSize) -> (slot: PixelSize, fill: PixelSize) { (largest, largest) }
}
extension PixelSize { func covering(_ s: PixelSize) -> PixelSize { s } }
struct Mosaic {
    var cells: [PixelRect] = []; var height: Int32 = 0
    init(pictures: [PixelSize], width: Int32, mostHeight: Int32, spacing: Int32, leastCell: Int32) {}
}
