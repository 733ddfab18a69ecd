"""The last versions of the clients of one connector each, of April 2026."""

import asyncio
import importlib

from walk import asked, connector_class, credentials_of, refusals, tell, walk


async def call(kind):
    package = importlib.import_module(f"airbyte_agent_{kind.replace('-', '_')}")
    Connector = connector_class(package.__name__)

    def auth(end_user=None, connector_id=None, secret=asked["client"]["secret"]):
        return package.AirbyteAuthConfig(
            airbyte_client_id=asked["client"]["id"],
            airbyte_client_secret=secret,
            customer_name=end_user,
            connector_id=connector_id,
        )

    await walk(Connector(auth_config=auth(asked["end_user"])), kind)
    await refusals(kind, lambda **of: Connector(auth_config=auth(**of)))

    async def create():
        made = await Connector.create(airbyte_config=auth("april"), auth_config=credentials_of(Connector, kind))
        return await made.check()

    await tell(kind, "*", "create and check", create)

    address = "https://app.example/connected"
    if hasattr(Connector, "get_consent_url"):
        await tell(kind, "*", "consent", lambda: Connector.get_consent_url(airbyte_config=auth("april"), redirect_url=address))


async def main():
    for kind in asked["kinds"]:
        await call(kind)


asyncio.run(main())
