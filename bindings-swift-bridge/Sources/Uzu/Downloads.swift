/// The phases of a download; `locked`: another process is downloading the model.
public enum DownloadPhase: Sendable, Hashable {
    case notDownloaded
    case downloading
    case paused
    case downloaded
    case locked
    case error(message: String)
}

/// Where the download of a model stands.
public struct DownloadState: Sendable, Hashable {
    public let totalBytes: Int64
    public let downloadedBytes: Int64
    public let phase: DownloadPhase
    private let part: Double

    /// From 0 to 1.
    public func progress() -> Double { part }

    public func isInProgress() -> Bool { phase == .downloading }

    public func canPause() -> Bool { isInProgress() }

    public func canDelete() -> Bool { phase != .notDownloaded }
}

extension DownloadState: Decodable {
    private enum CodingKeys: String, CodingKey {
        case phase, progress, message
        case bytesTotal = "bytes_total"
        case bytesDownloaded = "bytes_downloaded"
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        totalBytes = try fields.decode(Int64.self, forKey: .bytesTotal)
        downloadedBytes = try fields.decode(Int64.self, forKey: .bytesDownloaded)
        part = try fields.decode(Double.self, forKey: .progress)
        let name = try fields.decode(String.self, forKey: .phase)
        phase =
            switch name {
            case "not_downloaded": .notDownloaded
            case "downloading": .downloading
            case "paused": .paused
            case "downloaded": .downloaded
            case "locked": .locked
            case "error": .error(message: try fields.decodeIfPresent(String.self, forKey: .message) ?? "")
            default: throw UzuError.internal(message: "The engine says \(name), which is no phase of a download")
            }
    }
}

/// How far a download is.
public struct DownloaderStreamUpdate: Sendable, Hashable {
    public let bytesTotal: Int64
    public let bytesDownloaded: Int64
    let part: Double

    /// From 0 to 1.
    public func progress() -> Double { part }
}
