import Foundation
import YarrowClient

/// A user of the stack that `make run` starts, which gives a token to whoever asks: only for builds under development.
public actor LocalUser {
    private let url: URL
    private let name: String
    private var token: String?

    public init(_ api: URL, name: String) {
        (url, self.name) = (api.appendingPathComponent("local/token"), name)
    }

    public func token(_ refused: String?) async throws -> String {
        struct Issued: Decodable { let token: String }
        if let token, token != refused { return token }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try JSONEncoder().encode(["sub": name])
        do {
            let (data, _) = try await URLSession.shared.data(for: request)
            let issued = try JSONDecoder().decode(Issued.self, from: data).token
            token = issued
            return issued
        } catch let error as URLError {
            throw Dropped(reason: error.localizedDescription)
        }
    }
}
