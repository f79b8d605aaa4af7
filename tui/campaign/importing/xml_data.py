"""Read the monsters of an XML file as plain data. Entities are refused."""

import re
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from systems.text import clean, printable
from tui.campaign.problems import FileProblem

CUT_OFF = "ends in the middle; all of it is needed"
_DEEPEST = 50
_MONSTER = "monster"
_DECLARATION = re.compile(r"^<\?xml[^<>]{0,200}\?>")


def monsters(text: str, file: str) -> list[dict[str, Any]]:
    """Return each monster as a table: a list of texts and tables for each tag. Raises FileProblem."""
    found: list[dict[str, Any]] = []
    depth = 0
    # The declaration of an encoding no longer applies, because the text is decoded.
    source = BytesIO(_DECLARATION.sub("", text.lstrip(), count=1).encode("utf-8", "replace"))
    try:
        for event, element in iterparse(source, events=("start", "end"), forbid_dtd=False):
            depth += 1 if event == "start" else -1
            if depth > _DEEPEST:
                raise FileProblem(file, 0, "", f"is nested more than {_DEEPEST} deep")
            if event == "end" and element.tag == _MONSTER:
                found.append(_table(element))
            if event == "end" and (element.tag == _MONSTER or depth <= 1):
                element.clear()
    except DefusedXmlException:
        raise FileProblem(file, 0, "", "is XML that defines entities, which are refused") from None
    except ParseError as error:
        reason = str(error).partition(":")[0]
        if reason in ("no element found", "unclosed token", "unclosed CDATA section"):
            raise FileProblem(file, 0, "", CUT_OFF) from None
        raise FileProblem(file, error.position[0], "", f"is not XML: {clean(reason, 100)}") from None
    except (ValueError, LookupError) as error:
        raise FileProblem(file, 0, "", f"is not XML: {clean(str(error), 100)}") from None
    return found


def _table(element: Element) -> dict[str, Any]:
    """Return the elements below one: for each tag a list of texts, or of tables if they hold elements."""
    found: dict[str, Any] = {}
    for inner in element:
        value: Any = _table(inner) if len(inner) else printable("".join(inner.itertext()))
        found.setdefault(str(inner.tag), []).append(value)
    return found
