import { runBatch } from '../batch.ts'

runBatch('store')
