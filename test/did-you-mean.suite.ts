/** Whatever is proposed in the place of a misspelt name is taken in that place. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { findConnector, findEntity } from '../src/catalog/catalog.ts'
import { checkParams } from '../src/catalog/check.ts'
import { checkCredentials } from '../src/catalog/check-credentials.ts'
import { findKind } from '../src/cli/find-kind.ts'
import { catalog } from '../src/connectors/index.ts'
import { ConexError } from '../src/errors.ts'
import { parseQuery } from '../src/search/parse-query.ts'
import { parseSettings, settingsTable } from '../src/server/settings.ts'
import { connectors, executePath, type Hosted, startHosted } from './hosted.ts'

/** Asks with a name in a certain place, and gives all that is wrong with it there. */
type Ask = (name: string) => string | Promise<string>

/** A name with one or two slips. */
const misspelt = (name: string): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({ at: fc.nat({ max: name.length - 1 }), slip: fc.constantFrom('drop', 'swap', 'double', 'other') }),
      {
        minLength: 1,
        maxLength: 2,
      },
    )
    .map((slips) =>
      slips.reduce((text, { at, slip }) => {
        const [before, here = '', next = '', rest] = [text.slice(0, at), text[at], text[at + 1], text.slice(at + 2)]
        switch (slip) {
          case 'drop':
            return before + next + rest
          case 'swap':
            return before + next + here + rest
          case 'double':
            return before + here + here + next + rest
          default:
            return `${before}x${next}${rest}`
        }
      }, name),
    )

/** Judges that names misspelt there lead to proposals that are taken; gives how many there were. */
async function proposals(names: readonly string[], ask: Ask, numRuns: number): Promise<number> {
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names).chain(misspelt), async (name) => {
      const said = await ask(name)
      const proposed = /did you mean "?([^"?]+)"?\?/.exec(said)?.[1]
      if (proposed === undefined) return
      count++
      assert.equal(await ask(proposed), '', `${name}: ${said}`)
    }),
    { numRuns },
  )
  return count
}

/** What an action complains of at this place in the request, or of anything when there is none. */
function saidOf(run: () => unknown, path?: string): string {
  try {
    run()
    return ''
  } catch (error) {
    if (!(error instanceof ConexError)) return (error as Error).message
    const { issues = [] } = error
    if (path === undefined) return `${error.message} ${issues.map(({ message }) => message).join(' ')}`
    return issues
      .filter((issue) => issue.path === path)
      .map(({ message }) => message)
      .join(' ')
  }
}

const asana = catalog.asana
const searchable = { ...findEntity(asana, 'tasks').searchable!, weight: 'number' as const }
const fields = Object.entries(searchable)

/** So many misspelt names in each place, and fewer where there are many places or each is asked over HTTP. */
export function didYouMeanSuite(rounds: number): void {
  /** There must be proposals, which are taken. */
  async function proposesWhatItTakes(names: readonly string[], ask: Ask, numRuns = rounds): Promise<void> {
    assert.ok((await proposals(names, ask, numRuns)) > 0)
  }

  describe('what is proposed', () => {
    for (const [operator, given] of Object.entries({
      eq: 'x',
      neq: true,
      gt: 3,
      gte: '2024-01-01',
      in: [3, null],
      like: 'x%',
      fuzzy: 'x',
      keyword: 'x',
      contains: 'x',
      any: { eq: { gid: '1' } },
    }))
      it(`as a field of ${operator} can be used with the value that is given`, () =>
        proposesWhatItTakes([...fields.map(([field]) => field), 'assignee.name', 'memberships.name'], (name) =>
          saidOf(() => parseQuery(searchable, { query: { filter: { [operator]: { [name]: given } } } })),
        ))

    it('as an operator takes what it is given', () =>
      proposesWhatItTakes(
        ['and', 'or', 'not', 'any', 'eq', 'like', 'startswith', 'fuzzy', 'keyword', 'array_contains'],
        (name) =>
          [
            saidOf(() => parseQuery(searchable, { query: { filter: { [name]: {} } } }), `/params/query/filter/${name}`),
          ].join(''),
      ))

    it('as an operator takes a list where one is given', () =>
      proposesWhatItTakes(['and', 'or', 'any'], (name) =>
        saidOf(() => parseQuery(searchable, { query: { filter: { [name]: [] } } })),
      ))

    it('to sort by can be sorted by', () =>
      proposesWhatItTakes([...fields.map(([field]) => field), 'assignee.name', 'assignee_section.name'], (name) =>
        saidOf(() =>
          parseQuery(searchable, {
            query: { sort: [{ name: 'asc' }, { 'assignee.name': 'asc' }, { [name]: 'desc' }] },
          }),
        ),
      ))

    it('as a field of hits can be given', async () => {
      const names = [...fields.map(([field]) => field), 'assignee.name', 'memberships.section.name']
      await proposesWhatItTakes(names, (name) => saidOf(() => parseQuery(searchable, { query: {}, fields: [name] })))
      await proposesWhatItTakes(names, (name) =>
        saidOf(() => parseQuery(searchable, { query: {}, fields: [name.split('.')] })),
      )
    })

    it('as a param of a search is one', async () => {
      await proposesWhatItTakes(['query', 'limit', 'cursor', 'fields'], (name) =>
        saidOf(
          () => parseQuery(searchable, { query: {}, [name]: 1 }),
          name === 'query' ? '' : `/params/${name}`,
        ).replace(/^must be.*/, ''),
      )
      await proposesWhatItTakes(['filter', 'sort'], (name) =>
        saidOf(() => parseQuery(searchable, { query: { [name]: 1 } }), `/params/query/${name}`).replace(
          /^must be.*/,
          '',
        ),
      )
    })

    it('as a param of an operation is one that is not given yet', async () => {
      let count = 0
      for (const connector of Object.values(catalog))
        for (const entity of Object.values(connector.entities))
          for (const action of ['list', 'get', 'download'] as const) {
            const operation = (entity as { [name: string]: { params: typeof entity.list.params } | undefined })[action]
            if (operation === undefined) continue
            const names = Object.keys(operation.params.properties)
            if (names.length === 0) continue
            const [given] = names
            count += await proposals(
              names,
              (name) =>
                checkParams(operation.params, undefined, { ...(name !== given && { [given!]: '1' }), [name]: '1' }, '')
                  .filter(({ path, message }) => path === `/${name.replaceAll('/', '~1')}` && !/^must be/.test(message))
                  .map(({ message }) => message)
                  .join(''),
              Math.ceil(rounds / 20),
            )
          }
      assert.ok(count > 100)
    })

    it('as a field of credentials is one', async () => {
      for (const connector of Object.values(catalog))
        for (const { credentials } of connector.authMethods) {
          const names = Object.keys(credentials.properties)
          await proposesWhatItTakes(
            names,
            (name) =>
              saidOf(() => checkCredentials(connector, { [name]: 'x' }), `/credentials/${name}`).replace(
                /^is required with.*/,
                '',
              ),
            50,
          )
        }
    })

    it('as a setting is one', () => {
      const kinds = Object.keys(catalog)
      return proposesWhatItTakes(
        settingsTable(kinds).map(({ name }) => name),
        (name) => {
          const said = saidOf(() => parseSettings(kinds, { [name]: 'x' }))
          return /is not a setting/.test(said) ? said : ''
        },
      )
    })

    it('as an entity or a kind is one', async () => {
      await proposesWhatItTakes(Object.keys(asana.entities), (name) => saidOf(() => findEntity(asana, name)))
      await proposesWhatItTakes(Object.keys(catalog), (name) => saidOf(() => findKind(catalog, name)))
      assert.ok(Object.keys(catalog).every((name) => findConnector(catalog, name) !== null))
    })

    describe('over HTTP', () => {
      let hosted: Hosted
      let bearer: string
      before(async () => {
        hosted = await startHosted()
        bearer = (await hosted.server.issueToken()).token
      })
      after(() => hosted.close())

      /** What an answer says of the name, where it says that it is not known. */
      const refusal = async (method: string, path: string, body?: object): Promise<string> => {
        const { body: problem } = await hosted.call(method, path, { token: bearer, ...(body && { body }) })
        const faults: string[] = (problem.errors ?? []).map(({ message }: { message: string }) => message)
        return [...faults, problem.detail ?? ''].filter((said) => unknown.test(said)).join(' ')
      }
      const unknown = /not known here|not an entity|no such connector type|not a known connector type|has no entity/

      it('as a query parameter is one', () =>
        proposesWhatItTakes(
          ['external_user_id', 'connector_type', 'definition_id', 'limit', 'cursor', 'workspace_name'],
          (name) => refusal('GET', `${connectors}?${encodeURIComponent(name)}=asana`),
          40,
        ))

      it('as a kind is one, wherever it is named', async () => {
        const kinds = Object.keys(catalog)
        const consent = { external_user_id: 'ann', redirect_url: 'https://app.example/back' }
        for (const [method, path, body] of [
          ['GET', (name: string) => `/v1/integrations/connector-types/${encodeURIComponent(name)}`, undefined],
          ['GET', (name: string) => `${connectors}?connector_type=${encodeURIComponent(name)}`, undefined],
          ['GET', (name: string) => `${connectors}?definition_id=${encodeURIComponent(name)}`, undefined],
          ['POST', () => `${connectors}/oauth/initiate`, (name: string) => ({ ...consent, connector_type: name })],
        ] as const)
          await proposesWhatItTakes(kinds, (name) => refusal(method, path(name), body?.(name)), 40)
      })

      it('as an entity to sync or to read is one', async () => {
        const sync = `${connectors}/${hosted.connector}/sync`
        const copied = ['tasks', 'projects', 'workspaces', 'users', 'teams', 'attachments', 'tags', 'sections']
        await proposesWhatItTakes(copied, (name) => refusal('POST', sync, { entities: [name] }), 40)
        await proposesWhatItTakes(
          Object.keys(asana.entities),
          (entity) => refusal('POST', executePath(hosted.connector), { entity, action: 'get', params: {} }),
          40,
        )
      })

      it('as a part of a request is one', () =>
        proposesWhatItTakes(
          ['entity', 'action', 'params'],
          (name) => refusal('POST', executePath(hosted.connector), { [name]: 'x' }),
          40,
        ))
    })
  })
}
