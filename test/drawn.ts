import { someOf } from '../src/conformance/some-of.ts'

/** Has all be taken where `npm test` takes some. */
export const everythingVariable = 'CONEX_TEST_EVERYTHING'

/** So many of all for one run of `npm test`, told by the names of the tests; `npm run test:long` takes all. */
export const drawn = <T>(count: number, all: readonly T[]): readonly T[] =>
  process.env[everythingVariable] === undefined ? someOf(count, all) : all
