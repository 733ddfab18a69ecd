import { runBatch } from '../batch.ts'

runBatch('server')
