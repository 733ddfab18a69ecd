import { runBatch } from '../batch.ts'

runBatch('systems')
