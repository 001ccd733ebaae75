import ChatCore
import Foundation
import Security

/// Keeps the refresh token in the Keychain, of this phone alone: no backup has it.
struct KeychainVault: Vault {
    private var query: [CFString: Any] {
        [kSecClass: kSecClassGenericPassword, kSecAttrService: Deployment.scheme, kSecAttrAccount: "refresh-token"]
    }

    func read() -> String? {
        var found: CFTypeRef?
        let status = SecItemCopyMatching(query.merging([kSecReturnData: true]) { $1 } as CFDictionary, &found)
        return status == errSecSuccess ? (found as? Data).map { String(decoding: $0, as: UTF8.self) } : nil
    }

    func write(_ token: String?) {
        SecItemDelete(query as CFDictionary)
        guard let token else { return }
        let added: [CFString: Any] = [
            kSecValueData: Data(token.utf8), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        SecItemAdd(query.merging(added) { $1 } as CFDictionary, nil)
    }
}
