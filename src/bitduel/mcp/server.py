"""The server: tools called with checked arguments, rules as resources, and a prompt; one sentence for every trouble."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError

from bitduel import __version__
from bitduel.core.errors import BitduelError, shown, unknown
from bitduel.games import shelf
from bitduel.mcp.game_tools import INSTRUCTIONS, SCHEME, beginning, sheet
from bitduel.mcp.requests import Look
from bitduel.mcp.responses import MatchTold
from bitduel.mcp.tools import TOOLS, Tool
from bitduel.service.match_service import MatchService
from bitduel.storage import UnknownMatchError

log = logging.getLogger("bitduel.mcp")
T = TypeVar("T")
Context = ServerRequestContext[Any, Any]

AT_ONCE = 4
"""So much is worked on at the same time; more waits its turn."""
PAUSE = 0.25
"""Seconds between two looks at a match for somebody who waits."""
UNFORESEEN = "Something went wrong here, and it is not your fault. Look at the match with view before you try again."
PLAY = "play"
MARKDOWN = "text/markdown"


class McpService:
    """What a client can ask for; nothing is kept between two requests."""

    def __init__(self, desk: MatchService) -> None:
        self.desk = desk
        self._room: anyio.CapacityLimiter | None = None

    async def list_tools(self, _ctx: Context, _params: object) -> types.ListToolsResult:
        """Every tool with the schemas of what it takes and gives."""
        return types.ListToolsResult(tools=[_described(name, tool) for name, tool in TOOLS.items()])

    async def call_tool(self, _ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """What a tool answers, or the sentence that says what is wrong."""
        try:
            if params.name not in TOOLS:
                raise unknown("tool", params.name, TOOLS)
            tool = TOOLS[params.name]
            given = await self._answer(tool, _checked(params.name, tool.takes, params.arguments or {}))
        except UnknownMatchError as error:
            return _trouble(f"{error} Check the match_id, or begin one with start_match.")
        except BitduelError as error:
            return _trouble(_sentence(str(error)))
        except Exception as error:
            # What it says may hold what nobody may know.
            log.error("unforeseen: %s in %s", type(error).__name__, shown(params.name))
            return _trouble(UNFORESEEN)
        text = types.TextContent(text=given.model_dump_json())
        return types.CallToolResult(content=[text], structured_content=given.model_dump(mode="json"))

    async def _answer(self, tool: Tool, wish: BaseModel) -> BaseModel:
        """What a tool gives; whoever looks at a match may wait for it to go on."""
        until = anyio.current_time() + (wish.wait if isinstance(wish, Look) else 0)
        first = given = await self._in_thread(partial(tool.work, self.desk, wish))
        while _waits(first, given) and anyio.current_time() < until:
            await anyio.sleep(PAUSE)
            given = await self._in_thread(partial(tool.work, self.desk, wish))
        return given

    async def _in_thread(self, work: Callable[[], T]) -> T:
        self._room = self._room or anyio.CapacityLimiter(AT_ONCE)
        return await anyio.to_thread.run_sync(work, limiter=self._room)

    async def list_resources(self, _ctx: Context, _params: object) -> types.ListResourcesResult:
        """The rules of every game."""
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=f"{SCHEME}{kind.slug}",
                    name=f"rules of {kind.slug}",
                    title=f"The rules of {kind.title}",
                    description=kind.aim,
                    mime_type=MARKDOWN,
                )
                for kind in shelf()
            ]
        )

    async def read_resource(self, _ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The rules of one game."""
        uri = str(params.uri)
        known = {f"{SCHEME}{kind.slug}": kind for kind in shelf()}
        if uri not in known:
            raise MCPError(types.INVALID_PARAMS, str(unknown("resource", uri, known)))
        text = sheet(known[uri]())
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=MARKDOWN, text=text)]
        )

    async def list_prompts(self, _ctx: Context, _params: object) -> types.ListPromptsResult:
        """The one prompt there is."""
        wanted = [
            types.PromptArgument(name="game", description="Which game; without it the model chooses."),
            types.PromptArgument(name="opponent", description="Against whom; without it against medium."),
        ]
        prompt = types.Prompt(name=PLAY, title="Play a match", description="Play a match to its end.", arguments=wanted)
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(self, _ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """What a client says to begin to play."""
        try:
            if params.name != PLAY:
                raise unknown("prompt", params.name, [PLAY])
            given = params.arguments or {}
            if more := sorted(given.keys() - {"game", "opponent"}):
                raise unknown("argument", more[0], ["game", "opponent"])
            text = beginning(given.get("game"), given.get("opponent"))
        except BitduelError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=types.TextContent(text=text))])


def make_server(desk: MatchService) -> Server[Any]:
    """A server over a desk, to be run on any transport."""
    service = McpService(desk)
    return Server(
        "bitduel",
        version=__version__,
        title="bitduel",
        instructions=INSTRUCTIONS,
        on_list_tools=service.list_tools,
        on_call_tool=service.call_tool,
        on_list_resources=service.list_resources,
        on_read_resource=service.read_resource,
        on_list_prompts=service.list_prompts,
        on_get_prompt=service.get_prompt,
    )


def _described(name: str, tool: Tool) -> types.Tool:
    return types.Tool(
        name=name,
        description=tool.about,
        input_schema=lean(tool.takes.model_json_schema()),
        output_schema=lean(tool.gives.model_json_schema(mode="serialization")),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.changes,
            destructive_hint=False,
            idempotent_hint=tool.again,
            open_world_hint=False,
        ),
    )


def lean(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without titles, which only say once more what a field is called: models read all of it."""
    kept = {key: value for key, value in schema.items() if not (key == "title" and isinstance(value, str))}
    return {key: _lean(value) for key, value in kept.items()}


def _lean(value: Any) -> Any:
    if isinstance(value, list):
        return [_lean(each) for each in value]
    return lean(value) if isinstance(value, dict) else value


def _checked(name: str, takes: type[BaseModel], arguments: Mapping[str, Any]) -> BaseModel:
    """The arguments of a call as they are declared; raises BitduelError with what is wrong with the first."""
    try:
        return takes.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    place = shown(".".join(str(part) for part in first["loc"]))
    if first["type"] == "missing":
        raise BitduelError(f"{name} needs '{place}'.")
    if first["type"] == "extra_forbidden":
        raise (
            unknown("argument", place, takes.model_fields)
            if takes.model_fields
            else BitduelError(f"{name} takes no arguments, and so no '{place}'.")
        )
    why = first["msg"].removeprefix("Value error, ")
    for begin in ("Input", "String", "List", "Dictionary"):
        why = why.replace(f"{begin} should ", "it should ", 1) if why.startswith(f"{begin} should ") else why
    raise BitduelError(f"{name} cannot take that as '{place}': {shown(why, 200)}.")


def _waits(first: BaseModel, now: BaseModel) -> bool:
    """Whether somebody who looks at a match sees nothing yet that is worth waking for."""
    if not isinstance(first, MatchTold) or not isinstance(now, MatchTold):
        return False
    return not (now.over or now.your_turn or (now.seat is None and now.ply != first.ply))


def _trouble(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=sentence)], is_error=True)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
