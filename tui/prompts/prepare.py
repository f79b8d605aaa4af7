"""Ask for the targets and options of an action, or carry it out if there is nothing to ask."""

from collections.abc import Callable, Mapping, Sequence

from systems.commands.offers import action_line, alike, first_choice, leaves_open, question_of
from systems.contract.ruleset import Action
from systems.encounter.model import Combatant, Offer
from systems.text import plain_word
from tui.display.frame import offer_does
from tui.lists.action_answers import is_asked_for_first, refusal_of
from tui.lists.prepared_action import settled_options
from tui.prompts.line import LinePrompt, Reading, Suggestion
from tui.prompts.own_action import OptionalTargetPrompt, OwnActionPrompt, is_for_the_party
from tui.prompts.table_targets import TableTargets
from tui.prompts.targets import TargetPrompt
from tui.services import OpenPrompt, Services


class OffersPrompt(LinePrompt):
    """Lists offers by combatant: a name or tag, or the arrows, then Enter takes that one."""

    ENTER = "take it"
    TAB = ""
    label = "who"

    def __init__(self, services: Services, offers: Sequence[Offer], take: Callable[[Offer], None]) -> None:
        super().__init__(services)
        self._offers, self._take = offers, take

    def title(self) -> str:
        return question_of(self.source.encounter, self._offers)

    def suggest(self) -> Sequence[Suggestion]:
        """List the combatants, by name or tag as typed."""
        typed = plain_word(self.line.text)
        found = []
        for at, offer in enumerate(self._offers):
            combatant = self._combatant(offer)
            if combatant is None:
                continue
            name, does = plain_word(combatant.name), offer_does(offer, self.source.encounter)
            if combatant.tag == typed or any(word.startswith(typed) for word in (name, *name.split("_"))):
                shown = f"{combatant.tag:>3} {combatant.name}"
                found.append(Suggestion(str(at), shown, does, "accent"))
        return found

    def _combatant(self, offer: Offer) -> Combatant | None:
        return self.source.encounter.combatants.get(offer.about or offer.by or "")

    def read(self) -> Reading:
        if not self.suggestions:
            return Reading(wrong="nobody in the list is called that")
        return Reading(says=f"{len(self.suggestions)} of {len(self._offers)}")

    def enter(self) -> None:
        found = self.suggestions
        if not found:
            self.services.say(self.read().wrong, error=True)
            self.refresh()
            return
        chosen = found[min(self.chosen or 0, len(found) - 1)]
        self.close()
        self._take(self._offers[int(chosen.text)])


def prepare(
    services: Services,
    action: Action,
    target: str = "",
    given: Mapping[str, str] | None = None,
    actor: Combatant | None = None,
    asked_by: OpenPrompt | None = None,
    *,
    always_asks: bool = False,
) -> None:
    """Ask for the targets and options of an action, or carry it out if there is nothing to ask.

    `target`: the id to mark at first, by default the combatant under the cursor. `given`: options to fill in.
    `actor`: by default the combatant whose turn it is. `asked_by`: the question to open again if the action
    is refused. A choice is not asked about if the rules refuse all its values. `always_asks`: wait for Enter
    even if there is nothing to choose.
    """
    named, actor = actor is not None, actor or services.actor
    if actor is None:
        say_nobody_has_turn(services)
        return
    if not given and is_asked_for_first(action, actor) and (refused := _refusal(services, action, actor)):
        other = None if named else _who_can(services, action)
        if other is None:
            services.say(refused, error=True)
            return
        actor = other
    settled = None if given or always_asks else _settled(services, action, actor)
    if settled is not None:
        services.command(action_line(action.name, (), settled, actor.id), asked_by=asked_by)
    elif action.targets == "none":
        services.prompts.open(OwnActionPrompt(services, action, actor, given))
    elif action.targets == "optional":
        services.prompts.open(OptionalTargetPrompt(services, action, actor, given, target))
    else:
        targets = TableTargets(services, action, actor, given, target)
        services.prompts.open(TargetPrompt(services, targets, given))


def say_nobody_has_turn(services: Services) -> None:
    """Say that no combatant has the turn, and which key changes that."""
    names, source = services.key_names, services.source
    if source is not None and source.encounter.progress.over:
        services.say(f"the fight is over: {names['undo']} undoes the end", error=True)
        return
    there = source is not None and any(True for _ in source.encounter)
    begins = f"{names['next']} begins the fight" if there else f"{names['add']} adds combatants"
    services.say(f"nobody has the turn: {begins}", error=True)


def _refusal(services: Services, action: Action, actor: Combatant) -> str:
    return refusal_of(services.source, actor, action) if services.source else ""


def _who_can(services: Services, action: Action) -> Combatant | None:
    """Return a combatant that can make a choice if the actor can't: under the cursor, or with an offer."""
    source = services.source
    if source is None:
        return None
    people = source.encounter.combatants
    offered = [offer.by for offer in source.encounter.offers if offer.action == action.name and offer.by]
    likely = [services.under_cursor, *(people[who] for who in offered)]
    return next((each for each in likely if each and not _refusal(services, action, each)), None)


def _settled(services: Services, action: Action, actor: Combatant) -> Mapping[str, str] | None:
    """Return the options of an action if nothing has to be asked, else None."""
    source = services.source
    if source is None or is_for_the_party(services, action):
        return None
    return settled_options(source, action, actor)


def take(services: Services, offer: Offer, asked_by: OpenPrompt | None = None) -> None:
    """Carry out an offer. If it leaves options open, ask for them with the suggested values filled in.

    Several offers that are one question are listed first. An offer that may be left from an earlier turn and
    asks nothing is listed too, so that Enter alone does not take it.
    `asked_by`: the question from which it was chosen, opened again if it is refused.
    """
    source = services.source
    if source is not None and asked_by is None:
        offers = alike(source.encounter, offer)
        declared = source.game.action(offer.action or "")
        asks = declared is not None and leaves_open(declared, offer)
        if len(offers) > 1 or (offer.lasts and not asks):
            _choose(services, offers)
            return
    action = source.game.action(offer.action or "") if source else None
    by = source.encounter.combatants.get(offer.by or "") if source else None
    if action is not None and by is not None and leaves_open(action, offer):
        first = first_choice(action, offer)
        if action.targets == "none":
            services.prompts.open(OwnActionPrompt(services, action, by, offer.options, option=first))
        else:
            targets = TableTargets(services, action, by, offer.options, offer.target or "")
            services.prompts.open(TargetPrompt(services, targets, offer.options, option=first))
    else:
        services.command(offer.command or "", asked_by=asked_by)


def _choose(services: Services, offers: Sequence[Offer]) -> None:
    """Ask which of several offers is taken."""
    prompt = OffersPrompt(services, offers, lambda offer: take(services, offer, prompt))
    services.prompts.open(prompt)
