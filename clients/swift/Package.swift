// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "YarrowClient",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "YarrowClient", targets: ["YarrowClient"])],
    targets: [.target(name: "YarrowClient", path: ".", exclude: ["README.md", "tests"], sources: ["Yarrow.swift"])]
)
