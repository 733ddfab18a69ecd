#!/bin/sh
# The hosted interface with curl alone: a token, a connector, a list.
set -eu

token=$(curl -sS --fail-with-body "$CONEX_URL/api/v1/account/applications/token" \
  -H 'Content-Type: application/json' \
  -d "{\"client_id\": \"$CONEX_CLIENT_ID\", \"client_secret\": \"$CONEX_CLIENT_SECRET\"}" |
  sed 's/.*"access_token":"\([^"]*\)".*/\1/')

connector=$(curl -sS --fail-with-body "$CONEX_URL/v1/integrations/connectors" \
  -H "Authorization: Bearer $token" -H 'Content-Type: application/json' -H 'Idempotency-Key: curl-example' \
  -d "{\"external_user_id\": \"curl\", \"connector_type\": \"asana\", \"name\": \"Shell\", \"credentials\": {\"token\": \"$ASANA_TOKEN\"}}" |
  sed 's/.*"id":"\([^"]*\)".*/\1/')

curl -sS --fail-with-body "$CONEX_URL/api/v1/connectors/sources/$connector/execute" \
  -H "Authorization: Bearer $token" -H 'Content-Type: application/json' \
  -d '{"entity": "workspaces", "action": "list"}'
echo
