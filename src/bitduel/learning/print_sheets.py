"""Sheets to print for teachers: rules, worksheet, answers and a version to cut out, for any game and settings."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markupsafe import Markup

from bitduel import __version__
from bitduel.core.errors import unknown_name
from bitduel.core.game import PASS, Game
from bitduel.core.match import Match
from bitduel.core.phrases import game_phrase
from bitduel.core.picture import Picture
from bitduel.core.words import PLAYERS
from bitduel.core.worksheet import HasWorksheet, SheetError, game_worksheet, unplugged_game
from bitduel.rendering.qr import qr_svg
from bitduel.rendering.sheets import (
    GAP,
    LINE,
    SIZES,
    WIDTH,
    SheetBlock,
    answer_block,
    complete_style,
    lines_of,
    part_blocks,
    pictures_block,
    question_block,
    text_block,
)
from bitduel.rendering.svg import join, tag
from bitduel.solver.evaluators import evaluator_for

SHEETS = {"rules": "Rule sheet", "worksheet": "Worksheet", "unplugged": "Unplugged version"}
"""The kinds of sheets."""
ALL = "all"
PAPERS = {"a4": "A4", "letter": "Letter"}
ANSWERS = "Answers"
PLAY = "Play it: "
PLAN = "docs/teaching.md"
"""The document with a lesson plan for every game."""
PAGE, FOOT = 254.0, 10.0
"""The height of a page of the shorter paper, and what its foot takes, in millimetres."""
HEAD_GAP, TITLE_LINE, NAME_LINE = 6.5, 7.5, 10.0
"""What a head takes besides its lines, and the heights of a line of its title and of the name."""
TITLE_LETTER, BOLD_LETTER = 3.6, 2.3
"""The widths of a letter of the title, and of the game's name on later pages."""
CODE, CODE_WIDTH, CODE_LINE, CODE_LETTER = 22.0, 47.0, 3.0, 1.45
"""The side of a QR code, the width of what stands at it with a gap, and the lines and letters of the address below."""
WIDE = 1.5
"""How many usual letters a wide one takes: m, w and capitals."""
FULLEST = 0.98
"""The part of a page that is filled at most."""
EXAMPLE_PLIES = (7, 5, 3)
"""The lengths of a short match, the best first."""
MORE_PLIES, MOST_PLIES = 2, 14
"""How much longer a match may be, and how long any is that is played in search of one."""
TRIES = 400


class Sheet(NamedTuple):
    """One sheet: its title, its blocks, and whether pupils write their name on it."""

    title: str
    blocks: list[SheetBlock]
    has_name: bool = False
    parts: tuple[list[SheetBlock], ...] = ()
    """Parts to cut out, each kept on one page where it fits."""


def available_sheets(kind: type[Game[Any]]) -> dict[str, str]:
    """Return the kinds of sheets that a game has, with their names."""
    return SHEETS if issubclass(kind, HasWorksheet) else {"rules": SHEETS["rules"]}


def chosen_kinds(kind: type[Game[Any]], sheet: str) -> tuple[str, ...]:
    """Return the kinds of sheets that a name stands for; raise SheetError with the names there are."""
    if sheet == ALL:
        return tuple(available_sheets(kind))
    if sheet not in SHEETS:
        raise SheetError(str(unknown_name("sheet", sheet, (*SHEETS, ALL))))
    return (sheet,)


def check_paper(paper: str) -> str:
    """Return the name of a paper size; raise SheetError with the sizes there are."""
    if paper not in PAPERS:
        raise SheetError(str(unknown_name("paper size", paper, (*PAPERS,))))
    return paper


def make_sheets(game: Game[Any], kinds: Sequence[str], has_answers: bool, address: str = "") -> list[Sheet]:
    """Return the sheets of a game, with room for its address on a site; the answers follow the worksheet."""
    sheets = []
    for kind in kinds:
        if kind == "rules":
            sheets.append(rule_sheet(game, address))
        elif kind == "worksheet":
            sheets += worksheets(game, has_answers)
        else:
            sheets.append(unplugged_sheet(game))
    return sheets


def rule_sheet(game: Game[Any], address: str = "") -> Sheet:
    """Return the rules on one page, with a short match, and pictures of it as large as fit."""
    rules = [text_block("", (game.goal,)), text_block("Rules", game.words.rules(), is_list=True)]
    room = FULLEST * (PAGE - FOOT - _head_height(game, address)) - sum(block.height for block in rules)
    for plies, size in product(EXAMPLE_PLIES, SIZES):
        match = example_match(game, plies)
        title = "A short match" if match.outcome else "The first moves of a match"
        examples = [pictures_block(_pictures(match), size), text_block(title, _told(match), is_list=True)]
        if sum(block.height for block in examples) <= room:
            return Sheet(SHEETS["rules"], [*rules, *examples])
    return Sheet(SHEETS["rules"], rules)


def _pictures(match: Match) -> list[tuple[Picture, str]]:
    """Return the start of a match and a later moment, with captions; what Player 1 sees where something is hidden."""
    seat = 1 if match.game.is_hidden else None
    seen = " (Player 1's view)" if seat else ""
    middle = max(1, match.ply * 2 // 3)
    captions = {0: f"The start{seen}", middle: f"After {middle} {'move' if middle == 1 else 'moves'}{seen}"}
    return [(match.game.picture(match.at(ply).view(seat), PLAYERS), words) for ply, words in captions.items()]


def _told(match: Match) -> list[str]:
    """Return what is said after each move of a match, and at its end."""
    lines = []
    for ply, move in enumerate(match.moves):
        seat = match.seat_at(ply)
        view = match.at(ply + 1).view(seat)
        said, name = " ".join(_said(match, view, move, seat)), PLAYERS[seat - 1]
        symbol = match.game.words.symbol(move)
        lines.append(said if said.startswith(name) else f"{name}{f' ({symbol})' if symbol else ''}: {said}")
    if match.outcome:
        ending = [line for line in match.game.words.end(match.outcome, PLAYERS) if line and not line.startswith("-")]
        lines[-1] += " " + " ".join(ending)
    return lines


def _said(match: Match, view: Any, move: str, seat: int) -> list[str]:
    words = match.game.words
    if move == PASS:
        return [words.passed(PLAYERS[seat - 1])]
    return [_sentence(line) for line in words.played(view, move, PLAYERS[seat - 1]) if line.strip()]


def _sentence(line: str) -> str:
    line = line.strip()
    return line if line.endswith((".", "!")) else f"{line}."


def example_match(game: Game[Any], plies: int) -> Match:
    """Return a match of about so many plies with moves at random, won by its last move; always the same.

    The winner has got somewhere: a row that in the end is as at the start explains little.
    Where no such match is found, it is the beginning of a longer one.
    """
    best, least = None, (True, True, 1_000)
    for seed in range(TRIES):
        match = _random_match(game, Random(seed))
        outcome = match.outcome
        is_won = bool(outcome and outcome.winner == match.seat_at(match.ply - 1))
        badness = (not is_won, is_won and _is_back(match), abs(match.ply - plies))
        if best is None or badness < least:
            best, least = match, badness
        if least == (False, False, 0):
            break
    assert best is not None, "one match has been played"
    is_short = best.outcome and best.ply <= plies + MORE_PLIES
    return best if is_short else best.at(min(plies, best.ply))


def _is_back(match: Match) -> bool:
    """Return whether the winner's row is as at the start; False where there is no such row."""
    winner = match.outcome.winner if match.outcome else None
    first, last = (
        [
            [cell.text for cell in row.cells]
            for row in match.game.picture(match.at(ply).view(winner), PLAYERS).rows
            if row.seat == winner
        ]
        for ply in (0, match.ply)
    )
    return bool(first) and first == last


def _random_match(game: Game[Any], rng: Random) -> Match:
    """Play moves at random; a secret that an option chose stays secret."""
    game = type(game)(**game.open_options)
    match = Match(game, deal=game.deal(rng))
    while match.to_move and match.ply < MOST_PLIES:
        match.play(rng.choice(match.legal))
    return match


def worksheets(game: Game[Any], has_answers: bool) -> list[Sheet]:
    """Return the worksheet of a game, and a sheet with its answers."""
    worksheet = game_worksheet(game, evaluator_for)
    numbered = list(enumerate(worksheet.questions, 1))
    rules = text_block("", [" ".join(game.words.short_rules()), worksheet.introduction])
    sheets = [Sheet(SHEETS["worksheet"], [rules, *(question_block(*each) for each in numbered)], has_name=True)]
    if has_answers:
        sheets.append(Sheet(f"{SHEETS['worksheet']}: {ANSWERS.lower()}", [answer_block(*each) for each in numbered]))
    return sheets


def unplugged_sheet(game: Game[Any]) -> Sheet:
    """Return how a game is played without computers, and the pieces to cut out."""
    unplugged = unplugged_game(game)
    blocks = [
        text_block("You need", (unplugged.material,)),
        text_block("How to play", unplugged.steps, is_list=True),
        text_block("With the whole class", (unplugged.whole_class,)),
    ]
    return Sheet(SHEETS["unplugged"], blocks, parts=tuple(part_blocks(part) for part in unplugged.parts))


def settings_query(game: Game[Any]) -> str:
    """Return the settings that are not the usual ones, as the query of an address on a site."""
    defaults = {option.name: option.default for option in game.declared_options}
    chosen = {f"opt-{name}": value for name, value in game.open_options.items() if value != defaults[name]}
    return f"?{urlencode(chosen)}" if chosen else ""


def game_address(site: str, game: Game[Any]) -> str:
    """Return the address of a game with its settings on a running site."""
    return f"{site.rstrip('/')}/games/{game.slug}{settings_query(game)}"


def sheets_html(game: Game[Any], sheets: Sequence[Sheet], paper: str, address: str = "") -> Markup:
    """Return the pages of some sheets; with the address of the game on a running site, as a QR code too."""
    pages = join(_pages(game, sheet, address) for sheet in sheets)
    return tag("div", pages, class_=f"sheets paper-{check_paper(paper)}")


def document(game: Game[Any], sheets: Sequence[Sheet], paper: str, address: str = "") -> str:
    """Return a complete page that loads nothing else."""
    title = f"{game_phrase(game)}: {', '.join(dict.fromkeys(sheet.title.lower() for sheet in sheets))}"
    head = join(
        [
            Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
            tag("title", title),
            tag("style", Markup(complete_style())),
        ]
    )
    body = tag("body", tag("main", tag("h1", title), sheets_html(game, sheets, paper, address)))
    return f'<!doctype html>\n<html lang="en"><head>{head}</head>{body}</html>\n'


def paginate(sheet: Sheet, first: float, later: float) -> list[list[SheetBlock]]:
    """Return the blocks of a sheet in the fewest pages that hold them, filled evenly; parts are not split."""
    if sheet.parts:
        return _with_parts(sheet, first, later)
    groups = [[block] for block in sheet.blocks]
    fewest = len(_fill(groups, first, later))
    parts = (tenth / 50 for tenth in range(10, 51))
    return next(pages for part in parts if len(pages := _fill(groups, first * part, later * part)) == fewest)


def _with_parts(sheet: Sheet, first: float, later: float) -> list[list[SheetBlock]]:
    """Return all on one page, or else all parts on another, or else the parts one after the other."""
    pages = _fill([sheet.blocks, *sheet.parts], first, later)
    parts = [block for part in sheet.parts for block in part]
    if len(pages) == 2 and sum(block.height for block in parts) <= later:
        return [sheet.blocks, parts]
    return pages


def _fill(groups: Sequence[list[SheetBlock]], first: float, later: float) -> list[list[SheetBlock]]:
    """Fill page after page; a group goes to the next page if it fits there as a whole, and else is split."""
    pages: list[list[SheetBlock]] = [[]]
    room = first
    for group in groups:
        height = sum(block.height for block in group)
        if pages[-1] and room < height <= later:
            pages.append([])
            room = later
        for block in group:
            if pages[-1] and block.height > room:
                pages.append([])
                room = later
            pages[-1].append(block)
            room -= block.height
    return pages


def _pages(game: Game[Any], sheet: Sheet, address: str) -> Markup:
    room = PAGE - FOOT
    first = room - _head_height(game, address, sheet.has_name)
    pages = paginate(sheet, FULLEST * first, FULLEST * (room - _later_head_height(game)))
    return join(_page(game, sheet, page, (number, len(pages)), address) for number, page in enumerate(pages, 1))


def _head_height(game: Game[Any], address: str, has_name: bool = False) -> float:
    """Return the height of the head of a first page: its title and its name, or a code with an address."""
    width = WIDTH - (CODE_WIDTH if address else 0)
    titles = TITLE_LINE * lines_of(game_phrase(game), width, TITLE_LETTER) + LINE + (NAME_LINE if has_name else 0)
    wide = sum(letter in "mw%" or letter.isupper() for letter in address)
    letter = CODE_LETTER * (1 + (WIDE - 1) * wide / max(1, len(address)))
    code = CODE + CODE_LINE * lines_of(PLAY + address, CODE_WIDTH - GAP, letter) if address else 0
    return HEAD_GAP + max(titles, code)


def _later_head_height(game: Game[Any]) -> float:
    return HEAD_GAP + LINE * (lines_of(game_phrase(game), WIDTH, BOLD_LETTER) + 1)


def _page(game: Game[Any], sheet: Sheet, blocks: Sequence[SheetBlock], place: tuple[int, int], address: str) -> Markup:
    number, count = place
    title = tag("h2", game_phrase(game)) if number == 1 else tag("p", tag("b", game_phrase(game)))
    parts = [title, tag("p", f"{sheet.title}{f', page {number} of {count}' if count > 1 else ''}", class_="sheet-kind")]
    if sheet.has_name and number == 1:
        parts.append(
            tag(
                "p",
                "Name",
                tag("span", class_="sheet-blank"),
                "Class",
                tag("span", class_="sheet-blank sheet-short"),
                class_="sheet-name",
            )
        )
    play = Markup("")
    if address and number == 1:
        play = tag("div", qr_svg(address, "QR code: play this game"), tag("span", PLAY, address), class_="sheet-play")
    head = tag("header", tag("div", *parts), play, class_="sheet-head")
    foot = tag(
        "footer",
        tag("span", f"bitduel {__version__}: {game.title}, {sheet.title.lower()}"),
        tag("span", f"Lesson plan: {PLAN}"),
        class_="sheet-foot",
    )
    return tag("article", head, *(block.html for block in blocks), foot, class_="sheet-page")
