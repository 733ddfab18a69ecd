import { crashSuite } from './crash.suite.ts'

crashSuite(3)
