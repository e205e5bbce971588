import SkerryGateway

/// A reader of the stream, which holds a position and the rest of one piece, however slow it is.
final class StreamReader {
    let wish: StreamWish
    /// The rights of the reader.
    var viewer = Viewer.unrestricted
    /// The position up to which it has everything; nil while it waits for a snapshot.
    var position: UInt64?
    /// The snapshot that comes next.
    var snapshot: [UInt8]?
    /// True if a sign of life is due.
    var owesHeartbeat = false
    /// The number of the explanation that it has.
    var explanation = 0
    /// True if nothing follows.
    var isOver = false
    /// True while there is nothing for it.
    private(set) var isWaiting = false

    private let streams: EventStreams
    private let onStep: (Step) -> Void
    private var piece: [UInt8]
    private var offset = 0

    /// A step of a reader, which its connection follows.
    enum Step {
        /// It has taken bytes.
        case took
        /// There is nothing for it: ``fill(_:)`` is not called until it goes on.
        case waits
        /// There is something for it again.
        case goesOn
    }

    init(_ wish: StreamWish, of streams: EventStreams, onStep: @escaping (Step) -> Void) {
        self.wish = wish
        self.streams = streams
        self.onStep = onStep
        piece =
            wish.takesGzip
            ? Gzip.head + Gzip.piece(StreamText.beginning) : StreamText.beginning
    }

    /// Writes what comes next into a buffer; the reader waits if there is nothing.
    ///
    /// - Returns: the number of bytes, or -1 at the end of the stream.
    func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        var count = 0
        while count < buffer.count {
            if offset == piece.count {
                guard let next = streams.next(for: self) else { break }
                piece = next
                offset = 0
            }
            let size = min(piece.count - offset, buffer.count - count)
            piece.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + size]))
            }
            offset += size
            count += size
        }
        if count > 0 {
            onStep(.took)
        } else if isOver {
            return -1
        } else {
            isWaiting = true
            onStep(.waits)
        }
        return count
    }

    /// Has the reader go on, if it waits.
    func wake() {
        guard isWaiting else { return }
        isWaiting = false
        onStep(.goesOn)
    }

    /// Begins with a snapshot again, because it may see something else.
    func begin(as viewer: Viewer) {
        self.viewer = viewer
        (position, snapshot, explanation) = (nil, nil, 0)
        wake()
    }

    /// Ends the stream behind what is being sent.
    func end() {
        isOver = true
        wake()
    }
}
