/** Random statements against one database: nothing but the connector's own copy comes back, and every one has an answer or a refusal. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { ConexError } from '../errors.ts'
import { stringifyJson } from '../json.ts'
import { at, Copy, CopyFixture } from './copy-fixture.suite.ts'
import { someStatement, type Words } from './drawn-statements.suite.ts'
import { sampleCatalog } from './samples.suite.ts'
import { type OpenStore, rowsOf } from './statements.suite.ts'
import type { Tenant } from './tenant.ts'

/** Stands in everything that no statement may reach. */
const canary = `canary${randomUUID().replaceAll('-', '')}`
/** The same as a number that nobody computes, and how it begins in every record. */
const canaryNumber = 736_251_849_163_500
const canaryDigits = '7362518491635'

const thing = (index: number, name: string, serial: number) => ({
  id: `${name}-${index}`,
  data: {
    gid: `${name}-${index}`,
    name,
    notes: name,
    created_at: '2026-01-01T00:00:00Z',
    serial,
    completed: index % 2 === 0,
    assignee: { gid: name, deep: { name } },
    tags: [name],
  },
})

const bounds = { limitMs: 5_000 }
/** Nothing takes this long, save what hangs. */
const hangsMs = 60_000

export interface FuzzOptions {
  readonly rounds: number
  /** Begins no further one after so long. */
  readonly mostMs?: number
  readonly words: (file: string) => Words
}

export function statementFuzzSuite(name: string, open: OpenStore, { rounds, mostMs, words }: FuzzOptions): void {
  describe(`random statements in ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'conex-fuzz-'))
    const file = join(folder, 'canary.txt')
    let fixture: CopyFixture
    let copy: Copy
    before(async () => {
      chmodSync(folder, 0o755)
      writeFileSync(file, canary, { mode: 0o644 })
      fixture = await CopyFixture.open(() => open(sampleCatalog(), bounds))
      const { store, tenant } = fixture
      copy = await filled(tenant, 'ann', 'own', 1)
      await filled(tenant, 'ann', canary, canaryNumber)
      await filled(tenant, 'bob', canary, canaryNumber)
      const organizationId = randomUUID()
      await store.organizations.create({ id: organizationId, name: canary }, at(0))
      await filled({ organizationId, externalUserId: null }, 'ann', canary, canaryNumber)
    })
    after(async () => {
      await fixture?.close()
      rmSync(folder, { recursive: true })
    })

    /** A connector whose copies hold nothing but this text and number. */
    async function filled(tenant: Tenant, user: string, text: string, number: number): Promise<Copy> {
      const { store } = fixture
      const id = randomUUID()
      const made = await store.connectors.create(
        tenant,
        {
          id,
          organizationId: tenant.organizationId,
          externalUserId: user,
          connectorType: 'sample-kind',
          name: `${text} ${id}`,
          authMethod: text === 'own' ? canary : text,
          status: 'active',
          replicationConfig: { text: canary },
          sync: { enabled: true, intervalSeconds: 3600 },
          createdAt: at(0),
          updatedAt: at(0),
        },
        canary,
      )
      assert.equal(made.outcome, 'created')
      const lease = (await store.leases.take(tenant, id, 'suite', at(0), at(60)))!
      const key = { connectorId: id, kind: 'sample-kind' }
      const others = new Copy(store, tenant, { ...key, entity: 'others' }, lease)
      await others.begin()
      await others.commit([{ id: `o-${text}`, data: { gid: text, name: text } }])
      const things = new Copy(store, tenant, { ...key, entity: 'things' }, lease)
      await things.begin()
      await things.commit(Array.from({ length: 8 }, (_, index) => thing(index, text, number + index)))
      return things
    }

    /** What a statement was told: rows, or why it was refused. */
    async function answerTo(sql: string): Promise<{ readonly text: string; readonly ran: boolean }> {
      let timer: NodeJS.Timeout | undefined
      const hangs = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('It hangs.')), hangsMs)
      })
      try {
        return { text: stringifyJson(await Promise.race([rowsOf(copy, sql), hangs])), ran: true }
      } catch (error) {
        if (!(error instanceof ConexError) || error.code !== 'invalid_query') throw error
        return { text: stringifyJson([error.message, error.issues]), ran: false }
      } finally {
        clearTimeout(timer)
      }
    }

    it(`gives nothing but the own copy, for up to ${rounds} of them`, async (t) => {
      const seed = Math.floor(Math.random() * 2 ** 31)
      t.diagnostic(`seed ${seed}`)
      let asked = 0
      let answered = 0
      await fc.assert(
        fc.asyncProperty(someStatement(words(file)), async (sql) => {
          asked++
          const { text, ran } = await answerTo(sql)
          if (ran) answered++
          // A refusal may repeat what the caller wrote.
          assert.ok(!text.includes(canary) || sql.includes(canary), `a canary in ${text.slice(0, 500)}`)
          assert.ok(!text.includes(canaryDigits), `a number of others in ${text.slice(0, 500)}`)
        }),
        { seed, numRuns: rounds, endOnFailure: true, ...(mostMs !== undefined && { interruptAfterTimeLimit: mostMs }) },
      )
      t.diagnostic(`${asked} statements, ${answered} of them with an answer`)
      assert.ok(answered >= Math.floor(asked / 100), `${answered} of ${asked} had an answer`)
      assert.deepEqual(await rowsOf(copy, 'select count(*) as n, min(name) as name from things'), [
        { n: 8, name: 'own' },
      ])
    })

    it('would find a canary, which stands in the copies of others', async () => {
      const foreign = await filled(fixture.tenant, 'ann', canary, canaryNumber)
      const [{ name, serial }] = (await rowsOf(foreign, 'select name, serial from things order by serial')) as [
        { name: string; serial: number },
      ]
      assert.ok(name === canary && String(serial).startsWith(canaryDigits))
    })
  })
}
