// What the generated reporter uses of UIKit, and of the parts of Foundation that only Apple's systems have, with the
// signatures of the SDK of iOS 17.2. A test puts the app into the background by `applicationState`.

public import Foundation
public import FoundationNetworking

@MainActor open class UIApplication: NSObject {
    public struct LaunchOptionsKey: Hashable, Sendable {}

    public enum State: Int, Sendable {
        case active, inactive, background
    }

    public struct OpenExternalURLOptionsKey: Hashable, Sendable {}

    public static let shared = UIApplication()
    @discardableResult
    open func open(_ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:]) async -> Bool {
        opened.append(url.absoluteString)
        willOpen()
        return canOpen
    }
    open var applicationState = State.active
    open func beginBackgroundTask(
        withName taskName: String?,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        guard grantsTime else { return .invalid }
        count += 1
        grants[count] = taskName ?? ""
        handlers[count] = handler
        return UIBackgroundTaskIdentifier(rawValue: count)
    }
    open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
        grants[identifier.rawValue] = nil
        handlers[identifier.rawValue] = nil
    }

    /// What tests see and decide: the names of the tasks that have time in the background, by their numbers.
    public private(set) var grants: [Int: String] = [:]
    public var grantsTime = true
    /// The links that were opened, and whether there is an app for them.
    public private(set) var opened: [String] = []
    public var canOpen = true
    public var willOpen: () -> Void = {}
    private var handlers: [Int: @MainActor @Sendable () -> Void] = [:]
    private var count = 0

    /// The number of times at which the app asked for the token for notifications.
    public private(set) var registrations = 0
    open func registerForRemoteNotifications() { registrations += 1 }

    /// The time in the background is over.
    public func expire() { for handler in handlers.values { handler() } }

    public class var openSettingsURLString: String { "app-settings:" }
    public nonisolated static let willEnterForegroundNotification = Notification.Name("foreground")
}

public struct UIBackgroundTaskIdentifier: Hashable, RawRepresentable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    func application(
        _ application: UIApplication,
        handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    )
    func application(
        _ application: UIApplication,
        didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
    )
}

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { UIDevice() }
    open var systemVersion: String { "17.2" }
    open var name: String { "iPhone" }
}

open class UIImage: NSObject, @unchecked Sendable {
    public init?(named name: String) {}
}

@MainActor open class UIViewController: NSObject {}

public struct UITextContentType: Hashable, Sendable {
    public static let URL = UITextContentType()
}

public enum UIKeyboardType: Int, Sendable {
    case `default`, URL
}

// MARK: - Foundation

extension URLSessionConfiguration {
    public class func background(withIdentifier identifier: String) -> URLSessionConfiguration { .default }
    public var sessionSendsLaunchEvents: Bool {
        get { false }
        set {}
    }
}

extension URLSession {
    public var allTasks: [URLSessionTask] {
        get async { await withCheckedContinuation { done in getAllTasks { done.resume(returning: $0) } } }
    }
}

extension URLSession {
    public struct AsyncBytes: AsyncSequence, Sendable {
        public typealias Element = UInt8
        fileprivate let stream: AsyncThrowingStream<UInt8, any Error>
        public func makeAsyncIterator() -> AsyncThrowingStream<UInt8, any Error>.Iterator {
            stream.makeAsyncIterator()
        }
    }

    /// A reader that is cancelled leaves the connection open: Foundation of Linux may end the process when a task is cancelled.
    public func bytes(
        for request: URLRequest,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (AsyncBytes, URLResponse) {
        let reader = ByteReader()
        let session = URLSession(configuration: .ephemeral, delegate: reader, delegateQueue: nil)
        return (AsyncBytes(stream: reader.stream), try await reader.response(in: session, to: request))
    }
}

/// Hands the bytes of an answer on as they come. The delegate queue calls one method at a time.
private final class ByteReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    let stream: AsyncThrowingStream<UInt8, any Error>
    private let bytes: AsyncThrowingStream<UInt8, any Error>.Continuation
    private var waiting: CheckedContinuation<URLResponse, any Error>?

    override init() { (stream, bytes) = AsyncThrowingStream.makeStream() }

    func response(in session: URLSession, to request: URLRequest) async throws -> URLResponse {
        try await withCheckedThrowingContinuation {
            waiting = $0
            session.dataTask(with: request).resume()
        }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        waiting?.resume(returning: response)
        waiting = nil
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        for byte in data { bytes.yield(byte) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        // An answer without a body is told by its end alone.
        waiting?.resume(with: task.response.map { .success($0) } ?? .failure(error ?? URLError(.unknown)))
        waiting = nil
        bytes.finish(throwing: error)
        session.finishTasksAndInvalidate()
    }
}
