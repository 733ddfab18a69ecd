// It waits while it is loaded, so it comes before the files that import it.
import '../documented.ts'
import { runBatch } from '../batch.ts'

runBatch('product-l')
