/**
 * The programs that people write first with each kind, as an editor sees them: they compile, what is wrong in them does
 * not, and at each mark the editor offers these names, among others, for what is being typed.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type LanguageServer, startLanguageServer } from './language-server.ts'

const root = join(import.meta.dirname, '..')

// A comment with a question mark stands where somebody types, with names that the editor has to offer there.
const programs: Record<string, string> = {
  asana: `
import { connect } from 'conex'
const asana = connect('asana', { credentials: { token: 'x' } })
const { result: open } = await asana.tasks.list({ /*? project, assignee, modified_since */project: '1', completed_since: 'now' })
for (const task of open) console.log(task./*? due_on, assignee, num_likes */name, task.due_on, task.assignee?./*? gid, name */name)
for await (const project of asana.projects.list.all({ workspace: '1', archived: false })) console.log(project.owner?.name)
const { result: task } = await asana.tasks.get({ task_gid: '1' }, { select_fields: ['name', 'due_on'] })
const found = await asana.tasks.search({ query: { filter: { /*? eq, keyword, gte, or */keyword: { /*? name, notes */name: 'launch' } }, sort: [{ due_on: 'asc' }] } })
console.log(found.result.hits[0]?.data./*? due_on, assignee */assignee?.name, task.custom_fields?.[0]?.name)
const { body } = await asana./*? tasks, projects, attachments, execute */attachments./*? list, get, download, search */download({ attachment_gid: '1' })
await asana.workspace_task_search.list({ workspace_gid: '1', /*? completed, sort_by */'assignee.any': 'me', sort_by: /*? due_date, likes */'due_date' })
// @ts-expect-error a misspelt field
console.log(open[0]?.nope, body)
// @ts-expect-error a misspelt search field
await asana.tasks.search({ query: { filter: { keyword: { nam: 'launch' } } } })
`,
  'facebook-marketing': `
import { connect } from 'conex'
const meta = connect('facebook-marketing', { credentials: { access_token: 'x' } })
for await (const account of meta.ad_accounts.list.all()) console.log(account./*? name, currency, timezone_name */name, account.currency)
const { result: campaigns } = await meta.campaigns.list({ /*? account_id, fields */account_id: '1', limit: 50 })
for (const campaign of campaigns) console.log(campaign./*? name, status, objective, daily_budget */name, campaign.status)
const { result: ad } = await meta.ads.get({ /*? ad_id */ad_id: '1' })
const insights = await meta.ads_insights.list({ account_id: '1', /*? level, fields, time_range */level: /*? campaign, ad */'campaign', date_preset: 'last_30d' })
for (const row of insights.result) console.log(row./*? spend, impressions, clicks */spend, row.actions?.[0]?./*? action_type, value */value)
const dear = await meta.ads_insights.search({ query: { filter: { /*? gt, eq, and */gt: { /*? spend, clicks, impressions */spend: 100 } }, sort: [{ spend: 'desc' }] } })
console.log(dear.result.hits[0]?.data./*? ad_name, spend */spend, ad.creative?./*? id */id)
// @ts-expect-error a misspelt field
console.log(campaigns[0]?.nme)
// @ts-expect-error a number where a text belongs
await meta.campaigns.list({ account_id: 1 })
`,
  gong: `
import { connect } from 'conex'
const gong = connect('gong', { credentials: { access_key: 'x', access_key_secret: 'y' } })
const { result: calls } = await gong.calls.list({ /*? fromDateTime, toDateTime */fromDateTime: '2026-01-01T00:00:00Z' })
for (const call of calls) console.log(call./*? title, started, duration */title, call.duration)
for await (const user of gong.users.list.all()) console.log(user./*? firstName, emailAddress, active */emailAddress)
const whole = await gong.calls_extensive.list({ filter: { /*? callIds, fromDateTime */callIds: ['1'] }, contentSelector: { exposedFields: { /*? parties, content */parties: true } } })
console.log(whole.result[0]?./*? metaData, parties, content */parties?.[0]?./*? name, emailAddress */name)
const { result: words } = await gong.call_transcripts.list({ filter: { callIds: ['1'] } })
const long = await gong.calls.search({ query: { filter: { /*? gt, keyword */gt: { /*? duration, title */duration: 3600 } }, sort: [{ /*? started */started: 'desc' }] } })
console.log(words[0]?./*? callId, transcript */callId, long.result.hits[0]?.data.title)
const video = await gong.call_video.download({ filter: { callIds: ['1'] }, contentSelector: { exposedFields: { media: true } }, range_header: 'bytes=0-99' })
// @ts-expect-error a misspelt field
console.log(calls[0]?.titel, video.body)
// @ts-expect-error a text where a number belongs
await gong.calls.search({ query: { filter: { gt: { duration: 'long' } } } })
`,
  slack: `
import { connect } from 'conex'
const slack = connect('slack', { credentials: { api_token: 'xoxb-1' } })
for await (const channel of slack.channels.list.all({ /*? types, exclude_archived */types: 'public_channel,private_channel' })) console.log(channel./*? name, num_members, topic */name, channel.topic?.value)
const { result: messages } = await slack.channel_messages.list({ /*? channel, latest, inclusive */channel: 'C1', oldest: '1735689600' })
for (const message of messages) console.log(message./*? user, text, ts, reactions */text, message.reactions?.[0]?./*? name, count */count)
const { result: replies } = await slack.threads.list({ channel: 'C1', /*? ts */ts: '1735689600.000200' })
const { result: ana } = await slack.user_by_email.get({ email: 'ana@example.com' })
console.log(replies.length, ana.profile?./*? display_name, email, title */display_name)
const said = await slack.channel_messages.search({ query: { filter: { /*? keyword, eq */keyword: { /*? text */text: 'launch' } }, sort: [{ /*? float_ts, ts */float_ts: 'desc' }] } })
console.log(said.result.hits.map(({ data }) => data./*? text, user, channel_id */text))
const { body } = await slack.files./*? list, get, download, search */download({ file: 'F1' })
// @ts-expect-error a misspelt field
console.log(messages[0]?.txt, body)
// @ts-expect-error a thread needs its message
await slack.threads.list({ channel: 'C1' })
`,
  hubspot: `
import { connect } from 'conex'
const hubspot = connect('hubspot', { credentials: { refresh_token: 'x' } })
const { result: people } = await hubspot.contacts.list({ /*? properties, propertiesWithHistory, archived */properties: 'email,phone', associations: 'companies' })
for (const person of people) console.log(person.properties./*? email, firstname, lastname */email, person.properties.phone, person./*? createdAt, archived */createdAt)
for await (const deal of hubspot.deals.list.all({ properties: '*' })) console.log(deal.properties./*? amount, dealstage, dealname */amount)
const { result: company } = await hubspot.companies.get({ /*? companyId */companyId: '1' })
const rich = await hubspot.deal_search.list({ filterGroups: [{ filters: [{ /*? propertyName, values */propertyName: 'amount', operator: /*? GT, BETWEEN */'GT', value: '1000' }] }] })
const open = await hubspot.deals.search({ query: { filter: { /*? eq, gt */eq: { 'properties.dealstage': 'closedwon' } }, sort: [{ /*? updatedAt */updatedAt: 'desc' }] } })
console.log(company.properties.domain, rich.result.length, open.result.hits[0]?.data./*? properties, companies, contacts */properties)
const { result: owners } = await hubspot.owners.list({ limit: 100 })
console.log(owners.map((owner) => owner./*? email, firstName */email))
// @ts-expect-error a misspelt field
console.log(people[0]?.propertys)
// @ts-expect-error no operator of HubSpot
await hubspot.deal_search.list({ filterGroups: [{ filters: [{ propertyName: 'amount', operator: 'MORE', value: '1' }] }] })
`,
  'a service': `
import { conex, connect } from 'conex'
const service = conex({ baseUrl: 'https://conex.example', clientId: 'x', clientSecret: 'y' })
const made = await service./*? connectors, consent, sync, audit */connectors.create({ /*? external_user_id, replication_config, sync */external_user_id: 'ann', connector_type: 'asana', name: 'Work', credentials: { /*? token */token: 'x' } })
const asana = service.connect('asana', { connectorId: made./*? id, status */id })
const { result } = await asana.tasks.search({ query: { filter: { eq: { 'assignee.name': 'Ann' } } }, fields: ['name'] })
console.log(result.hits[0]?.data.name)
const own = connect('gong', { baseUrl: 'https://conex.example', token: 'x' })
for await (const { id } of service.connectors.list.all({ /*? connector_type, external_user_id */external_user_id: 'ann' })) console.log(id, own.mode)
// @ts-expect-error credentials of another kind
await service.connectors.create({ external_user_id: 'ann', connector_type: 'gong', name: 'Work', credentials: { token: 'x' } })
// @ts-expect-error no such kind
connect('asanaa', { credentials: { token: 'x' } })
`,
  'a kind from outside': `
import { conex, connect } from 'conex'
import type { Connector } from 'conex/kit'
import type { tracker } from './tracker/connector.ts'
declare module 'conex' {
  interface LoadedKinds { tracker: typeof tracker; jira: Connector }
}
const own = connect(/*? tracker, jira, asana */'tracker', { credentials: { /*? token */token: 'x' } })
const { result } = await own./*? issues, execute */issues.list({ /*? limit, cursor */limit: 3 })
console.log(result[0]?./*? title, points */points.toFixed(1))
const service = conex({ baseUrl: 'https://conex.example', clientId: 'x', clientSecret: 'y' })
await service.connectors.create({ external_user_id: 'ann', connector_type: 'tracker', name: 'Work', credentials: { token: 'x' } })
const found = await service.connect('tracker', { connectorId: '1' }).issues.search({ query: { filter: { /*? gt */gt: { /*? points, title */points: 3 } } } })
await service.connectors.create({ external_user_id: 'ann', connector_type: 'jira', name: 'Work', credentials: { site: 'x', key: 'y' } })
console.log(found.result.hits[0]?.data.title, await service.connect('jira', { connectorId: '2' }).execute('issues', 'list', { limit: 1 }))
// @ts-expect-error a param that the kind does not have
await own.issues.list({ size: 3 })
// @ts-expect-error credentials that the kind does not take
await service.connectors.create({ external_user_id: 'ann', connector_type: 'tracker', name: 'Work', credentials: { tokn: 'x' } })
`,
}

describe('an editor', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'conex-editor-')))
  let editor: LanguageServer

  before(async () => {
    mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
    symlinkSync(root, join(folder, 'node_modules/conex'))
    symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
    cpSync(join(import.meta.dirname, 'outside/tracker'), join(folder, 'tracker'), { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    const options = { noEmit: true, customConditions: ['conex-source'], types: ['node'] }
    const project = { extends: join(root, 'tsconfig.json'), compilerOptions: options, include: ['*.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
    for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, fileOf(name)), text)
    editor = await startLanguageServer(folder)
  })
  after(async () => {
    await editor.close()
    rmSync(folder, { recursive: true })
  })

  const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.ts`

  for (const [name, text] of Object.entries(programs))
    it(`finds nothing wrong in a program with ${name}, and completes it`, async () => {
      const file = fileOf(name)
      editor.open(file, text)
      assert.deepEqual(await editor.faults(file), [])
      const marks = [...text.matchAll(/\/\*\? (.*?) \*\//g)]
      assert.ok(marks.length > 3)
      for (const { index, 0: mark, 1: names } of marks) {
        const here = index + mark.length
        // Texts are completed between their quotes.
        const offered = await editor.offered(file, text[here] === "'" ? here + 1 : here)
        const missing = names!.split(', ').filter((wanted) => !offered.includes(wanted))
        assert.deepEqual(missing, [], `${mark} in ${name} offers ${offered.slice(0, 40)}`)
      }
    })
})
