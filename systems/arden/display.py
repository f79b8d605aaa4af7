"""What the screens show for The Ages of Arden: bars, marks, briefings and calculated values."""

from systems.arden.awareness import WORDS, defence_terms
from systems.arden.house import House
from systems.arden.sheet import Sheet, awareness_now, is_unconscious, score, sheet_status
from systems.arden.turns import FREE_MINORS, FREE_MOVES, capacity_with_exhaustion, half_capacity
from systems.arden.weapons import STYLES
from systems.contract.condition import Condition, Effect
from systems.contract.display import Figure, Mark, Meter, StatusWord
from systems.contract.outcome import Term

METERS = (
    Meter("hp", "hp", "max_hp"),
    Meter("AP", "ap", "capacity", style="pips", letter="A"),
)
STATUSES = (
    StatusWord("active", "good"),
    StatusWord("restrained", "warning"),
    StatusWord("unconscious", "danger", acts=False),
)
_SCORES = ("attack", "counter", "check", "perception")
CONDITIONS = (
    Condition("restrained", "held by a grapple until cleared (R34)", field="restrained", rules=("APD-47",)),
    Condition(
        "alert",
        "does not see its enemies; a Perception check before it is attacked",
        field="awareness",
        on="alert",
        off="aware",
        rules=("APD-50",),
    ),
    Condition(
        "flat_footed",
        "unprepared: DC 10 at most, no Perception check, no counterattack",
        field="awareness",
        on="flat_footed",
        off="aware",
        rules=("APD-51",),
        label="flat-footed",
    ),
    Condition(
        "unconscious",
        "cannot act, DC 5 at most",
        "danger",
        field="awareness",
        on="unconscious",
        off="aware",
        rules=("APD-52",),
    ),
    Condition(
        "exhausted",
        "ran out of action points: half of the capacity, until the encounter ends or it is cleared (R10)",
        field="exhausted",
        also_changes=capacity_with_exhaustion,
        rules=("APD-37",),
    ),
    Condition(
        "circumstance",
        "added to every score, such as −2",
        effects=tuple(Effect(action, "modifier") for action in _SCORES),
        rules=("APD-02", "APD-25"),
    ),
    Condition(
        "cover",
        "added to the DC of attacks on it",
        "good",
        effects=tuple(Effect(action, "defence_modifier", "target") for action in ("attack", "counter")),
        rules=("APD-25",),
    ),
)


def status(sheet: Sheet, house: House) -> str:
    return sheet_status(sheet)


def glance(sheet: Sheet, house: House) -> tuple[Mark, ...]:
    marks = []
    if sheet.armor:
        marks.append(Mark(f"armour {sheet.armor}", tells="armor", column="armour"))
    if sheet.exhausted:
        marks.append(Mark("exhausted", "notice", tells="exhausted"))
    if not is_unconscious(sheet):
        if sheet.awareness != "aware":
            marks.append(Mark(WORDS[sheet.awareness], "notice", tells="awareness"))
        if sheet.turn_over:
            marks.append(Mark("turn over", "muted", of_turn=True))
    return tuple(marks)


def brief(sheet: Sheet, house: House) -> tuple[str, ...]:
    """Return the briefing at the start of the turn."""
    if is_unconscious(sheet):
        return ("Unconscious, cannot act",)
    lines = [f"{sheet.ap} of {sheet.max_ap} action points"]
    if sheet.exhausted:
        points = "action point" if sheet.capacity == 1 else "action points"
        lines.append(f"Exhausted: at most {sheet.capacity} {points}")
    if sheet.awareness != "aware":
        lines.append(WORDS[sheet.awareness].capitalize())
    if sheet.restrained:
        lines.append("Restrained by a grapple")
    return tuple(lines)


def figures(sheet: Sheet, house: House) -> tuple[Figure, ...]:
    """Return the DCs of attacks on this sheet, and the actions left in its turn."""
    state = WORDS[awareness_now(sheet)]
    dcs = (
        _figure(f"DC against {name}", defence_terms(sheet, style.defence, house), state)
        for name, style in STYLES.items()
    )
    return (
        *dcs,
        _figure("initiative", (Term("speed", score(sheet, "speed")),), "and a d20"),
        Figure("free moves", max(0, FREE_MOVES - sheet.moves), note="others cost 1 action point"),
        Figure("free minor actions", max(0, FREE_MINORS - sheet.minors), note="others cost 1 action point"),
        Figure(
            "capacity when exhausted", half_capacity(sheet.max_ap, house), note="half of the action points"
        ),
    )


def _figure(label: str, terms: tuple[Term, ...], note: str) -> Figure:
    return Figure(label, sum(term.value for term in terms), terms, note)
