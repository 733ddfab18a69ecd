import { runBatch } from '../batch.ts'

runBatch('product-2')
