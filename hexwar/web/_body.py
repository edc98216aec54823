"""The body of a request: how long it may be, and what its fields are."""

from __future__ import annotations

import json
import re
from typing import Any

from starlette.requests import Request

from hexwar.web._door import TooLong, Unfit

MOST_BYTES = 64 * 1024
"""The longest body of a request, unless the route allows more."""
WORDS: dict[type | None, str] = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    dict: "an object",
    list: "a list",
    None: "nothing",
}
_ODD = re.compile("[\0\ud800-\udfff]")
"""What JSON can say and no text in a store can hold."""


async def fields_of(request: Request, most: int = MOST_BYTES, /, **fields: tuple[type | None, ...]) -> dict[str, Any]:
    """The fields of a body, which is a JSON object; None for those that are left out.

    Args:
        request: whose body it is.
        most: how many bytes it may have.
        fields: the types that each may have, None for one that may be left out.

    Raises:
        TooLong: it has more bytes.
        Unfit: it is no such object.
    """
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise TooLong(f"the body of this request has at most {most} bytes")
        parts.append(part)
    try:
        data = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise Unfit("the body of the request is no JSON data") from None
    if not isinstance(data, dict) or not data.keys() <= fields.keys():
        raise Unfit(f"the body of the request is an object with {', '.join(sorted(fields)) or 'nothing in it'}")
    for field, kinds in fields.items():
        if (None if data.get(field) is None else type(data[field])) not in kinds:
            raise Unfit(f"{field} is {' or '.join(WORDS[kind] for kind in kinds)}")
        if isinstance(data.get(field), str) and _ODD.search(data[field]):
            raise Unfit(f"{field} has characters that no text can have: NUL, or halves of a surrogate pair")
    return {field: data.get(field) for field in fields}
