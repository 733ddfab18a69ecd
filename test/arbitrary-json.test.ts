import { arbitraryJsonSuite } from './arbitrary-json.suite.ts'

arbitraryJsonSuite(15)
