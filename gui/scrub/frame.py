"""What every page of ours is in: one HTML file with its style, script and data, which loads nothing."""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from string import Template
from typing import Any, Final

from core.words import said

_FRAME: Final = Path(__file__).parent / "frame.html"


def framed(
    folder: Path, name: str, title: str, parts: Mapping[str, str], data: object, style: str = ""
) -> str:
    """The page `name` of a folder: its .html filled with `parts`, its .css behind `style`, its .js and data.

    `parts` are HTML, `title` is text. It forbids itself any network.
    """
    body = Template(read(folder / f"{name}.html")).substitute(parts)
    return Template(_FRAME.read_text(encoding="utf-8")).substitute(
        lang=said("page.lang"),
        title=escape(title),
        style=f"{style}\n{read(folder / f'{name}.css')}".strip(),
        body=body,
        data=script_json(data),
        script=read(folder / f"{name}.js"),
    )


def read(path: Path) -> str:
    """A part of a page, without the end of its last line."""
    return path.read_text(encoding="utf-8").rstrip()


def script_json(data: Any) -> str:  # noqa: ANN401 - plain JSON values
    """A JSON value as it may stand in a page: a script ends at "</script", wherever that stands."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
