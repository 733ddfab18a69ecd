/** Part of `npm run test:long`: webhooks of a server that is killed a hundred times. */
import { webhookCrashSuite } from '../webhook-crash.suite.ts'

webhookCrashSuite(100)
