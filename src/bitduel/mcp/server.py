"""The MCP server: tools with checked arguments, the rules as resources, a prompt, and one sentence for every error."""

import logging
from collections.abc import Mapping
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError

from bitduel import __version__
from bitduel.core.errors import BitduelError, printable, unknown_name
from bitduel.games.registry import all_games
from bitduel.mcp.tools import INSTRUCTIONS, TOOLS, Tool, play_prompt, rules_markdown
from bitduel.service.match_service import MatchService
from bitduel.service.requests import ViewArguments
from bitduel.service.responses import MatchResult
from bitduel.storage import UnknownMatchError

log = logging.getLogger("bitduel.mcp")
Context = ServerRequestContext[Any, Any]

MOST_THREADS = 4
"""Calls in progress at the same time; others wait."""
POLL_INTERVAL = 0.25
"""Seconds between two checks of a match for a client that waits."""
UNFORESEEN = "Something went wrong on our side. Call view to see the match before you try again."
PLAY = "play"
RESOURCES = "bitduel://rules/"
MARKDOWN = "text/markdown"


class McpService:
    """The handlers of a server; they hold no state between two requests."""

    def __init__(self, service: MatchService) -> None:
        self.service = service
        self._limiter: anyio.CapacityLimiter | None = None

    async def list_tools(self, _ctx: Context, _params: object) -> types.ListToolsResult:
        """Return every tool with its schemas."""
        return types.ListToolsResult(tools=[_describe(name, tool) for name, tool in TOOLS.items()])

    async def call_tool(self, _ctx: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Return the result of a tool, or the sentence that says what is wrong."""
        try:
            if params.name not in TOOLS:
                raise unknown_name("tool", params.name, TOOLS)
            tool = TOOLS[params.name]
            arguments = _check_arguments(params.name, tool.arguments, params.arguments or {})
            result = await self._call(tool, arguments)
        except UnknownMatchError as error:
            return _error(f"{error} Check the match_id, or start a match with start_match.")
        except BitduelError as error:
            return _error(_sentence(str(error)))
        except Exception as error:
            # Its text may hold hidden information.
            log.error("unforeseen: %s in %s", type(error).__name__, printable(params.name))
            return _error(UNFORESEEN)
        text = types.TextContent(text=result.model_dump_json())
        return types.CallToolResult(content=[text], structured_content=result.model_dump(mode="json"))

    async def _call(self, tool: Tool, arguments: BaseModel) -> BaseModel:
        """Call a tool in a thread; a view that waits is called again until there is something new."""
        self._limiter = self._limiter or anyio.CapacityLimiter(MOST_THREADS)
        until = anyio.current_time() + (arguments.wait if isinstance(arguments, ViewArguments) else 0)
        call = partial(anyio.to_thread.run_sync, tool.call, self.service, arguments, limiter=self._limiter)
        first = result = await call()
        while _is_unchanged(first, result) and anyio.current_time() < until:
            await anyio.sleep(POLL_INTERVAL)
            result = await call()
        return result

    async def list_resources(self, _ctx: Context, _params: object) -> types.ListResourcesResult:
        """Return the rules of every game."""
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=f"{RESOURCES}{kind.slug}",
                    name=f"rules of {kind.slug}",
                    title=f"The rules of {kind.title}",
                    description=kind.aim,
                    mime_type=MARKDOWN,
                )
                for kind in all_games()
            ]
        )

    async def read_resource(self, _ctx: Context, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """Return the rules of one game."""
        uri = str(params.uri)
        known = {f"{RESOURCES}{kind.slug}": kind for kind in all_games()}
        if uri not in known:
            raise MCPError(types.INVALID_PARAMS, str(unknown_name("resource", uri, known)))
        text = rules_markdown(known[uri]())
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=params.uri, mime_type=MARKDOWN, text=text)]
        )

    async def list_prompts(self, _ctx: Context, _params: object) -> types.ListPromptsResult:
        """Return the one prompt."""
        arguments = [
            types.PromptArgument(name="game", description="The game. Default: the model chooses."),
            types.PromptArgument(name="opponent", description="The opponent. Default: medium."),
        ]
        prompt = types.Prompt(name=PLAY, title="Play a match", description="Play a whole match.", arguments=arguments)
        return types.ListPromptsResult(prompts=[prompt])

    async def get_prompt(self, _ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """Return the message that asks a model to play."""
        try:
            if params.name != PLAY:
                raise unknown_name("prompt", params.name, [PLAY])
            arguments = params.arguments or {}
            if more := sorted(arguments.keys() - {"game", "opponent"}):
                raise unknown_name("argument", more[0], ["game", "opponent"])
            text = play_prompt(arguments.get("game"), arguments.get("opponent"))
        except BitduelError as error:
            raise MCPError(types.INVALID_PARAMS, str(error)) from None
        return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=types.TextContent(text=text))])


def make_server(matches: MatchService) -> Server[Any]:
    """Return a server over the matches, to be run on any transport."""
    service = McpService(matches)
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


def _describe(name: str, tool: Tool) -> types.Tool:
    return types.Tool(
        name=name,
        description=tool.description,
        input_schema=without_titles(tool.arguments.model_json_schema()),
        output_schema=without_titles(tool.result.model_json_schema(mode="serialization")),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.changes_match,
            destructive_hint=False,
            idempotent_hint=tool.is_idempotent,
            open_world_hint=False,
        ),
    )


def without_titles(schema: Any) -> Any:
    """Return a schema without titles: they repeat the names of the fields, and models read all of it."""
    if isinstance(schema, list):
        return [without_titles(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    is_title = {key: key == "title" and isinstance(value, str) for key, value in schema.items()}
    return {key: without_titles(value) for key, value in schema.items() if not is_title[key]}


def _check_arguments(name: str, model: type[BaseModel], arguments: Mapping[str, Any]) -> BaseModel:
    """Return the arguments of a call; raise BitduelError with what is wrong with the first that does not fit."""
    try:
        return model.model_validate(arguments)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    field = printable(".".join(str(part) for part in first["loc"]))
    if first["type"] == "missing":
        raise BitduelError(f"{name} needs '{field}'.")
    if first["type"] == "extra_forbidden":
        raise (
            unknown_name("argument", field, model.model_fields)
            if model.model_fields
            else BitduelError(f"{name} takes no arguments. Leave out '{field}'.")
        )
    why = first["msg"].removeprefix("Value error, ")
    for begin in ("Input", "String", "List", "Dictionary"):
        why = why.replace(f"{begin} should ", "it should ", 1) if why.startswith(f"{begin} should ") else why
    raise BitduelError(f"{name} can't use that value for '{field}': {printable(why, 200)}.")


def _is_unchanged(first: BaseModel, now: BaseModel) -> bool:
    """Return whether a client that waits for a match has nothing new to see."""
    if not isinstance(first, MatchResult) or not isinstance(now, MatchResult):
        return False
    return not (now.over or now.your_turn or (now.seat is None and now.ply != first.ply))


def _error(sentence: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(text=sentence)], is_error=True)


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."
