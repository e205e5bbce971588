// What generated code uses of UserNotifications, with the signatures of the SDK of iOS 17.2. A test decides what the user
// allows, and taps on notifications.

public import Foundation

open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    private static let center = UNUserNotificationCenter()
    public class func current() -> UNUserNotificationCenter { center }
    public weak var delegate: (any UNUserNotificationCenterDelegate)?
    open func requestAuthorization(
        options: UNAuthorizationOptions = [],
        completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        asked.append(options)
        completionHandler(isAllowed, nil)
    }

    /// What tests see and decide: what the user was asked for, and the answer.
    public private(set) var asked: [UNAuthorizationOptions] = []
    public var isAllowed = true

    /// The user taps on a notification.
    public func tap(_ userInfo: [AnyHashable: Any]) {
        let content = UNNotificationContent(userInfo)
        let notification = UNNotification(request: UNNotificationRequest(content: content))
        let response = UNNotificationResponse(notification: notification)
        delegate?.userNotificationCenter(self, didReceive: response, withCompletionHandler: {})
    }
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sound = UNAuthorizationOptions(rawValue: 2)
    public static let alert = UNAuthorizationOptions(rawValue: 4)
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

open class UNNotificationContent: NSObject {
    public let userInfo: [AnyHashable: Any]
    init(_ userInfo: [AnyHashable: Any]) { self.userInfo = userInfo }
}

open class UNNotificationRequest: NSObject {
    public let content: UNNotificationContent
    init(content: UNNotificationContent) { self.content = content }
}

open class UNNotification: NSObject {
    public let request: UNNotificationRequest
    init(request: UNNotificationRequest) { self.request = request }
}

open class UNNotificationResponse: NSObject {
    public let notification: UNNotification
    init(notification: UNNotification) { self.notification = notification }
}

public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    )
    func userNotificationCenter(
        _ center: UNUserNotificationCenter,
        didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    )
}
