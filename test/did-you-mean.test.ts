import { didYouMeanSuite } from './did-you-mean.suite.ts'

didYouMeanSuite(100)
