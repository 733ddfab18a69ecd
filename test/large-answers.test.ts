import { largeAnswersSuite } from './large-answers.suite.ts'

largeAnswersSuite(6)
