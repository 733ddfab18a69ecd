/** Part of `npm run test:long`: misspelt names and arbitrary JSON, in many more rounds. */
import { arbitraryJsonSuite } from '../arbitrary-json.suite.ts'
import { didYouMeanSuite } from '../did-you-mean.suite.ts'

didYouMeanSuite(600)
arbitraryJsonSuite(120)
