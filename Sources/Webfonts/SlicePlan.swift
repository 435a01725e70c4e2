/// The division of a face into slices. A small face is not cut; in a large one, characters that affect each other as
/// neighbours are in one slice.
///
/// A cluster of a text is drawn by the first slice that has all of its characters. There always is one, and it draws
/// the cluster as the whole face does: the plan is closed under the rules of the face.
package struct SlicePlan: Equatable, Sendable {
    package let slices: [FontSlice]

    /// A face with fewer bytes than this is one slice.
    package static let smallFace = 1 << 20
    /// A number that changes whenever the same face would be cut otherwise, so that its slices are made anew.
    package static let version = 1

    package init(of face: FaceSource) {
        let all = face.characters
        let whole = [FontSlice(characters: all, isWhole: true)]
        guard face.byteCount >= Self.smallFace else {
            slices = whole
            return
        }
        let cut = face.hasBitmaps ? EmojiSlices(of: face, all).slices : InertSlices(of: face, all).slices
        slices = cut.count > 1 ? cut : whole
    }
}
