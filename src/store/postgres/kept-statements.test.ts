import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { Database } from './database.ts'
import { KeptStatements } from './kept-statements.ts'
import { startPostgres, type TestServer } from './server.suite.ts'

let server: TestServer
let database: Database
before(async () => {
  server = await startPostgres()
  database = new Database(await server.freshDatabase(), { connections: 1, statementMs: 10_000 })
})
after(async () => {
  await database.close()
  await server.stop()
})

it('keeps the statements that were asked most lately, and gives up the others', async () => {
  const client = await database.pool.connect()
  try {
    const kept = KeptStatements.of(client)
    const ask = async (number: number) => {
      const name = kept.name(`select ${number} as number`)
      const { rows } = await client.query({ name, text: `select ${number} as number` })
      assert.deepEqual(rows, [{ number }])
      await kept.giveUpSurplus(client)
    }
    for (let number = 0; number < 300; number++) {
      await ask(number)
      await ask(0)
    }
    const { rows } = await client.query<{ statement: string }>('select statement from pg_prepared_statements')
    const numbers = rows.map(({ statement }) => Number(/\d+/.exec(statement)![0]))
    assert.deepEqual(
      numbers.toSorted((one, other) => one - other),
      [0, ...Array.from({ length: 199 }, (_, index) => index + 101)],
    )
    await ask(1)
  } finally {
    client.release()
  }
})
