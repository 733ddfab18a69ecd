/** The commands that set up a shell with a token. */

/** Sets variables that later commands use. */
export const exportCommand = (values: Readonly<Record<string, string>>): string =>
  `export ${Object.entries(values)
    .map(([name, value]) => `${name}=${word(value)}`)
    .join(' ')}`

/** Quotes a value as one word for a shell. */
const word = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Exchanges the client for a token and keeps it in the shell. */
export const tokenCommand = (origin: string): string =>
  String.raw`export CONEX_TOKEN=$(curl -s ${origin}/api/v1/account/applications/token \
  -H 'Content-Type: application/json' \
  -d '{"client_id": "'$CLIENT_ID'", "client_secret": "'$CLIENT_SECRET'"}' | sed 's/.*"access_token":"\([^"]*\)".*/\1/')`
