// What the generated reporter uses of the keychain, with the signatures of the SDK of iOS 17.2. It has
// one item for each account, in memory, and a test locks it by `Keychain.shared`.

public import Foundation
import Synchronization

public typealias CFString = String
public typealias CFDictionary = NSDictionary
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public let kSecClass: CFString = "class"
public let kSecClassGenericPassword: CFString = "genp"
public let kSecAttrService: CFString = "svce"
public let kSecAttrAccount: CFString = "acct"
public let kSecAttrAccessible: CFString = "pdmn"
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
public let kSecValueData: CFString = "v_Data"
public let kSecReturnData: CFString = "r_Data"
public let errSecSuccess: OSStatus = 0
public let errSecItemNotFound: OSStatus = -25300

public let errSecInteractionNotAllowed: OSStatus = -25308
public let errSecDuplicateItem: OSStatus = -25299

public func SecItemCopyMatching(
    _ query: CFDictionary,
    _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
    Keychain.shared.use(query) { item in
        guard let found = item else { return errSecItemNotFound }
        result?.pointee = NSData(data: found)
        return errSecSuccess
    }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    let data = attributes[kSecValueData] as? Data
    return Keychain.shared.use(attributes) { item in
        guard item == nil else { return errSecDuplicateItem }
        item = data
        return errSecSuccess
    }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    Keychain.shared.use(query) { item in
        guard item != nil else { return errSecItemNotFound }
        item = nil
        return errSecSuccess
    }
}

/// What the keychain has.
public final class Keychain: Sendable {
    public static let shared = Keychain()
    private let state = Mutex<(items: [String: Data], isLocked: Bool)>(([:], false))

    /// Whether the phone was not unlocked yet since it was started.
    public var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    fileprivate func use(_ query: CFDictionary, _ body: (inout Data?) -> OSStatus) -> OSStatus {
        let account = query[kSecAttrAccount] as? String ?? ""
        return state.withLock { $0.isLocked ? errSecInteractionNotAllowed : body(&$0.items[account]) }
    }
}
