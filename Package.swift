// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "RunWay",
  products: [
    .library(
      name: "RunWay",
      targets: ["RunWayModel", "RunWayIngest", "RunWayTracking", "RunWayLogbook", "RunWaySamples"]),
    .executable(name: "runway", targets: ["runway"]),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CGlibc"),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    .target(name: "RunWayModel"),
    .target(name: "RunWayIngest", dependencies: ["RunWayModel", "CLibXML2", "CZlib"]),
    .target(name: "RunWayTracking", dependencies: ["RunWayModel"]),
    .target(name: "RunWayLogbook", dependencies: ["RunWayModel", "CSQLite"]),
    .target(
      name: "RunWaySamples", dependencies: ["RunWayLogbook", "RunWayModel", "RunWayTracking"]),
    .executableTarget(
      name: "runway",
      dependencies: ["RunWayModel", "RunWayIngest", "RunWayTracking", "RunWayLogbook", "CGlibc"]),

    .executableTarget(
      name: "runway-fixtures", dependencies: ["RunWayModel", "RunWaySamples", "CZlib"],
      path: "Tests/FixtureGenerator"),
    .executableTarget(
      name: "pipeline-benchmark",
      dependencies: ["RunWayIngest", "RunWayModel", "RunWayTracking"],
      path: "Tests/Benchmarks/Pipeline"),

    .testTarget(
      name: "FixtureTests",
      dependencies: ["runway-fixtures", "RunWayIngest", "RunWayModel", "RunWayTracking"]),
    .testTarget(name: "RunWayModelTests", dependencies: ["RunWayModel"]),
    .testTarget(
      name: "RunWayIngestTests", dependencies: ["RunWayIngest", "RunWayModel", "CLibXML2"]),
    .testTarget(
      name: "RunWayTrackingTests", dependencies: ["RunWayTracking", "RunWayModel", "RunWaySamples"]),
    .testTarget(name: "RunWayLogbookTests", dependencies: ["RunWayLogbook", "RunWayModel"]),
    .testTarget(
      name: "RunWayTests",
      dependencies: ["RunWayModel", "RunWayIngest", "RunWayTracking", "RunWayLogbook"]),
    .testTarget(
      name: "RunWaySamplesTests", dependencies: ["RunWaySamples", "RunWayLogbook", "RunWayModel"]),
    .testTarget(
      name: "RunWayCommandTests", dependencies: ["runway", "RunWayModel"],
      exclude: ["Schemas", "Snapshots"]),
  ],
  swiftLanguageModes: [.v6]
)

// CI sets this. It is no default, for a later compiler may warn of what today's accepts.
let warningsAreErrors = Context.environment["RUNWAY_WARNINGS_AS_ERRORS"] != nil

// One loop, so that no target can be built by laxer rules than the others.
for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      .enableUpcomingFeature("InferIsolatedConformances"),
    ] + (warningsAreErrors ? [.treatAllWarnings(as: .error)] : [])
}
