"""/docs: the commands on one plain page, made from the OpenAPI description."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from courtly.server.errors import STATUS
from courtly.server.schemas.requests import FROM_CLIENT
from courtly.session.schemas import FromServer

STYLE: bytes = (Path(__file__).parent / "openapi_page.css").read_bytes()
BOUNDS = {
    "minimum": "from",
    "maximum": "to",
    "minLength": "length from",
    "maxLength": "length to",
    "maxItems": "at most",
    "pattern": "matches",
    "default": "default",
}
REFUSED = {
    "type": "object",
    "properties": {
        "error": {"type": "object", "properties": {"id": {"enum": list(STATUS)}, "args": {"type": "object"}}}
    },
}
POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, with the messages of the socket, which OpenAPI itself has no place for, among the
    components."""
    if not app.openapi_schema:
        made = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes, tags=app.openapi_tags
        )
        said, told = (
            of.json_schema(ref_template="#/components/schemas/{model}") for of in (FROM_CLIENT, TypeAdapter(FromServer))
        )
        schemas = made["components"]["schemas"]
        for methods in made["paths"].values():
            for about in methods.values():
                about["responses"].pop("422", None)  # what is malformed is answered with 400, in the form of all errors
                about["responses"]["default"] = {
                    "description": "Refused",
                    "content": {"application/json": {"schema": REFUSED}},
                }
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas.update(said.pop("$defs") | told.pop("$defs"))
        schemas["FromClient"] = said | {
            "description": "What a browser says on /ws/tables/{id} and /ws/lobby; see docs/protocol.md."
        }
        schemas["FromServer"] = told | {"description": "What it is told there."}
        app.openapi_schema = made
    return app.openapi_schema


def _shape(schema: dict[str, Any]) -> str:
    """A schema in one line of HTML."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(_shape(part) for part in schema[key])
    if "enum" in schema:
        return " | ".join(escape(json.dumps(value)) for value in schema["enum"])
    if "const" in schema:
        return escape(json.dumps(schema["const"]))
    if schema.get("type") == "array":
        return f"[{_shape(schema.get('items', {}))}]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{{text: {_shape(schema['additionalProperties'])}}}"
    kind = str(schema.get("type", "any"))
    return escape({"string": "text", "integer": "number"}.get(kind, kind))


def _bounds(schema: dict[str, Any]) -> str:
    parts = [
        f"{said} {escape(str(part[key]))}"
        for part in (schema, *schema.get("anyOf", ()))
        for key, said in BOUNDS.items()
        if key in part and part[key] not in (None, "")
    ]
    return ", ".join(parts)


def _said(text: str) -> str:
    """A docstring in HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _model(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code>{'' if field in needed else ' ?'}<td>{_shape(about)}<td>{_bounds(about)}"
        for field, about in schema.get("properties", {}).items()
    )
    body = f"<table>{rows}</table>" if rows else f"<p>{_shape(schema)}</p>"
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{_said(schema.get("description", ""))}</p>{body}'


def _operation(method: str, path: str, about: dict[str, Any]) -> str:
    asked = [
        f"<li><code>{escape(p['name'])}</code> "
        f"({p['in']}{'' if p.get('required') else ', may be left out'}): {_shape(p['schema'])}"
        for p in about.get("parameters", ())
        if p["in"] != "cookie"
    ]
    body = about.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    asked += [f"<li>body: {_shape(body)}"] if body else []
    answer = about["responses"]["200"]["content"].get("application/json", {}).get("schema")
    asked += [f"<li>answer: {_shape(answer)}"] if answer else []
    said = _said(about.get("description") or "")
    return f"<h3><b>{method.upper()}</b> <code>{escape(path)}</code></h3><p>{said}</p><ul>{''.join(asked)}</ul>"


def write(api: dict[str, Any]) -> str:
    """The page."""
    operations = "".join(
        _operation(method, path, about) for path, methods in api["paths"].items() for method, about in methods.items()
    )
    models = "".join(_model(name, schema) for name, schema in sorted(api["components"]["schemas"].items()))
    title = escape(f"{api['info']['title']} {api['info']['version']}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{title}</title><link rel="stylesheet" href="/docs.css"><main><h1>{title}</h1>'
        f"<p>{escape(api['info']['description'])} "
        f'<a href="/openapi.json">openapi.json</a></p><h2>Commands</h2>{operations}<h2>Messages</h2>{models}</main>'
    )


async def page(request: Request) -> Response:
    text = write(describe(request.app))
    return Response(
        text,
        media_type="text/html; charset=utf-8",
        headers={"content-security-policy": POLICY, "cache-control": "no-cache"},
    )


async def style(_request: Request) -> Response:
    return Response(STYLE, media_type="text/css", headers={"cache-control": "no-cache"})


REFERENCE = [Route("/docs", page), Route("/docs.css", style)]
