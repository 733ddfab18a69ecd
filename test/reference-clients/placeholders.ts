/** What differs from one server to the next in a recorded request, and names for it. */
import type { Answer } from '../hosted.ts'
import { kinds, type Served } from './served.ts'

/** Literals by placeholder; answers add to them. */
export type Literals = Map<string, string>

export function literalsOf({ hosted, kinds: served, spare, client }: Served): Literals {
  const { organizationId } = hosted.server
  const described = hosted.systems.describe()
  return new Map([
    ...kinds.map((kind): [string, string] => [`{${kind}}`, served[kind].connector]),
    ['{spare}', spare],
    ['{client_id}', client.id],
    ['{client_secret}', client.secret],
    ['{organization}', organizationId],
    ...kinds.flatMap((kind) =>
      described[kind]!.credentials.flatMap((given, index) =>
        Object.entries(given).map(([name, value]): [string, string] => [`{${kind} ${index} ${name}}`, value]),
      ),
    ),
  ])
}

/** The tokens, ids and secrets in a text are named. */
export function hide(text: string, literals: Literals): string {
  let hidden = text
  for (const [name, literal] of literals) hidden = hidden.replaceAll(literal, name)
  return hidden
}

export function show(text: string, literals: Literals): string {
  let shown = text
  for (const [name, literal] of literals) shown = shown.replaceAll(name, literal)
  return shown
}

/** Later requests have what an answer gave: a token, the id of a new connector, a place in a list, in hits or in a file. */
export function learn(literals: Literals, { status, body }: Pick<Answer, 'status' | 'body'>): void {
  const { result, connector_metadata: block } = body ?? {}
  const given = {
    '{token}': body?.access_token,
    '{created}': status === 201 ? body.id : undefined,
    '{next}':
      block?.next_page?.offset ??
      block?.pagination?.cursor ??
      block?.after ??
      result?.meta?.cursor ??
      result?.next_cursor ??
      result?.download_token,
  }
  for (const [name, literal] of Object.entries(given)) if (typeof literal === 'string') literals.set(name, literal)
}
