// What the generated app uses of AVFoundation, with the signatures of the SDK of iOS 17.2. There is no camera here.

public import Foundation

public struct AVMediaType: Hashable, Sendable {
    public static let video = AVMediaType()
}

open class AVCaptureDevice: NSObject {
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool { false }
}
