/** Creates a value once for each operation, on its first use. */
import type { Operation } from '../catalog/operation.ts'

export function perOperation<O extends Operation, T>(make: (operation: O) => T): (operation: O) => T {
  const made = new WeakMap<O, T>()
  return (operation) => {
    const known = made.get(operation)
    if (known !== undefined) return known
    const fresh = make(operation)
    made.set(operation, fresh)
    return fresh
  }
}
