import { webhookCrashSuite } from './webhook-crash.suite.ts'

webhookCrashSuite(3)
