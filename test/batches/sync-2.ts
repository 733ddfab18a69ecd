import { runBatch } from '../batch.ts'

runBatch('sync-2')
