import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { refusal } from '../scripted-engine.suite.ts'
import { answerJson, type Script } from '../scripted-system.suite.ts'
import { orders, shopBy } from '../shop.suite.ts'

describe('the engine keeps its deadline', () => {
  // The engine loads its HTTP client on the first request; a deadline shorter than that would be over before it is sent.
  before(() => import('undici'))

  const stalls: Record<string, Script> = {
    'headers that never come': () => {},
    'a body that stops': (_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"data":[')
    },
    'a body that drips': (_, __, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    },
  }
  for (const [name, script] of Object.entries(stalls))
    it(`ends ${name} and closes the connection`, async () => {
      let closed: () => void = () => {}
      const gone = new Promise<void>((resolve) => {
        closed = resolve
      })
      const { engine, call } = await shopBy(
        (turn, request, response) => {
          response.on('close', () => closed())
          script(turn, request, response)
        },
        { deadline: 300 },
      )
      const error = await refusal(engine.execute(call('orders', 'list', { 'shop-id': '1' })))
      assert.equal(error.code, 'upstream_timeout')
      await gone
    })

  it('stops the upstream read when the caller goes away', async () => {
    let closed: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    const caller = new AbortController()
    const { engine, call } = await shopBy((_, __, response) => {
      response.on('close', () => closed())
      caller.abort(new Error('the caller has gone'))
    })
    await assert.rejects(
      engine.execute(call('orders', 'list', { 'shop-id': '1' }, { signal: caller.signal })),
      /the caller has gone/,
    )
    await gone
  })

  it('lets a caller go who waits for a connection, and sends nothing for them', async () => {
    let answer: () => void = () => {}
    const { system, engine, call } = await shopBy(
      (_, __, response) => {
        answer = () => answerJson(response, orders([]))
        waiting.abort(new Error('the caller has gone'))
      },
      { connections: 1 },
    )
    const waiting = new AbortController()
    const list = (signal?: AbortSignal) => engine.execute(call('orders', 'list', { 'shop-id': '1' }, { signal }))
    const first = list()
    await assert.rejects(list(waiting.signal), /the caller has gone/)
    answer()
    await first
    const last = list()
    while (system.requests.length < 2) await setImmediate()
    answer()
    await last
    assert.equal(system.requests.length, 2)
  })
})
