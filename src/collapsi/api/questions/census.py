"""Questions about all deals of a rule set."""

from typing import TYPE_CHECKING

from collapsi.api.census_views import deal_class_json
from collapsi.api.question import CensusStatus, CensusWork, question
from collapsi.api.questions.parameters import PositionText, RulesName, read_game, read_rules
from collapsi.core.decks import deck_of, format_deck
from collapsi.core.errors import CollapsiError
from collapsi.core.rules import RuleSet
from collapsi.games.classic.rules import STANDARD, Rules
from collapsi.games.kind import Can
from collapsi.games.registry import require

if TYPE_CHECKING:
    from collapsi.api import models


@question("census", summary="Count all deals by kind")
def census(rules: RulesName = "standard") -> "CensusStatus[models.Census]":
    """How many deals there are of each length and number of winning first moves. If there is no census yet,
    this request starts it.
    """
    chosen = read_rules(rules)
    refuse_uncounted(chosen)
    return CensusStatus(chosen.name)


@question("census/deal", summary="Look a deal up in the census")
def census_deal(position: PositionText, rules: RulesName = "standard") -> "CensusWork[models.DealClass]":
    """Which truly different deal it is, how rare its length is, and its symmetric twins."""
    deal = read_game(position, rules=rules).position
    refuse_uncounted(deal.rules)
    return CensusWork(deal.rules.name, lambda census: deal_class_json(census, deal))


def refuse_uncounted(rules: RuleSet) -> None:
    """Raise an error for rules without a census here."""
    require(rules, Can.CENSUS)
    if not isinstance(rules, Rules):
        msg = f"the census of {rules} takes minutes: use collapsi census --rules {rules}"
        raise CollapsiError(msg)
    deck = deck_of(rules)
    if deck != deck_of(STANDARD):  # there are hundreds, each with files of its own
        msg = f"the census here is of the official deck: use collapsi census --deck {format_deck(deck)}"
        raise CollapsiError(msg)
