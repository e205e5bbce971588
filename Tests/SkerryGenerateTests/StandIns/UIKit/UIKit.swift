// What the generated reporter uses of UIKit, and of the parts of Foundation that only Apple's systems have, with the
// signatures of the SDK of iOS 17.2. Nothing here does anything.

public import Foundation
public import FoundationNetworking

@MainActor open class UIApplication: NSObject {
    public struct LaunchOptionsKey: Hashable, Sendable {}

    public nonisolated static let willEnterForegroundNotification = Notification.Name("foreground")
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
}

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { UIDevice() }
    open var systemVersion: String { "17.2" }
    open var name: String { "iPhone" }
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
