"""What the words of effects mean here, and what effects add to attacks and powers in a fight.

`affray resolve` answers by the sheet alone, so effects count only in a fight.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from systems.contract.action import Refusal, Scene
from systems.contract.area import Resistance
from systems.contract.interrupt import NOT_INTERRUPTED, Interrupted
from systems.contract.marked_text import as_change, possessive
from systems.contract.outcome import Ask, Explanation, Fact, GivenCondition, Outcome, Role, Term, refuse
from systems.contract.table import Table
from systems.contract.typed_damage import DamageDefence
from systems.effects.field import running
from systems.effects.library import Effects, effect_action
from systems.effects.meaning import STOPPER, EffectMeaning, is_among, lines_of
from systems.errors import Wrong, unknown
from systems.frozen import evolve, frozen
from systems.schema.conversion import replace
from systems.srd5 import uses
from systems.srd5.after import slain
from systems.srd5.body import (
    body_of,
    concentration_asks,
    concentration_due,
    conditions_given,
    has,
    healed,
    hurt,
    is_bloodied,
    status_of,
)
from systems.srd5.defending import cost_of_reaction
from systems.srd5.house import House
from systems.srd5.marks import MARKS, NO_REACTIONS, begins
from systems.srd5.rolls import ADVANTAGE, DISADVANTAGE, NORMAL
from systems.srd5.saves import Save, d20_of_save
from systems.srd5.sheet import (
    ABILITIES,
    CONDITION_NAMES,
    GIVABLE,
    NO_FORM,
    SKILLS,
    Attack,
    Power,
    Sheet,
    attack_of,
    power_of,
    skill_bonus,
)
from systems.srd5.spells import SPELLS, at_slot
from systems.text import nearest, same_word, sentence, shown

if TYPE_CHECKING:
    from systems.effects.attacks import BeforeRoll
    from systems.effects.words import EffectLine

SrdScene = Scene[Sheet, Any, House]
_SAVE_DICE = {NORMAL: "d20", ADVANTAGE: "2d20kh1", DISADVANTAGE: "2d20kl1"}
_MOMENTS = ("hit", "failed", "saved", "used")  # of an attack or a power
_LATER = ("lowers", "slays", "drain", "heal", "temp_hp", "ends")  # what follows the damage
SAVES = (*ABILITIES, *SKILLS)  # what an effect can call for
_OUT_OF_REACH = 1_000  # a number that no roll reaches
_STATES = ("dead", "stable", "dying", "active", "hurt", "bloodied", "zero")
_ALIKE = 0.86  # how near a name is to that of a skill or a spell to count as a misspelling


def _defences(sheet: Sheet, house: House) -> tuple[DamageDefence, ...]:
    """Return the resistances, vulnerabilities and immunities of a target (SRD-26 to SRD-30)."""
    kinds = (
        DamageDefence("resist", sheet.resistances),
        DamageDefence("vulnerable", sheet.vulnerabilities),
        DamageDefence("immune", sheet.immunities),
    )
    stone = (DamageDefence("resist"),) if "petrified" in has(body_of(sheet)) else ()
    return (*stone, *(kind for kind in kinds if kind.types))


def _hurt(sheet: Sheet, house: House, amount: int) -> Mapping[str, object]:
    return hurt(body_of(sheet), amount, house).body.changes()


def _healed(sheet: Sheet, house: House, amount: int) -> Mapping[str, object]:
    return healed(body_of(sheet), amount)[0].changes()


def _temporary(sheet: Sheet, house: House, amount: int) -> Mapping[str, object]:
    return {"temp_hp": amount} if amount > sheet.temp_hp else {}


def _save(sheet: Sheet, house: House, name: str, dc: int) -> Resistance:
    """Return a save, or the check of a skill, against an effect (SRD-08)."""
    if name not in SAVES:
        raise unknown("options.effect", f"no save or skill {shown(name)}", name, SAVES)
    if name not in ABILITIES:
        return Resistance(f"{name} check", dc, terms=(Term(name, skill_bonus(sheet, name)),))
    d20 = d20_of_save(body_of(sheet), Save(name, dc))
    if d20 is None:
        return Resistance(f"{name} save", _OUT_OF_REACH)
    return Resistance(f"{name} save", dc, _SAVE_DICE[d20.way], d20.terms)


def _states(sheet: Sheet, house: House) -> frozenset[str]:
    """Return the status and the conditions, and hurt, bloodied and zero as far as they are true."""
    body = body_of(sheet)
    found = {status_of(body), *has(body)}
    found |= {"hurt"} if body.hp < sheet.max_hp else set()
    found |= {"bloodied"} if is_bloodied(body) else set()
    found |= {"zero"} if body.hp == 0 else set()
    found |= {f"{sheet.form}_form"} if sheet.form != NO_FORM else set()
    return frozenset(found)


def _moved(before: Sheet, after: Sheet) -> str:
    words = as_change("hp", before.hp, after.hp)
    return words + as_change("temporary hp", before.temp_hp, after.temp_hp)


def _asks(before: Sheet, after: Sheet, name: str, role: Role) -> tuple[Ask, ...]:
    """Return the save that damage asks of a combatant that concentrates (SRD-79)."""
    body, damage = body_of(after), before.hp + before.temp_hp - after.hp - after.temp_hp
    due = concentration_due(body, damage)
    return concentration_asks(name, body, due, damage, role)


def _names(sheet: Sheet) -> tuple[str, ...]:
    attacks, powers = sheet.attacks, sheet.powers
    return ("unarmed", *(entry.name for entry in attacks), *(entry.name for entry in powers))


def _words(sheet: Sheet) -> tuple[str, ...]:
    forms = (f"{form.name}_form" for form in sheet.forms)
    return (*GIVABLE, *(mark.name for mark in MARKS), *_STATES, *forms)


def _misspelt(sheet: Sheet) -> Iterator[Wrong]:
    """Yield an error for each skill and each power whose name is almost that of a skill or a spell.

    A power that an effect of the sheet is about has its own name, such as the Charm of a vampire.
    """
    of_effects = {name for line in sheet.effects for name in line.of}
    named: tuple[tuple[str, str, Sequence[Any], Iterable[str]], ...] = (
        ("skills", "skill", sheet.skills, SKILLS),
        ("powers", "spell", sheet.powers, SPELLS.names.values()),
    )
    for field, kind, entries, known in named:
        for at, entry in enumerate(entries):
            near = None if entry.name in of_effects else nearest(entry.name, known, _ALIKE)
            if near and not same_word(entry.name, near):
                says = f"there is no {kind} {shown(entry.name)}; did you mean {near}?"
                yield Wrong(
                    f"{field}[{at}].name", says, code="unknown_name", suggestion=near, word=entry.name
                )


def _said(scene: Any) -> tuple[str, ...]:
    return ("charge",) if getattr(scene.options, "charge", False) else ()


SPELLS_AND_MAGIC = "spells"  # what a line that stops spells has in `of`


def _used(scene: Any) -> tuple[str, ...]:
    """Return the name of the attack, power or effect that an action uses, and whether it is magical."""
    options, sheet = scene.options, scene.actor
    if (effect := getattr(options, "effect", None)) is not None:
        return (effect,)
    if hasattr(options, "power"):
        entry: Attack | Power = power_of(sheet, options.power)
    elif hasattr(options, "weapon"):
        entry = attack_of(sheet, options.weapon)
    elif hasattr(options, "weapons"):
        named = options.weapons or [each.name for each in sheet.multiattack]
        attacks = [attack_of(sheet, name) for name in named]
        magic = (SPELLS_AND_MAGIC,) if any(each.magical for each in attacks) else ()
        return (*(each.name for each in attacks), *magic)
    else:
        return ()
    return (entry.name, SPELLS_AND_MAGIC) if entry.magical else (entry.name,)


EFFECTS = Effects(
    EffectMeaning(
        defences=_defences,
        hurt=_hurt,
        heal=_healed,
        temporary=_temporary,
        save=_save,
        states=_states,
        moved=_moved,
        asks=_asks,
        types=lambda sheet: (sheet.type,),
        size=lambda sheet: str(sheet.size),
        names=_names,
        saves=lambda sheet: SAVES,
        cost=cost_of_reaction,
        bars_reactions=(NO_REACTIONS,),
        said=_said,
        slay=slain,
        use=uses.use,
        left=uses.left,
        spend=uses.spend,
        counters=uses.counters,
        used=_used,
        words=_words,
        misspelt=_misspelt,
        begins=begins,
    )
)
EFFECT = effect_action(EFFECTS)


@frozen(eq=False)
class WithEffects:
    """An attack or a power with what the effects of its owner add to it.

    `lasting`: for each condition how long it lasts and what ends it. `brought`: the conditions that come and
    end with it. `marks`, `words`: other lasting things that it gives, and reminders, by the moment: hit,
    failed, saved or used. `moves`: who moves then, by role.
    `rolled`: lines that depend on the roll of the attack. `later`: lines that follow its damage.
    """

    entry: Any
    lasting: Mapping[str, GivenCondition] = {}
    brought: Mapping[str, tuple[GivenCondition, ...]] = {}
    marks: Mapping[str, tuple[str, ...]] = {}
    words: Mapping[str, tuple[str, ...]] = {}
    moves: Mapping[str, tuple[str, ...]] = {}
    rolled: tuple["EffectLine", ...] = ()
    later: Mapping[str, tuple["EffectLine", ...]] = {}

    def gives(self, names: Sequence[str]) -> tuple[GivenCondition, ...]:
        """Return what the tracker gives the target."""
        return conditions_given(names, "target", self.lasting, self.brought)

    def damage(self, way: str, *, critical: bool) -> tuple[str, ...]:
        """Return the damage of a hit with that of lines that depend on the roll.

        `way`: how the die was rolled.
        """
        texts: tuple[str, ...] = self.entry.damage
        for line in self.rolled:
            if line.roll == way or (critical and line.roll == "critical"):
                texts = (*without_replaced(line, texts), *line.damage)
        return texts

    def told(self, *moments: str) -> tuple[str, ...]:
        """Return the reminders of these moments."""
        return tuple(words for moment in (*moments, "used") for words in self.words.get(moment, ()))

    def follow(self, *moments: str) -> tuple["EffectLine", ...]:
        """Return the lines that follow the damage at these moments."""
        return tuple(line for each in (*moments, "used") for line in self.later.get(each, ()))

    def moved(self, *moments: str) -> tuple[str, ...]:
        """Return the roles that move at these moments."""
        return tuple(dict.fromkeys(role for each in (*moments, "used") for role in self.moves.get(each, ())))

    def marked(self, *moments: str) -> tuple[str, ...]:
        """Return the other lasting things that are given at these moments."""
        return tuple(name for moment in (*moments, "used") for name in self.marks.get(moment, ()))


@lru_cache(maxsize=64)
def before_roll(scene: SrdScene, attack: str) -> "BeforeRoll | None":
    """Return what effects change about the roll of an attack; None if they change nothing."""
    return EFFECTS.before_roll(scene, attack) if scene.fight is not None else None


@lru_cache(maxsize=64)
def with_effects(scene: SrdScene, entry: Attack | Power) -> WithEffects:
    """Return an attack or a power with what its spell slot and the effects of its owner add to it."""
    if entry.slot and scene.fight is not None:
        entry = at_slot(entry, getattr(scene.options, "slot", None))
    if not (scene.actor.effects or scene.actor_lines) or scene.fight is None:
        return WithEffects(entry)
    own = [line for line in lines_of(EFFECTS.meaning, scene, "actor") if is_among((entry.name,), line.of)]
    return _EffectsOfEntry(scene, entry, own).result() if own else WithEffects(entry)


def without_replaced(line: "EffectLine", texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the damage that stays: a line with `instead` replaces that of its types, or all."""
    if not line.instead:
        return texts
    types = {text.partition(" ")[2] for text in line.damage}
    others = tuple(text for text in texts if text.partition(" ")[2] not in types)
    return others if len(others) < len(texts) else ()


def rules_out(scene: SrdScene, role: Role, name: str) -> bool:
    """Return whether an effect takes away what a combatant could get: healing or temp_hp, for example."""
    if scene.fight is None:
        return False
    lines = lines_of(EFFECTS.meaning, scene, role)
    return any(line.when == "always" and line.change.get(name) == "none" for line in lines)


@frozen
class Help:
    """What effects change about a save or a check: advantages, disadvantages, numbers and dice."""

    advantages: int = 0
    disadvantages: int = 0
    terms: tuple[Term, ...] = ()
    dice: tuple[str, ...] = ()


NO_HELP = Help()


@lru_cache(maxsize=64)
def help_with(scene: SrdScene, role: Role, name: str) -> Help:
    """Return what effects change about the saves or checks of a combatant."""
    if scene.fight is None:
        return NO_HELP
    library = running()
    is_die = library.is_die
    side = library.EffectSide.actor_of(scene) if role == "actor" else library.EffectSide.attacked_in(scene)
    found = list(library.changes_to(EFFECTS.meaning, scene, side, name))
    changes = [change for _, change in found]
    terms = tuple(Term(label, change) for label, change in found if isinstance(change, int))
    dice = tuple(str(change) for change in changes if is_die(change))
    return Help(changes.count("advantage"), changes.count("disadvantage"), terms, dice)


def halted(scene: SrdScene, table: Table) -> Interrupted:
    """Ask each combatant that can stop the actor's action before it counts, such as by a counterspell."""
    if scene.fight is None or not (scene.before.get("stopped") or scene.fight.ready(STOPPER)):
        return NOT_INTERRUPTED
    return EFFECTS.stopped(scene, table)


STOPPED = "another combatant has stopped it; absent if none has"


def halted_outcome(
    scene: SrdScene, name: str, facts: Mapping[str, Fact], paid: Mapping[str, object], by: Interrupted
) -> Outcome:
    """Return the outcome of an attack or power that is stopped: it costs its use, but no spell slot.

    `facts`: those of an attack that misses, or of a power that does nothing.
    """
    kept = ("spell_slots", "concentrating")
    changes = {field: value for field, value in paid.items() if field not in kept}
    numbers = [used.met for used in by.used if used.met]

    def tell() -> Explanation:
        if scene.before:
            return Explanation("")
        text = f"{possessive(scene.who_acts)} {name} is stopped."
        return Explanation(text, (), by.steps, arithmetic=sentence(*numbers))

    facts = {**facts, "damage": 0, "stopped": True}
    return Outcome(facts, {"actor": changes}, tell, degree="resisted", interruptions=by.used)


def name_used(scene: SrdScene, table: Table, fact: str, name: str) -> dict[str, Fact]:
    """Return the fact that names an attack or a power, for players and the recap of a fight."""
    return {fact: name} if scene.fight is not None and not table.brief else {}


ONLY = Refusal("only", "an effect of the sheet says that it can be used in other cases only")


def no_use(scene: SrdScene, name: str) -> Outcome | None:
    """Return the refusal of an attack or a power that effects of the sheet allow in other cases only."""
    if scene.fight is None or not any(line.only for line in scene.actor.effects):
        return None
    library = running()
    owner, other = library.EffectSide.actor_of(scene), library.EffectSide.attacked_in(scene)
    reason = library.restriction(EFFECTS.meaning, scene, name, owner, other)
    return refuse("only", reason) if reason else None


def once_more(scene: SrdScene, name: str) -> bool:
    """Return whether an attack or power can be used again in this turn or round."""
    if scene.fight is None or not any(line.only and line.once for line in scene.actor.effects):
        return True
    library = running()
    lines = library.limits(EFFECTS.meaning, scene, name)
    return all(library.is_available(EFFECTS.meaning, line, scene, scene.actor) for line in lines)


def noted_use(scene: SrdScene, name: str) -> Mapping[str, object]:
    """Return the change that remembers the use of a power which is limited to once a turn or round."""
    if scene.fight is None or not any(line.only and line.once for line in scene.actor.effects):
        return {}
    library, changes = running(), dict[str, object]()
    for line in library.limits(EFFECTS.meaning, scene, name):
        changes |= library.used_up(EFFECTS.meaning, line, scene, replace(scene.actor, **changes))
    return changes


class _EffectsOfEntry:
    """Put the lines of one attack or power together."""

    def __init__(self, scene: SrdScene, entry: Any, lines: Sequence["EffectLine"]) -> None:
        self.scene, self.entry = scene, entry
        # An attack has conditions and damage for a failed save apart from those of the hit.
        self.has_hit = isinstance(entry, Attack)
        self.changes: dict[str, Any] = {}
        self.lasting: dict[str, GivenCondition] = {}
        self.brought: dict[str, tuple[GivenCondition, ...]] = {}
        self.marks: dict[str, tuple[str, ...]] = {}
        self.words: dict[str, tuple[str, ...]] = {}
        self.moves: dict[str, tuple[str, ...]] = {}
        self.rolled: list[EffectLine] = []
        self.later: dict[str, tuple[EffectLine, ...]] = {}
        self.lines = lines

    def result(self) -> WithEffects:
        """Return the entry with all that applies now."""
        library = running()
        owner, target = library.EffectSide.actor_of(self.scene), library.EffectSide.attacked_in(self.scene)
        self.lines = [each for line in self.lines for each in self._with_conditions(line)]
        for line in self.lines:
            # A line about a condition of the entry itself says when and how that condition is given.
            if line.condition and line.when != "saved":
                name, about = self._field(line, "conditions"), (line.condition, *line.brings)
                self.changes[name] = tuple(each for each in self._now(name) if each not in about)
        for line in self.lines:
            if line.when not in _MOMENTS or line.whose != "own" or line.only:
                continue
            if not line.offered and library.applies(EFFECTS.meaning, line, self.scene, owner, target):
                self._add(line)
        entry = replace(self.entry, **self.changes) if self.changes else self.entry
        return WithEffects(
            entry,
            self.lasting,
            self.brought,
            self.marks,
            self.words,
            self.moves,
            tuple(self.rolled),
            self.later,
        )

    def _with_conditions(self, line: "EffectLine") -> list["EffectLine"]:
        """Return a line for each condition of the entry itself, if that is what it is about.

        If these are linked, it is one line, and its condition brings the others.
        """
        if not line.own_conditions:
            return [line]
        names = self._now(self._field(line, "conditions"))
        if line.linked and names:
            return [evolve(line, condition=names[0], brings=names[1:], own_conditions=False, linked=False)]
        return [evolve(line, condition=name, own_conditions=False) for name in names]

    def _field(self, line: "EffectLine", name: str) -> str:
        """Return the field that a line adds to: of the hit, or of the failed save that it brings."""
        after_save = self.has_hit and (line.when == "failed" or line.save is not None)
        return f"save_{name}" if after_save else name

    def _now(self, name: str) -> tuple[str, ...]:
        found: tuple[str, ...] = self.changes.get(name, getattr(self.entry, name))
        return found

    def _tell(self, line: "EffectLine", words: str) -> None:
        self.words[line.when] = (*self.words.get(line.when, ()), words)

    def _add(self, line: "EffectLine") -> None:
        if line.roll is not None:
            self.rolled.append(line)
            return
        if line.move:
            role = "actor" if line.affected == "self" else "target"
            self.moves[line.when] = (*self.moves.get(line.when, ()), role)
            name = self.scene.actor_name if role == "actor" else self.scene.target_name
            self._tell(line, f"{name} {line.move}")
        if line.remind:
            self._tell(line, line.remind)
        if any(getattr(line, name) for name in _LATER):
            self.later[line.when] = (*self.later.get(line.when, ()), line)
        if line.affected != "target":
            return
        if line.save is not None and self.has_hit:
            self.changes |= {"save": line.save, "save_dc": line.dc, "save_half": line.half}
        if line.damage:
            name = self._field(line, "damage")
            self.changes[name] = (*without_replaced(line, self._now(name)), *line.damage)
        if line.condition:
            self._add_condition(line)

    def _add_condition(self, line: "EffectLine") -> None:
        assert line.condition is not None
        library = running()
        target = library.EffectSide.attacked_in(self.scene)
        given, *brought = library.given_by(EFFECTS.meaning, line, self.scene, target)
        if brought:
            self.brought[line.condition] = tuple(brought)
        if line.again and not line.save:
            dc = self.entry.save_dc if self.has_hit else self.entry.dc
            later = self.entry.later_conditions
            worse = line.worse or (later[0] if len(later) == 1 else "")
            given = evolve(given, save=self.entry.save or "", difficulty=dc, again=line.again, worse=worse)
        if line.condition == "grappled":
            # The number of its escape is a field of the grappled creature's sheet.
            self.changes["escape_dc"] = line.escape or self.entry.escape_dc
            given = evolve(given, escape=None)
        self.lasting[line.condition] = given
        for name in (line.condition, *line.brings):
            if line.when != "saved" and (name in CONDITION_NAMES or name == "exhaustion"):
                field = self._field(line, "conditions")
                self.changes[field] = (*self._now(field), name)
            else:
                self.marks[line.when] = (*self.marks.get(line.when, ()), name)
