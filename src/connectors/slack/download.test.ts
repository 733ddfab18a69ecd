import assert from 'node:assert/strict'
import { after, beforeEach, it } from 'node:test'
import { connect } from '../../client/connect.ts'
import { ConexError } from '../../errors.ts'
import { startSimulators } from '../../simulator/simulators.ts'
import { slackSimulator } from './simulator/simulator.ts'

const simulators = await startSimulators([slackSimulator], { scale: 60, callsPerMinute: null })
const { base_url: baseUrl, credentials } = simulators.describe().slack!
const at = simulators.landmarks('slack')
const slack = connect('slack', {
  credentials: credentials[0] as never,
  baseUrl,
  allowPrivateNetwork: true,
})
after(async () => {
  await slack.close()
  await simulators.close()
})
beforeEach(() => {
  simulators.faults.clear()
  simulators.clearRequests()
  simulators.change('slack', { change: 'settings', sign_in_page: false })
})

const file = async (id: string | undefined) => {
  const { body, headers } = await slack.files.download({ file: id! })
  return { headers, bytes: Buffer.concat(await Array.fromAsync(body)) }
}

const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'a file',
    (error: unknown) => (error instanceof ConexError ? error.code : String(error)),
  )

it('sends the token to the host of the files', async () => {
  assert.equal((await file(at.file_pdf)).bytes.length, 482_113)
  const sent = simulators.requests.at(-1)!
  assert.deepEqual([sent.host, sent.headers.authorization], ['files', `Bearer ${credentials[0]!.api_token}`])
})

it('takes no token along to another host', async () => {
  const elsewhere = new URL(simulators.filesOrigin)
  elsewhere.hostname = 'localhost'
  const location = `${elsewhere.origin}{path}`
  simulators.faults.add({ host: 'files', effect: { type: 'redirect', location } })
  assert.equal(await codeOf(file(at.file_pdf)), 'upstream_invalid_response')
  const sent = simulators.requests.filter(({ host }) => host === 'files')
  assert.deepEqual(
    sent.map(({ headers }) => headers.authorization !== undefined),
    [true, false],
  )
})

it('is refused with a sign-in page under status 200, but not with a file that is a page', async () => {
  const page = await file(at.file_page)
  assert.match(page.headers.get('content-type')!, /^text\/html/)
  assert.match(String(page.bytes.subarray(0, 20)), /^<!DOCTYPE html>/)
  simulators.change('slack', { change: 'settings', sign_in_page: true })
  for (const id of [at.file_pdf, at.file_page]) assert.equal(await codeOf(file(id)), 'upstream_invalid_response')
})

it('says why a file has no bytes, and asks no other service', async () => {
  for (const id of [at.file_external, at.file_hidden]) assert.equal(await codeOf(file(id)), 'file_unavailable')
  assert.equal(await codeOf(file(at.file_deleted)), 'record_not_found')
  assert.ok(simulators.requests.every(({ host }) => host === 'api'))
})
