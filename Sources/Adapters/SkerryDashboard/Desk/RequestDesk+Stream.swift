import SkerryActivity
import SkerryGateway

extension RequestDesk {
    /// `GET /v1/stream`: everything that happens, as it happens.
    func openStream(_ request: Request) throws(Problem) -> Reply {
        let caller = caller(request)
        var wish = StreamWish()
        if let name = request.parameter("device") {
            let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2 else {
                throw .wrongBody("unknown-value", "device is written as kind/name")
            }
            wish.watched = DeviceKey(kind: parts[0], name: parts[1])
        }
        switch caller {
        case .guest(let device, let inviter):
            // The explanation of a device says more than a guest should know.
            guard wish.watched == nil else { throw .unauthorized("a guest sees no explanations") }
            wish.only = device
            // The link is for the run that is shown now.
            wish.run = log.activity(kind: device.kind, device: device.name)?.id
            wish.account = inviter
        case .phone, .browser, .admin, .local, .stranger:
            _ = try viewer(request)
            wish.account = caller.account
        }
        if request.method == "HEAD" { return .response(Response(headers: Self.streamHeaders)) }
        // A browser sends the field by itself; a page that begins again has the id in its address.
        let last = request.headers["Last-Event-ID"] ?? request.parameter("last")
        wish.last = last.flatMap { StreamPosition($0) }
        wish.takesGzip = request.takesGzip
        wish.address = request.sender.address
        wish.isLocal = IPAddress.isLoopback(request.sender.address)
        return .stream(wish)
    }

    /// The head of a stream, which asks proxies to pass each event on at once.
    static var streamHeaders: HeaderFields {
        [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no",
            "Vary": "Accept-Encoding",
        ]
    }
}
