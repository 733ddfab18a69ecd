import { runBatch } from '../batch.ts'

runBatch('sync-n')
