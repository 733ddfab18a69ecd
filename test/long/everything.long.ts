/** Part of `npm run test:long`: what `npm test` tries on some operations and kinds, on all of them. */
import { everythingVariable } from '../drawn.ts'

process.env[everythingVariable] = 'true'
// It waits while it is loaded, so it comes before the files that import it.
await import('../documented.ts')
await import('../published-records.test.ts')
await import('../sync/moving.test.ts')
await import('../sync/refusals.test.ts')
