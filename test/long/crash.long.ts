/** Part of `npm run test:long`: syncs of all kinds killed at a hundred moments in all. */
import { syncCrashSuite } from '../sync/crash.suite.ts'
import { copiedKinds } from '../sync/synced.ts'

syncCrashSuite(copiedKinds, 20)
