#if (canImport(Darwin) || UZU_STANDIN) && canImport(FoundationModels)
    import Foundation
    import FoundationModels

    // Types and tools of Apple's own framework.

    @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
    extension Grammar {
        /// The values of a type that has a schema; `message.textDecoded()` reads them.
        public static func fromType<T: FoundationModels.Generable>(_ type: T.Type) -> Grammar {
            .jsonSchema(schema: type.generationSchema.debugDescription)
        }
    }

    @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
    extension ChatMessage {
        /// The text, which is JSON, as a value of a type that `Grammar.fromType` held the reply to.
        public func textDecoded<T: FoundationModels.Generable>() -> T? {
            text().flatMap { try? T(FoundationModels.GeneratedContent(json: $0)) }
        }
    }

    @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
    extension ToolFunction {
        /// A tool as the engine needs it.
        public init<T: FoundationModels.Tool>(_ tool: T) {
            self.init(
                name: tool.name, description: tool.description,
                parameters: Value(json: tool.parameters.debugDescription)
            ) { arguments in
                let content = try FoundationModels.GeneratedContent(json: arguments.json)
                let output = try await tool.call(arguments: T.Arguments(content))
                if let generated = output as? any FoundationModels.ConvertibleToGeneratedContent {
                    return Value(json: generated.generatedContent.jsonString)
                }
                return try Value(encoding: "\(output)")
            }
        }
    }

    @available(macOS 26.0, iOS 26.0, visionOS 26.0, *)
    extension ChatSession {
        /// From the next reply on the model may call the tool, which this session runs.
        public func addTool<T: FoundationModels.Tool>(_ tool: T) async throws {
            try await addTool(ToolFunction(tool))
        }

        public func addTools(_ tools: [any FoundationModels.Tool]) async throws {
            for tool in tools {
                try await addTool(tool)
            }
        }
    }
#endif
