/** Downloads: all bytes of a file, or the part that is asked for. */
import assert from 'node:assert/strict'
import { isProblem } from './answers.ts'
import type { Check } from './check.ts'
import type { Named } from './operations.ts'

export function downloadChecks(named: Named): Check[] {
  const { entity, action } = named
  if (action !== 'download') return []
  return [
    {
      name: `${entity} download answers bytes, and the part of them that is asked for`,
      mend: 'Let the example of the simulated system name a file of more than 100 bytes, served with its type, its length and ranges (fileAnswer).',
      async run(subject) {
        const params = subject.example(named)
        const bytes = async (range_header?: string) => {
          const response = await subject.stream(named, { ...params, ...(range_header && { range_header }) })
          const { status, headers } = response
          return { status, headers, body: Buffer.from(await response.arrayBuffer()) }
        }
        const whole = await bytes()
        const length = whole.body.length
        assert.equal(whole.status, 200, whole.body.toString('utf8', 0, 500))
        assert.ok(length > 100, `the file has ${length} bytes`)
        assert.equal(whole.headers.get('content-length'), String(length))
        assert.match(whole.headers.get('content-type')!, /^[a-z]+\/[\w.+-]+/)
        assert.match(whole.headers.get('content-disposition')!, /^attachment/)
        for (const [range, first, last] of [
          ['bytes=10-19', 10, 19],
          [`bytes=${length - 5}-`, length - 5, length - 1],
          ['bytes=-7', length - 7, length - 1],
        ] as const) {
          const part = await bytes(range)
          assert.equal(part.status, 206, range)
          assert.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${length}`)
          assert.deepEqual(part.body, whole.body.subarray(first, last + 1), range)
        }
        const beyond = await subject.execute(named, { ...params, range_header: `bytes=${length}-` })
        isProblem(beyond, 'range_not_satisfiable')
        assert.equal(beyond.headers.get('content-range'), `bytes */${length}`)
        const here = await subject.local.download(entity, params)
        assert.equal(here.status, 200)
        assert.equal(here.headers.get('content-length'), String(length))
        assert.deepEqual(Buffer.from(await here.arrayBuffer()), whole.body, 'hosted and local files differ')
      },
    },
  ]
}
