// swift-tools-version: 5.9
// What needs no SwiftUI. `project.yml` describes the app around it.
import PackageDescription

let package = Package(
    name: "ChatCore",
    platforms: [.iOS("16.4"), .macOS("13.3")],
    products: [.library(name: "ChatCore", targets: ["ChatCore"])],
    dependencies: [.package(path: "../../clients/swift")],
    targets: [.target(name: "ChatCore", dependencies: [.product(name: "YarrowClient", package: "swift")])]
)
