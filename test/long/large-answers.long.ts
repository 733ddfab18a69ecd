/** Part of `npm run test:long`: thirty large answers at once. */
import { largeAnswersSuite } from '../large-answers.suite.ts'

largeAnswersSuite(30)
