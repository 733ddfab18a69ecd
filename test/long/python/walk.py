"""Calls whatever a typed connector of the reference service offers, and prints each call with its outcome as a line of JSON."""

import importlib
import inspect
import json
import sys
import tempfile
from pathlib import Path

import httpx
from pydantic import BaseModel, ValidationError

# What to ask: of each kind the params of its operations, its searches and its statements of SQL.
asked = json.load(sys.stdin)


def plain(value):
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True)
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if hasattr(value, "__dataclass_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    return value


# The answers of the call that is being made, by the ids that the server gave them.
answers = []
send = httpx.AsyncClient.send


async def send_and_note(client, request, **more):
    response = await send(client, request, **more)
    answers.append(response.headers["x-request-id"])
    return response


httpx.AsyncClient.send = send_and_note


async def tell(kind, entity, method, call):
    """Makes a call, prints what came of it, and gives its result."""
    line, result = {"kind": kind, "entity": entity, "method": method}, None
    answers.clear()
    try:
        called = call()
        result = await called if inspect.isawaitable(called) else called
        line["result"] = plain(result)
    except Exception as error:
        line["error"] = {"type": type(error).__name__, "message": str(error)}
    print(json.dumps({**line, "answers": answers}, default=str), flush=True)
    return result


def connector_class(module):
    loaded = importlib.import_module(f"{module}.connector")
    return next(one for name, one in vars(loaded).items() if name.endswith("Connector") and one.__module__ == loaded.__name__)


def credentials_of(Connector, kind):
    """The kind's credentials in the form of the client."""
    models = importlib.import_module(Connector.__module__.replace(".connector", ".models"))
    forms = [one for name, one in vars(models).items() if name.endswith("AuthConfig") and isinstance(one, type)]
    for given in asked["kinds"][kind]["credentials"]:
        for form in forms:
            try:
                return form(**given)
            except ValidationError:
                pass
    raise LookupError(f"{Connector.__name__} takes none of the credentials")


def methods_of(connector):
    """Every method of every entity, by the client's own list of entities; none where only `execute` serves an action."""
    for described in connector.list_entities():
        query = getattr(connector, described["entity_name"])
        names = [name for name, _ in inspect.getmembers(query, inspect.iscoroutinefunction) if not name.startswith("_")]
        for name in sorted({*names, *described["available_actions"]}):
            yield described["entity_name"], name, getattr(query, name, None)


async def walk(connector, kind):
    of_kind = asked["kinds"][kind]

    def params_of(entity, action, name=None):
        """The params in the words of the client; None if there are none to ask with."""
        names = {wire: name for name, wire in connector._PARAM_MAP.get((entity, action), {}).items()}
        params = of_kind["params"].get(entity, {}).get(action)
        # Some methods take a param by its name on the wire.
        taken = inspect.signature(getattr(getattr(connector, entity), name or action)).parameters
        return None if params is None else {one if one in taken else names.get(one, one): value for one, value in params.items()}

    def call_of(entity, name, method):
        if name in ("search", "context_store_search"):
            return lambda: method(**of_kind["searches"].get(entity, {"query": {}}))
        if name == "context_store_sql_query":
            return lambda: method(**of_kind["sql"].get(entity, {"sql": f"SELECT * FROM {entity}"}))
        params = None if method is None else params_of(entity, "download" if name.startswith("download") else name, name)
        if params is None:
            return lambda: connector.execute(entity, name, {})
        return lambda: method(**params)

    for entity, name, method in methods_of(connector):
        if name == "download_local":
            with tempfile.TemporaryDirectory() as folder:
                here = {**params_of(entity, "download", name), "path": str(Path(folder) / "file")}
                await tell(kind, entity, name, lambda: method(**here))
        else:
            await tell(kind, entity, name, call_of(entity, name, method))

    # Lists and searches go on where the page before ends.
    entity, params = of_kind["paged"]["entity"], of_kind["paged"]["params"]
    query = getattr(connector, entity)
    page = await tell(kind, entity, "first page", lambda: query.list(**params))
    await tell(kind, entity, "second page", lambda: query.list(**params, **next_of(plain(page.meta))))
    search = getattr(query, "context_store_search", None) or query.search
    few = {"query": {"sort": [{of_kind["id"]: "asc"}]}, "limit": 2, "fields": [[of_kind["id"]]]}
    hits = await tell(kind, entity, "first hits", lambda: search(**few))
    cursor = hits.meta.cursor if hasattr(hits, "meta") else hits.next_cursor
    await tell(kind, entity, "second hits", lambda: search(**few, cursor=cursor))

    await tell(kind, "*", "check", connector.check)

    # A get that finds its record shows what each refusal looks like.
    entity = of_kind["got"]
    known = params_of(entity, "get")
    await tell(kind, entity, "get without params", lambda: connector.execute(entity, "get", {}))
    await tell(kind, entity, "get with an unknown param", lambda: connector.execute(entity, "get", {**known, "fieldz": 1}))
    await tell(kind, entity, "get of no record", lambda: connector.execute(entity, "get", {name: "404404404" for name in known}))
    await tell(kind, "nothing", "list", lambda: connector.execute("nothing", "list", {}))


async def refusals(kind, connector_of):
    """What a caller is told who names no connector of theirs; `connector_of` makes a connector for an end user or an id."""
    no_connector = "019766c0-0000-7000-8000-000000000000"
    for name, connector in (
        ("of an unknown end user", lambda: connector_of(end_user="nobody")),
        ("of an unknown connector", lambda: connector_of(connector_id=no_connector)),
        ("with a wrong secret", lambda: connector_of(end_user=asked["end_user"], secret="wrong")),
    ):
        await tell(kind, "users", f"list {name}", lambda: connector().execute("users", "list", {}))


def next_of(meta):
    """The param of the next page: each kind pages in its own way."""
    if "next_page" in meta:
        return {"offset": meta["next_page"]["offset"]}
    return {"cursor": meta["pagination"]["cursor"]} if "pagination" in meta else {"after": meta["after"]}
