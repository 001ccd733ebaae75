"""API Gateway's resource tree."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from local.stack import Route, TemplateError


@dataclass(slots=True)
class _Resource:
    """One node: its routes by method, and its children by path segment."""

    routes: dict[str, Route] = field(default_factory=dict)
    literal: dict[str, "_Resource"] = field(default_factory=dict)
    parameter: "_Resource | None" = None
    name: str = ""
    """The path part of `parameter`, with its braces."""
    greedy: "_Resource | None" = None


@dataclass(frozen=True, slots=True)
class Match:
    route: Route
    parameters: Mapping[str, str]


class Router:
    """Matches as REST APIs do: literal segments first, then parameters, then greedy ones (`{proxy+}`)."""

    def __init__(self, routes: Iterable[Route]) -> None:
        """Index the routes. Raises TemplateError if two name one path parameter differently, as API Gateway does."""
        self._root = _Resource()
        for route in routes:
            node = self._root
            for segment in _segments(route.path):
                if segment.endswith("+}"):
                    node.greedy = node = node.greedy or _Resource()
                elif segment.startswith("{"):
                    if node.name not in ("", segment):
                        raise TemplateError(f"{route.path}: API Gateway has one parameter in this place, {node.name}")
                    node.name = segment
                    node.parameter = node = node.parameter or _Resource()
                else:
                    node = node.literal.setdefault(segment, _Resource())
            node.routes[route.method] = route

    def match(self, method: str, path: str) -> Match | None:
        """The route of a method and path, or None."""
        node, values = self._descend(self._root, _segments(path))
        route = node and (node.routes.get(method) or node.routes.get("ANY"))
        if not route:
            return None
        names = [segment[1:-1].rstrip("+") for segment in _segments(route.path) if segment.startswith("{")]
        return Match(route, dict(zip(names, values, strict=True)))

    def _descend(self, node: _Resource, segments: list[str]) -> tuple[_Resource | None, list[str]]:
        if not segments:
            return (node if node.routes else None), []
        head, *rest = segments
        if head in node.literal:
            found, values = self._descend(node.literal[head], rest)
            if found:
                return found, values
        if node.parameter and head:
            found, values = self._descend(node.parameter, rest)
            if found:
                return found, [head, *values]
        if node.greedy and head:
            return node.greedy, ["/".join(segments)]
        return None, []


def _segments(path: str) -> list[str]:
    return path.removeprefix("/").split("/")
