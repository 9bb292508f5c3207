"""The page /docs: the HTTP API and the messages as HTML, made from the OpenAPI description."""

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

from courtly.server.assets.asset import HTML_TYPE
from courtly.server.errors import STATUS_BY_ID
from courtly.server.http.api_version import name_versions
from courtly.server.schemas.requests import CLIENT_MESSAGE
from courtly.session.schemas import FromServer

STYLE: bytes = (Path(__file__).parent / "openapi_page.css").read_bytes()
BOUND_SYMBOLS = {
    "minimum": "from",
    "maximum": "to",
    "minLength": "length from",
    "maxLength": "length to",
    "maxItems": "at most",
    "pattern": "matches",
    "default": "default",
}
ERROR_SCHEMA = {
    "type": "object",
    "properties": {
        "error": {"type": "object", "properties": {"id": {"enum": list(STATUS_BY_ID)}, "args": {"type": "object"}}}
    },
}
POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"


def describe(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI description.

    OpenAPI does not cover WebSockets; their messages are listed among the components, as FromClient and FromServer.
    """
    if not app.openapi_schema:
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes, tags=app.openapi_tags
        )
        client_schema, server_schema = (
            of.json_schema(ref_template="#/components/schemas/{model}")
            for of in (CLIENT_MESSAGE, TypeAdapter(FromServer))
        )
        document["paths"] = name_versions(document["paths"])
        schemas = document["components"]["schemas"]
        for methods in document["paths"].values():
            for operation in methods.values():
                operation["responses"].pop("422", None)  # this server answers malformed requests with 400
                operation["responses"]["default"] = {
                    "description": "Refused",
                    "content": {"application/json": {"schema": ERROR_SCHEMA}},
                }
        for name in ("HTTPValidationError", "ValidationError"):
            schemas.pop(name, None)
        schemas.update(client_schema.pop("$defs") | server_schema.pop("$defs"))
        schemas["FromClient"] = client_schema | {
            "description": "A message from the client on /ws/v1/tables/{id} or /ws/v1/lobby; see docs/protocol.md."
        }
        schemas["FromServer"] = server_schema | {
            "description": "A message from the server on /ws/v1/tables/{id} or /ws/v1/lobby."
        }
        app.openapi_schema = document
    return app.openapi_schema


def _schema_html(schema: dict[str, Any]) -> str:
    """Return a JSON schema as one line of HTML."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " | ".join(_schema_html(part) for part in schema[key])
    if "enum" in schema:
        return " | ".join(escape(json.dumps(value)) for value in schema["enum"])
    if "const" in schema:
        return escape(json.dumps(schema["const"]))
    if schema.get("type") == "array":
        return f"[{_schema_html(schema.get('items', {}))}]"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"{{text: {_schema_html(schema['additionalProperties'])}}}"
    kind = str(schema.get("type", "any"))
    return escape({"string": "text", "integer": "number"}.get(kind, kind))


def _bounds(schema: dict[str, Any]) -> str:
    """Return the bounds and the default of a schema as text."""
    parts = [
        f"{symbol} {escape(str(part[key]))}"
        for part in (schema, *schema.get("anyOf", ()))
        for key, symbol in BOUND_SYMBOLS.items()
        if key in part and part[key] not in (None, "")
    ]
    return ", ".join(parts)


def _docstring_html(text: str) -> str:
    """Return a docstring as HTML."""
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _model_html(name: str, schema: dict[str, Any]) -> str:
    needed = schema.get("required", [])
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code>{'' if field in needed else ' ?'}<td>{_schema_html(field_schema)}<td>"
        f"{_bounds(field_schema)}"
        for field, field_schema in schema.get("properties", {}).items()
    )
    body = f"<table>{rows}</table>" if rows else f"<p>{_schema_html(schema)}</p>"
    return f'<h3 id="{escape(name)}">{escape(name)}</h3><p>{_docstring_html(schema.get("description", ""))}</p>{body}'


def _operation_html(method: str, path: str, operation: dict[str, Any]) -> str:
    items = [
        f"<li><code>{escape(p['name'])}</code> "
        f"({p['in']}{'' if p.get('required') else ', optional'}): {_schema_html(p['schema'])}"
        for p in operation.get("parameters", ())
        if p["in"] != "cookie"
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    items += [f"<li>body: {_schema_html(body)}"] if body else []
    response_schema = operation["responses"]["200"]["content"].get("application/json", {}).get("schema")
    items += [f"<li>response: {_schema_html(response_schema)}"] if response_schema else []
    description = _docstring_html(operation.get("description") or "")
    return f"<h3><b>{method.upper()}</b> <code>{escape(path)}</code></h3><p>{description}</p><ul>{''.join(items)}</ul>"


def render_page(api: dict[str, Any]) -> str:
    """Return the page for an OpenAPI description."""
    operations = "".join(
        _operation_html(method, path, operation)
        for path, methods in api["paths"].items()
        for method, operation in methods.items()
    )
    models = "".join(_model_html(name, schema) for name, schema in sorted(api["components"]["schemas"].items()))
    title = escape(f"{api['info']['title']} {api['info']['version']}")
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f'<title>{title}</title><link rel="stylesheet" href="/docs.css"><main><h1>{title}</h1>'
        f"<p>{escape(api['info']['description'])} "
        f'<a href="/openapi.json">openapi.json</a></p><h2>Commands</h2>{operations}<h2>Messages</h2>{models}</main>'
    )


async def openapi_page(request: Request) -> Response:
    text = render_page(describe(request.app))
    return Response(
        text, media_type=HTML_TYPE, headers={"content-security-policy": POLICY, "cache-control": "no-cache"}
    )


async def openapi_style(_request: Request) -> Response:
    return Response(STYLE, media_type="text/css", headers={"cache-control": "no-cache"})


OPENAPI_ROUTES = [Route("/docs", openapi_page), Route("/docs.css", openapi_style)]
