"""A step taken back that is no longer the newest: what others did since then stays.

Each value is known three times: as the step found it (`earlier`), as the step left it (`left`), and
as it is `now`. All are plain data; None stands for absent.
"""

from typing import Any


def restored(now: Any, left: Any, earlier: Any) -> Any:
    """The value without the step. A number keeps what was added to it since, a list its later members."""
    if now == left and type(now) is type(left):
        return earlier
    if left == earlier and type(left) is type(earlier):
        return now
    match now, left, earlier:
        case bool(), _, _:
            return now
        case int(), int(), int():
            return now + earlier - left
        case dict(), _, _ if _all_are(dict, left, earlier):
            return _restored_table(now, left or {}, earlier or {})
        case ((list() | None), _, _) if _all_are(list, now, left, earlier):
            return _restored_list(now or [], left or [], earlier or []) or None
    return now


def _all_are(kind: type, *values: Any) -> bool:
    return all(value is None or isinstance(value, kind) for value in values)


def _restored_table(now: dict[str, Any], left: dict[str, Any], earlier: dict[str, Any]) -> dict[str, Any]:
    names = dict.fromkeys((*now, *earlier))
    found = {name: restored(now.get(name), left.get(name), earlier.get(name)) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _restored_list(now: list[Any], left: list[Any], earlier: list[Any]) -> list[Any]:
    """Members are told apart by their name, or are texts; of what is neither the later list stays."""
    if not all(_name(item) for item in (*now, *left, *earlier)):
        return now
    left_by, earlier_by = ({_name(item): item for item in items} for items in (left, earlier))
    found = []
    for item in now:
        name = _name(item)
        untouched = item == left_by.get(name)
        if not untouched or name in earlier_by:
            found.append(earlier_by[name] if untouched else item)
    there = {_name(item) for item in found}
    for at, item in enumerate(earlier):
        if _name(item) not in left_by and _name(item) not in there:
            found.insert(_place(found, earlier[:at]), item)
    return found


def _place(found: list[Any], before: list[Any]) -> int:
    """Behind the nearest of those that once stood before it."""
    names = [_name(item) for item in found]
    return next((names.index(_name(item)) + 1 for item in reversed(before) if _name(item) in names), 0)


def _name(item: Any) -> str:
    return item if isinstance(item, str) else str(item.get("name", "")) if isinstance(item, dict) else ""
