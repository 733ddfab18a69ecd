/** Part of `npm run test:long`: copies of systems that move, while no request fails. */
import { movingSuite } from '../sync/moving.suite.ts'
import { copiedKinds } from '../sync/synced.ts'

movingSuite(copiedKinds, [false])
