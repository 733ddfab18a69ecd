"""The current client, which has all connectors in one package."""

import asyncio

from airbyte_agent_sdk import Workspace, build_connector_tools, configure, connect
from airbyte_agent_sdk.types import AirbyteAuthConfig

from walk import asked, refusals, tell, walk

configure(
    client_id=asked["client"]["id"],
    client_secret=asked["client"]["secret"],
    organization_id=asked["organization"],
    workspace_name=asked["end_user"],
)


async def shape(kind, connector):
    """A list, a get, a search and SQL with less than whole records."""
    of_kind = asked["kinds"][kind]
    entity, key, field = of_kind["got"], of_kind["id"], of_kind["field"]
    params, one = of_kind["params"][entity]["list"], of_kind["params"][entity]["get"]
    sql = {"sql": f"SELECT * FROM {entity} ORDER BY {key} LIMIT 2"}
    search = {"query": {"sort": [{key: "asc"}]}, "limit": 2}
    for name, choice in (
        ("selected", {"select_fields": [key, field]}),
        ("excluded", {"exclude_fields": [field]}),
        ("cut", {"skip_truncation": False}),
    ):
        await tell(kind, entity, f"list {name}", lambda: connector.execute(entity, "list", params, **choice))
        await tell(kind, entity, f"get {name}", lambda: connector.execute(entity, "get", one, **choice))
        await tell(kind, entity, f"search {name}", lambda: connector.execute(entity, "context_store_search", search, **choice))
        await tell(kind, entity, f"sql {name}", lambda: connector.execute(entity, "context_store_sql_query", sql, **choice))


async def read_in_windows(kind, connector):
    """A file in two pieces, each as text for a model."""
    entity, params = asked["kinds"][kind]["downloads"]["entity"], asked["kinds"][kind]["downloads"]["params"]
    few = {**params, "_airbyte_response_type": "json", "_airbyte_response_format": "base64", "_airbyte_max_chars": 100}
    first = await tell(kind, entity, "first window", lambda: connector.execute(entity, "download", few))
    on = {"_airbyte_text_offset": first["next_offset"], "_airbyte_download_token": first["download_token"]}
    await tell(kind, entity, "second window", lambda: connector.execute(entity, "download", {**few, **on}))


async def call(kind):
    connector = connect(kind)
    await walk(connector, kind)
    await shape(kind, connector)
    if "downloads" in asked["kinds"][kind]:
        await read_in_windows(kind, connector)

    tools = build_connector_tools(connector, framework="none")
    got = asked["kinds"][kind]["got"]
    await tell(kind, "*", "inspect", connector.inspect_connector)
    await tell(kind, "*", "documents", tools.read_skill_docs)
    await tell(kind, got, "documents", lambda: tools.read_skill_docs(section=f"entity:{got}"))
    await tell(kind, got, "documents of get", lambda: tools.read_skill_docs(section=f"action:{got}.get"))
    await tell(kind, got, "tool", lambda: tools.execute(got, "get", asked["kinds"][kind]["params"][got]["get"]))

    def connector_of(end_user=None, connector_id=None, secret=asked["client"]["secret"]):
        auth = AirbyteAuthConfig(
            airbyte_client_id=asked["client"]["id"],
            airbyte_client_secret=secret,
            workspace_name=end_user,
            connector_id=connector_id,
        )
        return type(connector)(auth_config=auth)

    await refusals(kind, connector_of)


async def main():
    for kind in asked["kinds"]:
        await call(kind)
    workspace = Workspace()
    await tell("asana", "*", "connectors of the workspace", workspace.list_connectors)
    by_name = await workspace.get_connector(name="asana")
    about = {"intent": "to sum up the week"}
    await tell("asana", "workspaces", "list with an intent", lambda: by_name.execute("workspaces", "list", params={}, **about))
    # It has no method of its own that looks a workspace up, but all of its workflows do.
    await tell("asana", "*", "workspace", workspace._resolve_workspace_id)
    spare = Workspace(workspace_name=asked["spare_end_user"])
    await tell("asana", "*", "delete", lambda: delete_all(spare))


async def delete_all(workspace):
    for connector in await workspace.list_connectors():
        await workspace.delete_connector(connector.id)
    return await workspace.list_connectors()


asyncio.run(main())
