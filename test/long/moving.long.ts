/** Part of `npm run test:long`: copies of systems that move, while requests fail and while none does. */
import { movingSuite } from '../sync/moving.suite.ts'
import { copiedKinds } from '../sync/synced.ts'

movingSuite(copiedKinds, [true, false])
