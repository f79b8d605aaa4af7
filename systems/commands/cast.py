"""Combatants that come, change and go as the outcome of an action: summoned, split, in another form, away."""

import json
from collections.abc import Sequence
from typing import Any

from systems.commands.effects import sync_conditions, with_condition_fields
from systems.commands.initiative import join_order, passed
from systems.commands.membership import remove
from systems.commands.reorder import leave_order
from systems.commands.transaction import People, Transaction
from systems.contract.cast import Became, Brought, SentAway
from systems.contract.outcome import Outcome
from systems.encounter import tags
from systems.encounter.lookup import arrived
from systems.encounter.model import FOREVER, Combatant, CombatantState, Encounter
from systems.encounter.neighbours import without_near
from systems.errors import Refused, Wrong
from systems.schema.conversion import replace, without_defaults
from systems.schema.fields import fields_of
from systems.sheets import changed, converted, read_sheet, with_fresh_turn
from systems.text import LONGEST_NAME, clean, several


def change_cast(transaction: Transaction, outcome: Outcome, people: People) -> None:
    """Let combatants change form, come and go, as an outcome says. `people`: the ids of its roles."""
    for form in outcome.becomes:
        for who in _present(transaction, people, form.who):
            _become(transaction, form, who)
    for brought in outcome.brings:
        for who in _present(transaction, people, brought.by):
            _bring(transaction, brought, who)
    for sent in outcome.sends:
        for who in _present(transaction, people, sent.who):
            _send(transaction, sent, who, people["actor"])


def _present(transaction: Transaction, people: People, role: str) -> Sequence[str]:
    who = people.get(role)
    return [who] if who is not None and who in transaction.encounter.combatants else []


# Come


def _bring(transaction: Transaction, brought: Brought, bringer: str) -> None:
    """Bring combatants, which act directly after the bringer and roll no initiative."""
    here, owner = transaction.encounter, transaction.combatant(bringer)
    side = brought.side or owner.side
    if brought.kind:
        sheet = _entry_sheet(transaction, brought.kind, side, owner)
        if sheet is None:
            return
        base = clean(transaction.entries[brought.kind].name, LONGEST_NAME) or "nameless"
    else:
        sheet, base = with_fresh_turn(owner.sheet), tags.plain_name(owner)
    state = CombatantState(
        name=base,
        kind=brought.kind or owner.state.kind,
        side=side,
        hidden=owner.state.hidden,
        initiative=owner.state.initiative,
        bringer=bringer,
        bound=brought.sustained_by or None,
    )
    # A single one of a kind has no number in its name, in fights of older versions either.
    number = None if brought.count == 1 and here.progress.numbering == tags.OLDER else brought.count
    here = tags.join(here, state, changed(sheet, brought.changes), number)
    ids = here.progress.ids[len(transaction.encounter.progress.ids) :]
    transaction.encounter = here
    _place_after(transaction, bringer, ids)
    names = several([transaction.combatant(who).name for who in ids])
    joins = "joins" if len(ids) == 1 else "join"
    transaction.say(f"{names} {joins} the fight next to {owner.name}.", [bringer, *ids])


def _entry_sheet(transaction: Transaction, kind: str, side: str, asks: Combatant) -> Any:
    """Return the sheet of a roster entry as it joins the fight; None, with a sentence, if there is none."""
    try:
        entry = transaction.entries[kind]
    except KeyError:
        transaction.say(f'The roster has no "{kind}".', [asks.id], seen="gm")
        return None
    here, afresh = transaction.encounter, with_fresh_turn(entry.sheet)
    return changed(afresh, here.game.join(afresh, side == here.players))


def _place_after(transaction: Transaction, bringer: str, ids: Sequence[str]) -> None:
    """Put newcomers into the order, after the bringer and those that share its turn."""
    progress = transaction.encounter.progress
    if not progress.round or bringer not in progress.order:
        join_order(transaction, *ids)
        return
    order = list(progress.order)
    group = transaction.combatant(bringer).state.group
    mates = [who for who in order if who == bringer or (group and _group(transaction, who) == group)]
    at = max(map(order.index, mates)) + 1
    order[at:at] = ids
    transaction.encounter = transaction.encounter.with_progress(order=tuple(order))
    late = [who for who in ids if passed(transaction.encounter, who)]
    transaction.put(*(transaction.combatant(who).with_state(done=progress.round) for who in late))


def _group(transaction: Transaction, who: str) -> str | None:
    return transaction.combatant(who).state.group


# Change form


def _become(transaction: Transaction, form: Became, who: str) -> None:
    """Give a combatant the sheet of another kind, or its own again."""
    combatant, here = transaction.combatant(who), transaction.encounter
    state, now = combatant.state, combatant.sheet
    if form.kind:
        sheet = _entry_sheet(transaction, form.kind, combatant.side, combatant)
        if sheet is None:
            return
        kept_form = {
            "form": state.form or "",
            "version": here.game.version,
            "sheet": without_defaults(now),
        }
        own = json.dumps(kept_form, ensure_ascii=False)
        state = replace(state, form=form.kind, stowed=(*state.stowed, own))
        says = f"{combatant.name} turns into {transaction.entries[form.kind].name}."
    elif state.stowed:
        try:
            own = json.loads(state.stowed[-1])
            sheet = read_sheet(here.game, converted(here.game, own.get("version", 1), own["sheet"]), "stowed")
        except (Wrong, ValueError, LookupError, TypeError, AttributeError):
            says = f"{combatant.name} cannot turn back: the sheet of its own form cannot be read."
            transaction.say(says, [who], seen="gm")
            return
        state = replace(state, form=own.get("form") or None, stowed=state.stowed[:-1])
        says = f"{combatant.name} turns back."
    else:
        return
    fields = fields_of(type(sheet)).values()
    passing = [field.name for field in fields if field.lasts in ("turn", "round")]
    kept = {name: getattr(now, name) for name in (*passing, *form.keeps)}
    changed_sheet = changed(replace(sheet, **kept), form.changes)
    new = Combatant(who, state, changed_sheet, combatant.conditions)
    transaction.put(sync_conditions(here, with_condition_fields(here, new)))
    transaction.say(says, [who])


def turn_all_back(transaction: Transaction) -> None:
    """Give all combatants their own form again, as the fight ends."""
    for who in transaction.encounter.progress.ids:
        while transaction.combatant(who).state.stowed:
            left = len(transaction.combatant(who).state.stowed)
            _become(transaction, Became("actor"), who)
            if len(transaction.combatant(who).state.stowed) == left:
                break


# Go


def _send(transaction: Transaction, sent: SentAway, who: str, sender: str | None) -> None:
    """Take a combatant out of the fight until it comes back."""
    combatant, number = transaction.combatant(who), transaction.encounter.progress.round
    if combatant.state.arrives:
        return
    was_seen = combatant.in_sight
    until = number + sent.rounds if sent.rounds else FOREVER
    bound = {"bringer": sender, "bound": sent.sustained_by} if sent.sustained_by else {}
    _put_away(transaction, who, until, **bound)
    away = transaction.combatant(who).arrival
    transaction.say(f"{combatant.name} {away}.", [who], seen="all" if was_seen else None)


def _put_away(transaction: Transaction, who: str, until: int, **bound: Any) -> None:
    """Take a combatant out of the order and away from all others, until a round."""
    leave_order(transaction, [who])
    near = transaction.combatant(who).state.near
    transaction.encounter = without_near(transaction.encounter, who, near)
    transaction.put(transaction.combatant(who).with_state(arrives=until, away=True, **bound))


def flee(transaction: Transaction, ids: Sequence[str]) -> None:
    """Let combatants leave the fight until the game master lets them return.

    Raises Refused for a combatant that has not arrived or cannot act.
    """
    for who in ids:
        combatant = transaction.combatant(who)
        arrived(combatant)
        status = transaction.encounter.status(combatant)
        if not status.acts:
            raise Refused(f"{combatant.name} is {status.name} and cannot flee; `remove` takes it out")
        transaction.say(f"{combatant.name} flees from the fight.", [who])
        _put_away(transaction, who, FOREVER)


def come_back(transaction: Transaction, who: str) -> None:
    """Let a combatant that was sent away take part again."""
    combatant = transaction.combatant(who)
    if not combatant.state.away:
        return
    back = combatant.with_state(arrives=0, away=False, bringer=None, bound=None)
    transaction.encounter = tags.come_in_sight(transaction.encounter, [back])
    join_order(transaction, who)
    transaction.say(f"{combatant.name} is back.", [who])


def leave_unbound(transaction: Transaction) -> None:
    """Remove the combatants that a condition has kept here, and bring back those that it has kept away."""
    here = transaction.encounter
    if not [each for each in here.combatants.values() if each.state.bound]:
        return
    loose = [each for each in here if each.state.bound and not _is_bound(here, each)]
    for back in loose:
        if back.state.away:
            come_back(transaction, back.id)
    if gone := [each.id for each in loose if not each.state.away]:
        said = transaction.sentences
        transaction.sentences = []
        remove(transaction, gone)
        transaction.sentences = [*said, *transaction.sentences]


def _is_bound(here: Encounter, combatant: Combatant) -> bool:
    bringer = here.combatants.get(combatant.state.bringer or "")
    return bringer is not None and any(held.name == combatant.state.bound for held in bringer.conditions)
