import CryptoKit
import Foundation
import YarrowClient

/// Nobody is signed in, or not any more.
public struct SignedOut: Error {}

/// Somebody else's redirect, or one that the issuer did not mean for this sign-in.
public struct NotOurs: Error {
    public let reason: String
}

/// The issuer, and this app as it is registered there: a native client, without a secret.
public struct Registration: Sendable {
    let issuer, clientId, redirect, scope, bearer: String

    /// `bearer` is the token whose audience is the deployment's `OidcAudience`: with many issuers this is `access_token`.
    public init(
        issuer: String, clientId: String, redirect: String, scope: String = "openid profile offline_access",
        bearer: String = "id_token"
    ) {
        (self.issuer, self.clientId, self.redirect) = (issuer, clientId, redirect)
        (self.scope, self.bearer) = (scope, bearer)
    }
}

/// Keeps the refresh token: on Apple's systems in the Keychain.
public protocol Vault: Sendable {
    func read() -> String?
    func write(_ token: String?)
}

/// Signs a user in with the authorization code and PKCE, in the system's browser, and renews the token.
public actor SignIn {
    private struct Attempt { let verifier, state, nonce: String }

    private struct Configuration: Decodable {
        let issuer: String
        let authorization_endpoint, token_endpoint: URL
    }

    private let app: Registration
    private let vault: Vault
    private var attempt: Attempt?
    private var token: String?
    private var renewal: Task<String, Error>?
    private var found: Configuration?

    public init(_ app: Registration, vault: Vault) {
        (self.app, self.vault) = (app, vault)
    }

    public nonisolated var isSignedIn: Bool { vault.read() != nil }

    /// The address to open in `ASWebAuthenticationSession`, never in a web view.
    public func begin() async throws -> URL {
        let begun = Attempt(verifier: Self.secret(), state: Self.secret(), nonce: Self.secret())
        attempt = begun
        let parameters = [
            "response_type": "code", "client_id": app.clientId, "redirect_uri": app.redirect, "scope": app.scope,
            "state": begun.state, "nonce": begun.nonce,
            "code_challenge": Self.challenge(begun.verifier), "code_challenge_method": "S256",
        ]
        return Self.with(parameters, try await configuration().authorization_endpoint)
    }

    /// Takes the address that the browser came back with, such as `com.example.chat:/signed-in?code=…&state=…`.
    public func finish(_ redirected: URL) async throws {
        let items = URLComponents(url: redirected, resolvingAgainstBaseURL: false)?.queryItems ?? []
        let value = { (name: String) in items.first { $0.name == name }?.value }
        guard let begun = attempt, value("state") == begun.state else { throw NotOurs(reason: "no sign-in with this state") }
        attempt = nil
        if let error = value("error") { throw NotOurs(reason: "the issuer answered \(error)") }
        guard let code = value("code") else { throw NotOurs(reason: "the issuer gave no code") }
        let granted = try await exchange([
            "grant_type": "authorization_code", "code": code, "redirect_uri": app.redirect, "code_verifier": begun.verifier,
        ])
        guard Self.nonce(granted["id_token"] ?? "") == begun.nonce else { throw NotOurs(reason: "a token of another sign-in") }
        try keep(granted)
    }

    /// The token for `Yarrow`: the present one, or a new one for the one that was refused.
    public func token(_ refused: String?) async throws -> String {
        if let token, token != refused { return token }
        // One at a time: an issuer takes the second use of a refresh token for theft.
        if let renewal { return try await renewal.value }
        let renewal = Task { try await renew() }
        self.renewal = renewal
        defer { self.renewal = nil }
        return try await renewal.value
    }

    /// Forgets the user; remove the device first, as long as its token is valid.
    public func signOut() {
        token = nil
        vault.write(nil)
    }

    private func renew() async throws -> String {
        guard let refresh = vault.read() else { throw SignedOut() }
        return try keep(try await exchange(["grant_type": "refresh_token", "refresh_token": refresh]))
    }

    @discardableResult
    private func keep(_ granted: [String: String]) throws -> String {
        guard let bearer = granted[app.bearer] else { throw SignedOut() }
        if let refresh = granted["refresh_token"] { vault.write(refresh) }
        token = bearer
        return bearer
    }

    private func exchange(_ form: [String: String]) async throws -> [String: String] {
        struct Granted: Decodable { let id_token, access_token, refresh_token: String? }
        var request = URLRequest(url: try await configuration().token_endpoint)
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let body = Self.with(form.merging(["client_id": app.clientId]) { $1 }, URL(string: "https://app.invalid/")!)
        request.httpBody = Data((URLComponents(url: body, resolvingAgainstBaseURL: false)?.percentEncodedQuery ?? "").utf8)
        let (data, status) = try await Self.answer(to: request)
        // The refresh token was used, revoked or has expired: only its user can give another one.
        if 400..<500 ~= status {
            signOut()
            throw SignedOut()
        }
        guard status == 200, let granted = try? JSONDecoder().decode(Granted.self, from: data) else {
            throw Dropped(reason: "the issuer answered \(status)")
        }
        let tokens = ["id_token": granted.id_token, "access_token": granted.access_token, "refresh_token": granted.refresh_token]
        return tokens.compactMapValues { $0 }
    }

    private func configuration() async throws -> Configuration {
        if let found { return found }
        let base = app.issuer.hasSuffix("/") ? String(app.issuer.dropLast()) : app.issuer
        guard let url = URL(string: "\(base)/.well-known/openid-configuration") else { throw NotOurs(reason: "no issuer") }
        let (data, _) = try await Self.answer(to: URLRequest(url: url))
        guard let answered = try? JSONDecoder().decode(Configuration.self, from: data), answered.issuer == app.issuer else {
            throw Dropped(reason: "\(url) does not describe \(app.issuer)")
        }
        found = answered
        return answered
    }

    /// A broken connection is `Dropped`, as it is for the client, which then tries again.
    private static func answer(to request: URLRequest) async throws -> (Data, Int) {
        do {
            let (data, response) = try await URLSession.shared.data(for: request)
            return (data, (response as? HTTPURLResponse)?.statusCode ?? 0)
        } catch let error as URLError {
            throw Dropped(reason: error.localizedDescription)
        }
    }

    private static func with(_ parameters: [String: String], _ url: URL) -> URL {
        var parts = URLComponents(url: url, resolvingAgainstBaseURL: false)!
        parts.queryItems = (parts.queryItems ?? []) + parameters.map { URLQueryItem(name: $0.key, value: $0.value) }
        // A plus sign is left as it is, and read as a space.
        parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        return parts.url!
    }

    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return base64(Data((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }))
    }

    static func challenge(_ verifier: String) -> String { base64(Data(SHA256.hash(data: Data(verifier.utf8)))) }

    private static func base64(_ bytes: Data) -> String {
        bytes.base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .trimmingCharacters(in: ["="])
    }

    /// Of a token that came from the issuer itself, over TLS: OpenID Connect needs no check of its signature then.
    private static func nonce(_ token: String) -> String? {
        struct Claims: Decodable { let nonce: String? }
        let parts = token.split(separator: ".")
        guard parts.count == 3 else { return nil }
        var text = parts[1].replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        text += String(repeating: "=", count: (4 - text.count % 4) % 4)
        return Data(base64Encoded: text).flatMap { try? JSONDecoder().decode(Claims.self, from: $0) }?.nonce
    }
}
