import { runBatch } from '../batch.ts'

runBatch('sources')
