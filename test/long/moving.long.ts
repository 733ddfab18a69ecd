/** Part of `npm run test:long`: copies of systems that move, also without a failing request. */
import { movingSuite } from '../sync/moving.suite.ts'

movingSuite([false])
