import { movingSuite } from './moving.suite.ts'

// What moves while requests fail is the harder half; the other one is in `test/long`.
movingSuite([true])
