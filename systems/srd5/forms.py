"""Other forms of a creature, such as those of a werewolf: its size and speed, and what it can use in them."""

from typing import Any

from systems.contract.action import Action, Refusal, Scene
from systems.contract.outcome import Explanation, Outcome, refuse
from systems.contract.table import Table
from systems.schema.conversion import entry_meant
from systems.schema.fields import declare, text
from systems.schema.naming import Naming
from systems.srd5 import costs
from systems.srd5.house import House
from systems.srd5.sheet import Sheet


@declare
class FormOptions:
    form: str = text(help="a form of the sheet by name", naming=Naming("forms", free=False, needs="form"))


def change_form(scene: Scene[Sheet, FormOptions, House], table: Table) -> Outcome:
    """Take another form; everything that the form does not name stays the same."""
    actor, name = scene.actor, scene.options.form
    form = entry_meant(actor.forms, name, "form")
    if refused := costs.cannot_act(scene, "take another form"):
        return refused
    if actor.form == form.name:
        return refuse("form", f"{scene.actor_name} has the {form.name} form already.")
    changes: dict[str, Any] = {"form": form.name, "size": form.size or actor.size}
    if form.speed:
        changes["speed"] = form.speed
    if form.resistances:
        changes["resistances"] = form.resistances
    return Outcome(
        {"form": form.name},
        {"actor": changes},
        lambda: Explanation(f"{scene.who_acts} takes the {form.name} form."),
    )


CHANGE_FORM = Action(
    "change_form",
    "Take another form of the sheet, such as that of a wolf.",
    change_form,
    FormOptions,
    facts={"form": "the form"},
    refusals=(costs.STATUS, Refusal("form", "it has that form already")),
    group="turn",
    title="change form",
    verb="take another form",
)
