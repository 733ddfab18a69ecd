"""The clients of one connector each, as they were in February 2026."""

import asyncio
import importlib

from walk import asked, connector_class, credentials_of, refusals, tell, walk


async def call(kind):
    package = f"airbyte_agent_{kind.replace('-', '_')}"
    Connector = connector_class(package)
    cloud = importlib.import_module(f"{package}._vendored.connector_sdk.cloud_utils.client").AirbyteCloudClient
    # They have no setting for the address.
    cloud.AUTH_BASE_URL = cloud.API_BASE_URL = asked["origin"]

    def auth(end_user=None, connector_id=None, secret=asked["client"]["secret"]):
        named = {"external_user_id": end_user, "connector_id": connector_id}
        return {"airbyte_client_id": asked["client"]["id"], "airbyte_client_secret": secret, **named}

    await walk(Connector(**auth(asked["end_user"])), kind)
    await refusals(kind, lambda **of: Connector(**auth(**of)))

    owner = {name: value for name, value in auth("february").items() if value is not None}

    async def create():
        made = await Connector.create_hosted(**owner, auth_config=credentials_of(Connector, kind))
        return await made.check()

    await tell(kind, "*", "create and check", create)

    address = "https://app.example/connected"
    await tell(kind, "*", "consent", lambda: Connector.initiate_oauth(**owner, redirect_url=address))


async def main():
    for kind in asked["kinds"]:
        await call(kind)


asyncio.run(main())
