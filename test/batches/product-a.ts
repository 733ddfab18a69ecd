import { runBatch } from '../batch.ts'

runBatch('product-a')
