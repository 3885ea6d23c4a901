"""Python functions as tools that a model calls."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from contextvars import Context
from typing import Any, Generic, ParamSpec, TypeVar, cast, overload

from ._decoding import decoded_members
from ._docstrings import docstring_of
from ._encoding import encoded
from ._errors import InvalidArgument
from ._runtime import Runtime
from ._schemas import SchemaBuilder, schema_of
from ._tool_declaration import ToolDeclaration
from ._types import MISSING, Member, hints_of

P = ParamSpec("P")
R = TypeVar("R")


class UzuToolFunction(Generic[P, R]):
    """A function that a model may call, made by `uzu_tool_function`. Calling it calls the function."""

    name: str
    description: str
    parameters_schema: dict[str, Any]
    """The JSON schema of an object that holds the arguments."""
    return_schema: dict[str, Any] | None
    """The JSON schema of what it returns; None without an annotation."""

    def __init__(
        self,
        function: Callable[P, R],
        name: str | None = None,
        description: str | None = None,
        names: dict[str, Any] | None = None,
    ) -> None:
        """`names`: what annotations may speak of beside the function's globals."""
        functools.update_wrapper(self, function)
        self._function = function
        self.name = name if name is not None else getattr(function, "__name__", "")
        if not self.name or self.name == "<lambda>":
            raise InvalidArgument(f"The tool {function!r} needs a name", {"field": "name"})
        documented = docstring_of(getattr(function, "__doc__", None))
        self.description = documented.description if description is None else description
        hints = hints_of(_annotated(function), f"the tool {self.name}", names)
        self._members = _members(self.name, function, hints, documented.parameters)
        builder = SchemaBuilder()
        self.parameters_schema = builder.finished(builder.object_of(self._members))
        self.return_schema = schema_of(hints["return"], "serialization") if "return" in hints else None

    def __call__(self, *arguments: P.args, **keywords: P.kwargs) -> R:
        return self._function(*arguments, **keywords)

    def __repr__(self) -> str:
        return f"<uzu tool {self.name}>"

    @property
    def declaration(self) -> ToolDeclaration:
        """What the model is told of it."""
        return ToolDeclaration(self.name, self.description, self.parameters_schema)

    async def _answer(self, arguments: dict[str, Any], runtime: Runtime, context: Context) -> Any:
        """The JSON value of a call. A function that isn't async runs on a thread, in the context."""
        values = decoded_members(arguments, self._members)
        function = cast(Callable[..., Any], self._function)
        if inspect.iscoroutinefunction(_annotated(function)):
            result = await function(**values)
        else:
            result = await runtime.call(lambda: context.copy().run(function, **values))
            if inspect.isawaitable(result):
                result = await result
        return encoded(result)


def _annotated(function: Any) -> Any:
    """What carries the annotations: of a partial its function, of an object its __call__."""
    while isinstance(function, functools.partial):
        function = function.func
    return function if inspect.isroutine(function) else type(function).__call__


def _members(
    tool: str, function: Callable[..., Any], hints: dict[str, Any], documented: dict[str, str]
) -> list[Member]:
    members = []
    for parameter in inspect.signature(function).parameters.values():
        details = {"field": parameter.name, "tool": tool}
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise InvalidArgument(f"The tool {tool} can't take {parameter}: a model names each argument", details)
        if parameter.kind is parameter.POSITIONAL_ONLY:
            raise InvalidArgument(f"The parameter {parameter.name} of the tool {tool} is positional only", details)
        if parameter.name not in hints:
            raise InvalidArgument(f"The parameter {parameter.name} of the tool {tool} has no annotation", details)
        is_required = parameter.default is parameter.empty
        members.append(
            Member(
                parameter.name,
                hints[parameter.name],
                is_required,
                MISSING if is_required else parameter.default,
                documented.get(parameter.name),
            )
        )
    return members


@overload
def uzu_tool_function(
    function: Callable[P, R], *, name: str | None = None, description: str | None = None
) -> UzuToolFunction[P, R]: ...


@overload
def uzu_tool_function(
    *, name: str | None = None, description: str | None = None
) -> Callable[[Callable[P, R]], UzuToolFunction[P, R]]: ...


def uzu_tool_function(
    function: Callable[..., Any] | None = None, *, name: str | None = None, description: str | None = None
) -> Any:
    """Makes a function a tool: ``@uzu_tool_function`` or ``@uzu_tool_function(name=…, description=…)``.

    The schema comes from the type hints, which every parameter needs; its description from a text in Annotated, else
    from the docstring (Google, numpy or Sphinx). Async functions run on the event loop that the reply was asked for on,
    others on a thread, both with its context variables. What they raise is told to the model.
    """
    names = dict(sys._getframe(1).f_locals)  # types that are local to where the tool is made
    if function is None:
        return lambda decorated: UzuToolFunction(decorated, name, description, names)
    if not callable(function):
        raise InvalidArgument(f"A tool is a function, not {function!r:.100}", {"field": "function"})
    return UzuToolFunction(function, name, description, names)
