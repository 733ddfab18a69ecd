/** The commands with which a person sets up a shell and gets a token there. */

/** Keeps values under names that later commands use. */
export const exportLine = (values: Readonly<Record<string, string>>): string =>
  `export ${Object.entries(values)
    .map(([name, value]) => `${name}=${word(value)}`)
    .join(' ')}`

/** One word for a shell, whatever stands in it. */
const word = (text: string): string =>
  /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Exchanges the client for a token, which the shell keeps. */
export const tokenLine = (origin: string): string =>
  String.raw`export CONEX_TOKEN=$(curl -s ${origin}/api/v1/account/applications/token \
  -H 'Content-Type: application/json' \
  -d '{"client_id": "'$CLIENT_ID'", "client_secret": "'$CLIENT_SECRET'"}' | sed 's/.*"access_token":"\([^"]*\)".*/\1/')`
