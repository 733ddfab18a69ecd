import { syncCrashSuite } from './crash.suite.ts'

syncCrashSuite(3)
