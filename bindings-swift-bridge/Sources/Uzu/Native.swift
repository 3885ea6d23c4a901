import CUzu

/// A result of a function of uzu.h: a handle, a number or a text.
protocol NativeResult: Sendable {
    associatedtype Raw
    static var empty: Raw { get }
    /// Takes the value over from the library.
    init(taking raw: inout Raw)
}

extension UInt64: NativeResult {
    static var empty: UInt64 { 0 }
    init(taking raw: inout UInt64) { self = raw }
}

extension Int64: NativeResult {
    static var empty: Int64 { 0 }
    init(taking raw: inout Int64) { self = raw }
}

extension String: NativeResult {
    static var empty: uzu_string { uzu_string(data: nil, length: 0) }

    init(taking raw: inout uzu_string) {
        defer { uzu_string_free(&raw) }
        guard let data = raw.data else {
            self = ""
            return
        }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(raw.length))
        self = String(decoding: bytes, as: UTF8.self)
    }
}

/// Calls of uzu.h as Swift has them: results are returned, errors thrown. They wait, so `Workers` runs them.
enum Native {
    typealias Failure = UnsafeMutablePointer<uzu_string>
    typealias Text = UnsafePointer<CChar>
    typealias Out<R: NativeResult> = UnsafeMutablePointer<R.Raw>

    static func run(_ function: (UInt64, Failure?) -> Int32, _ handle: UInt64) throws {
        try checked { function(handle, $0) }
    }

    static func run(_ function: (UInt64, Text?, Int64, Failure?) -> Int32, _ handle: UInt64, _ text: String) throws {
        try checked { function(handle, text, length(text), $0) }
    }

    static func make(_ function: (Out<UInt64>?, Failure?) -> Int32) throws -> UInt64 {
        try result { function($0, $1) }
    }

    static func make(_ function: (Text?, Int64, Out<UInt64>?, Failure?) -> Int32, _ text: String) throws -> UInt64 {
        try result { function(text, length(text), $0, $1) }
    }

    static func call<R: NativeResult>(
        _ function: (UInt64, Out<R>?, Failure?) -> Int32, _ handle: UInt64
    ) throws -> R {
        try result { function(handle, $0, $1) }
    }

    static func call<R: NativeResult>(
        _ function: (UInt64, Text?, Int64, Out<R>?, Failure?) -> Int32, _ handle: UInt64, _ text: String
    ) throws -> R {
        try result { function(handle, text, length(text), $0, $1) }
    }

    static func call<R: NativeResult>(
        _ function: (UInt64, Text?, Int64, Text?, Int64, Out<R>?, Failure?) -> Int32,
        _ handle: UInt64, _ first: String, _ second: String
    ) throws -> R {
        try result { function(handle, first, length(first), second, length(second), $0, $1) }
    }

    static func call<R: NativeResult>(
        _ function: (UInt64, Text?, Int64, Text?, Int64, Text?, Int64, Out<R>?, Failure?) -> Int32,
        _ handle: UInt64, _ first: String, _ second: String, _ third: String
    ) throws -> R {
        try result {
            function(handle, first, length(first), second, length(second), third, length(third), $0, $1)
        }
    }

    /// All that is ready in the queue, which this waits for; nil once the queue was closed.
    static func next(queue: UInt64) throws -> String? {
        var ready = String.empty
        var ended = false
        try checked {
            let code = uzu_queue_next(queue, -1, &ready, $0)
            ended = code == UZU_END.rawValue
            return code
        }
        return ended ? nil : String(taking: &ready)
    }

    static func add(_ stream: UInt64, to queue: UInt64) throws {
        try checked { uzu_queue_add(queue, stream, $0) }
    }

    private static func result<R: NativeResult>(_ call: (Out<R>, Failure) -> Int32) throws -> R {
        var raw = R.empty
        try checked { error in withUnsafeMutablePointer(to: &raw) { call($0, error) } }
        return R(taking: &raw)
    }

    private static func checked(_ call: (Failure) -> Int32) throws {
        var raw = String.empty
        let code = call(&raw)
        let text = String(taking: &raw)
        if code < 0 {
            throw (try? decoded(text, as: ErrorJson.self))?.error
                ?? UzuError.internal(message: "The engine failed with \(code): \(text)")
        }
    }

    private static func length(_ text: String) -> Int64 {
        Int64(text.utf8.count)
    }
}
