import { runBatch } from '../batch.ts'

runBatch('rest')
