/** Part of `npm run test:long`: syncs killed at a hundred moments. */
import { syncCrashSuite } from '../sync/crash.suite.ts'
import { copiedKinds } from '../sync/synced.ts'

syncCrashSuite(copiedKinds, 34)
