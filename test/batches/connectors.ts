import { runBatch } from '../batch.ts'

runBatch('connectors')
