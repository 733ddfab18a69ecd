/** Prints the page on events from the table of event types. */
import type { JsonSchema } from '../../catalog/json-schema.ts'
import { schemaFields, typeOf } from '../../catalog/schema-fields.ts'
import { errorCodes } from '../../errors.ts'
import { eventTypes } from '../../event-types.ts'

export function eventsPage(): string {
  const rows = Object.entries(eventTypes).map(
    ([type, { description, data }]) => `| \`${type}\` | ${description} | ${fields(data as JsonSchema)} |`,
  )
  return `# Events

Printed from the table of event types by \`npm run docs\`; edit \`src/event-types.ts\` or \`src/cli/docs/events-page.ts\`, not this page.

Conex tells a program what happens to its connectors: that a grant has expired, that a sync has ended, that records have changed. An
event is written in the transaction of the change that it tells of, so there is no change without its event, and no event without its
change. Events never contain secrets, records, or what a third-party system said.

\`\`\`json
{"id": "5e0c4c1e-7c60-4a53-9d5b-0b1a3a0f6f52", "type": "connector.reauthorization_required", "timestamp": "2026-01-31T09:30:00.000Z",
 "data": {"connector_id": "0198c5d2-8f3a-7c1e-9f6b-2d4a8e5b7c90", "external_user_id": "ada", "connector_type": "asana"}, "cursor": "ZXZlbnRzIDQy"}
\`\`\`

## Read them

In a program, without a webhook:

\`\`\`ts
import { conex } from 'conex'

const service = conex({ baseUrl, clientId, clientSecret })
for await (const event of service.events.all({ cursor: lastCursor })) {
  if (event.type === 'connector.reauthorization_required') await askForConsent(event.data.external_user_id)
  await keep(event.cursor)
}
\`\`\`

\`all\` goes on until you end it: it waits for events to come, and outlives a restart of the service. Keep the \`cursor\` of the last
event that you handled, and pass it the next time: you get every event after it, in order. If your program stops between handling an
event and keeping its cursor, you get that event again; its \`id\` is the same.

On the command line: \`conex events --from-now --follow\`.

Over HTTP, with a bearer token: \`GET /v1/integrations/events\`

| Parameter | Meaning |
|---|---|
| \`cursor\` | the \`next_cursor\` of a page, or the \`cursor\` of an event; the answer begins after it |
| \`from\` | without a cursor: \`oldest\` (the default) begins with the oldest event, \`now\` with the next one |
| \`wait\` | seconds to wait if there is no event yet, up to 60; 0 by default |
| \`type\`, \`connector_id\`, \`external_user_id\` | only these events |
| \`limit\` | events per page, up to 1000; 100 by default |

The answer has \`events\`, \`next_cursor\` (always; go on with it now or later) and \`more\` (whether there are more already). Up to 100
requests of an organization, and 1000 in all, can wait on a node at the same time; another one gets a 429. Scoped tokens of end users
cannot read events.

## Have them sent

\`\`\`ts
const { id, secret } = await service.webhooks.create({ url: 'https://app.example/conex', types: ['sync.failed'] })
\`\`\`

The command line has \`conex webhooks create\`, and HTTP \`POST /v1/integrations/webhooks\` with \`url\` and, if you like, \`types\` and
\`description\`. A new webhook gets the events from then on. Its body is the event as JSON, as above.

Messages follow [Standard Webhooks](https://www.standardwebhooks.com). Verify them with its library, for example \`standardwebhooks\` from
npm, and the secret, which is shown only once:

\`\`\`js
import { Webhook } from 'standardwebhooks'

const event = new Webhook(secret).verify(body, headers) // the body as it came; throws if the signature is not good
\`\`\`

- Answer with 2xx within \`CONEX_WEBHOOK_TIMEOUT_SECONDS\` (15), and do the work afterwards. Redirects are not followed.
- You may get an event twice: \`webhook-id\`, which is the \`id\` of the event, is the same.
- The events of one connector come in their order. If one cannot be delivered, those after it wait; other connectors go on.
- Conex tries again after 5 seconds, 20, 80 and so on, up to 6 hours, for three days. Then the event is parked.
  \`GET …/webhooks/{webhook_id}/deliveries?status=parked\` shows parked events with the last fault, and \`POST …/replay\` sends them
  again, or one event by its \`event_id\`.
- A webhook to which nothing got through for three days is disabled, and the event \`webhook.disabled\` says so. What waits is kept as
  long as events are kept. \`PATCH\` with \`{"status": "active"}\` goes on with it.
- \`POST …/rotate\` returns a new secret. The old one signs beside it for a day, or for \`overlap_seconds\`.
- Addresses must be public and https, unless the operator allows [private ones](operate.md#egress). An organization has up to 50 webhooks.

## What is promised

- **Order.** The events of an organization have one order, the one in which the changes were committed, across all nodes. A reader
  who has seen an event has seen all events before it.
- **Nothing is lost.** An event is kept for \`CONEX_EVENT_DAYS\` (30). If a cursor is older than the oldest event that is kept, the
  answer is \`invalid_cursor\`, never a gap. After a restore from a backup, a cursor from the time that was lost gets the same answer.
- **Syncs.** A sync that is interrupted, for example by a restart, has no end of its own: the next one has a new \`sync.started\` and
  continues where it was. \`records.changed\` counts what a pass over one entity changed in the copy. It does not say which records;
  there is no feed of changes yet.
- **Consents.** \`consent.failed\` can follow \`consent.finished\`: the consent was given, but its connector could not be made.

## Types

The \`data\` of an event about a connector has \`connector_id\`, \`external_user_id\` and \`connector_type\`; of one about a consent, the latter two.

| Type | When | \`data\` has also |
|---|---|---|
${rows.join('\n')}
`
}

const ofAll = new Set(['connector_id', 'external_user_id', 'connector_type'])
const codes = typeOf({ enum: errorCodes } as JsonSchema)

const fields = (data: JsonSchema): string =>
  schemaFields(data)
    .filter(({ name }) => !ofAll.has(name))
    .map(({ name, type }) => {
      const told = type === 'string' ? '' : type === codes ? ' [error code](errors.md)' : ` ${type}`
      return `\`${name}\`${told}`
    })
    .join(', ')
