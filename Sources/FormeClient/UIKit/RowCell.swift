#if canImport(UIKit)
    public import UIKit

    /// Draws frames for `RowCell`: an application's painter knows texts, pictures and colours, and the cell knows
    /// places.
    @MainActor public protocol FramePainter: AnyObject {
        /// A view for frames of this role. It is used again for others of the same role.
        func view(for role: Frame.Role) -> UIView
        /// Fills a view that stands where it belongs. Lines of texts are in `frame.lines`, from the top left of the
        /// row.
        func paint(_ frame: Frame, of row: Row, in view: UIView)
    }

    /// A cell that shows a row by setting frames, and does nothing else.
    open class RowCell: UICollectionViewCell {
        private var views: [(role: Frame.Role, view: UIView)] = []

        /// - Parameter scale: the device pixels to a point.
        public func apply(_ row: Row, _ frames: [Frame], scale: CGFloat, painter: any FramePainter) {
            for (place, frame) in frames.enumerated() {
                let view = view(at: place, for: frame.role, painter)
                view.isHidden = false
                view.frame = frame.rect.points(scale)
                painter.paint(frame, of: row, in: view)
            }
            for unused in views.dropFirst(frames.count) { unused.view.isHidden = true }
        }

        /// The view at a place: the one that was there, if it is of the same role.
        private func view(at place: Int, for role: Frame.Role, _ painter: any FramePainter) -> UIView {
            if place < views.count, views[place].role == role { return views[place].view }
            let view = painter.view(for: role)
            if place < views.count {
                views[place].view.removeFromSuperview()
                views[place] = (role, view)
            } else {
                views.append((role, view))
            }
            contentView.insertSubview(view, at: place)
            return view
        }
    }

    extension Rect {
        public func points(_ scale: CGFloat) -> CGRect {
            CGRect(
                x: CGFloat(left) / scale, y: CGFloat(top) / scale, width: CGFloat(width) / scale,
                height: CGFloat(height) / scale)
        }
    }
#endif
