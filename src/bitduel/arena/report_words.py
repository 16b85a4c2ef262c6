"""What a report says in words, before any table."""

from bitduel.arena.names import called
from bitduel.arena.report import Report
from bitduel.arena.strength import Strength, Strengths


def summary(report: Report) -> list[str]:
    """A few sentences that tell what came out, and how sure it is."""
    said = [_extent(report), *_strongest(report.strengths), *_play(report)]
    return [*said, *_faults(report), *_abandoned(report), *_isolation(report), *_luck(report), *_dark(report)]


def _extent(report: Report) -> str:
    games, players, titles = report.tally.games, len(report.measured), len(report.titles)
    where = report.titles[0].name if titles == 1 else f"{titles} different games"
    return f"{_count(games, 'match', 'matches')} between {_count(players, 'player')} at {where}."


def _strongest(found: Strengths) -> list[str]:
    if len(found.players) < 2:
        return ["With one player only there is nobody to compare with."]
    if found.groups > 1:
        return [
            f"The players form {found.groups} groups that never met, not even by way of others: strengths can be "
            "compared within a group only."
        ]
    best, *others = found.players
    near = [each for each in others if found.lead[each.player].ends[0] <= 0]
    if round(best.points.value) == round(others[-1].points.value):
        return ["All players came out equally strong."]
    lead = f"{_name(best)} is the strongest, at {best.points.value:+.0f} points"
    if best.points.is_open:
        said = f"{lead}, but so few rounds do not tell how sure that is."
    elif not near:
        said = f"{lead}, clearly above all others."
    elif len(near) == len(others):
        said = f"{lead}, but these matches tell nobody apart."
    else:
        said = f"{lead}, but is not told apart from {_listed([_name(each) for each in near])}."
    noted = [each for each in found.players if each.note][:2]
    notes = [f"{_name(each)} {each.note}, so its strength is only bounded on one side." for each in noted]
    return [said, *notes]


def _play(report: Report) -> list[str]:
    judged = [each for each in report.measured if each.play.regret]
    clean = [each for each in judged if each.play.regret and each.play.regret.value == 0]
    said = []
    if clean:
        decisions = sum(each.play.decisions for each in clean)
        names = _listed([called(each.player) for each in clean])
        said.append(f"{names} gave nothing away in {decisions:,} decisions.")
    worst = max(judged, key=lambda each: each.play.regret.value if each.play.regret else 0, default=None)
    if worst and worst.play.regret and worst.play.regret.value > 0:
        value, low, high = worst.play.regret
        sure = "" if low is None or high is None else f" ({low:.3f} to {high:.3f})"
        most = f"{called(worst.player)} gave away most: {value:.3f}{sure} points a decision"
        said.append(f"{most}, in the mean of its matches.")
    return said


def _faults(report: Report) -> list[str]:
    if not report.ended_by_fault:
        return []
    count = _count(report.ended_by_fault, "match", "matches")
    whose = "It counts as a loss" if report.ended_by_fault == 1 else "Each counts as a loss"
    return [f"{count} ended by a fault. {whose} of whoever was at fault; the same without is shown beside it."]


def _abandoned(report: Report) -> list[str]:
    if not report.abandoned:
        return []
    count = _count(report.abandoned, "match", "matches")
    counts = "It counts as a draw" if report.abandoned == 1 else "Each counts as a draw"
    return [f"{count} reached the limit of plies without a winner, and ended as abandoned. {counts}, not as a fault."]


def _isolation(report: Report) -> list[str]:
    if not report.not_isolated:
        return []
    names = _listed([called(name) for name in report.not_isolated])
    return [
        f"{names} played without isolation: what such a bot learns in one match it can use in the next. Results of "
        "bots that you do not trust are not protected."
    ]


def _luck(report: Report) -> list[str]:
    said = []
    for title in report.titles:
        parts = [each.explained for each in title.luck if each.explained is not None]
        if parts:
            most = _percent(max(parts))
            said.append(f"In {title.name} the deals explain {most} of the most luck-bound player's results.")
    return said


def _dark(report: Report) -> list[str]:
    said = []
    for title in report.titles:
        proved = [each for each in title.exploited if each.is_shown]
        if proved:
            worst = proved[-1]
            said.append(
                f"In {title.name} {called(worst.player)} can be exploited most: a reply learnt from half of its "
                f"matches wins {_percent(worst.value.value)} of the other half."
            )
        elif title.exploited:
            said.append(f"In {title.name} nobody was shown to be exploitable in so many matches.")
    return said


def _name(each: Strength) -> str:
    return called(each.player)


def _listed(names: list[str]) -> str:
    few = names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} others"]
    return " and ".join([", ".join(few[:-1]), few[-1]] if len(few) > 1 else few)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _percent(part: float) -> str:
    return f"{100 * part:.0f}%"
