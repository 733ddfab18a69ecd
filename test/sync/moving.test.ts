import { drawn } from '../drawn.ts'
import { movingSuite } from './moving.suite.ts'
import { copiedKinds } from './synced.ts'

// What moves while requests fail is the harder half; the other one is in `test/long`.
movingSuite(drawn(2, copiedKinds), [true])
