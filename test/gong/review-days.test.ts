/** Days of review belong to the company's zone, ten hours behind UTC here, and Gong refuses one that has not begun there. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { bodyOf, type Connection, startConnection } from './connected.ts'

const hour = 3_600_000

describe('filled-in scorecards up to a moment', async () => {
  const connection: Connection = await startConnection()
  after(() => connection.close())
  const before = async (toDateTime: string) => {
    const filter = { fromDateTime: '2026-05-20T00:00:00Z', toDateTime }
    const [request] = await connection.during(() => connection.gong.stats_activity_scorecards.list({ filter }))
    return { status: request!.status, to: (bodyOf(request).filter as { reviewToDate?: string }).reviewToDate }
  }

  it('are asked for without a last day while that day has begun in UTC alone', async () => {
    // Five in the morning of 16 June in UTC, seven in the evening of the 15th in the company.
    connection.clock.advance(9 * hour)
    assert.equal(new Date(connection.clock.now()).toISOString(), '2026-06-16T05:00:00.000Z')
    assert.deepEqual(await before('2026-06-14T12:00:00Z'), { status: 200, to: undefined })
    assert.deepEqual(await before('2026-06-13T12:00:00Z'), { status: 200, to: '2026-06-15' })
  })

  it('are asked for with it once it has begun everywhere', async () => {
    connection.clock.advance(8 * hour)
    assert.deepEqual(await before('2026-06-14T12:00:00Z'), { status: 200, to: '2026-06-16' })
  })
})
