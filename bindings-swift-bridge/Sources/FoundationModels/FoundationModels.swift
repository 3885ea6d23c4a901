// What programs written for Apple's FoundationModels import to describe types, where that framework can't be.
@_exported import UzuGeneration

/// Makes a struct of stored properties, or an enum without associated values, a type whose values a model can make.
@attached(extension, conformances: Generable, names: named(init(_:)), named(generatedContent), named(generationSchema))
@attached(member, names: named(PartiallyGenerated))
public macro Generable(description: String? = nil) =
    #externalMacro(module: "UzuMacros", type: "GenerableMacro")

/// Says what a property is for, and what its value must be beside being of its type.
@attached(peer)
public macro Guide(description: String) = #externalMacro(module: "UzuMacros", type: "GuideMacro")

@attached(peer)
public macro Guide<T>(description: String? = nil, _ guides: GenerationGuide<T>...) =
    #externalMacro(module: "UzuMacros", type: "GuideMacro") where T: Generable

@attached(peer)
public macro Guide<Output>(description: String? = nil, _ pattern: Regex<Output>) =
    #externalMacro(module: "UzuMacros", type: "GuideMacro")
