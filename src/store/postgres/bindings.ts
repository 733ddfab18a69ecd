/** The values that a statement is given, in the order of their numbers. */
import type { Scalar } from '../../search/query.ts'
import type { Column } from './copy-table.ts'
import type { Value } from './database.ts'

export class Bindings {
  readonly values: Value[]

  /** The first values may be those of a statement around it. */
  constructor(first: readonly Value[] = []) {
    this.values = [...first]
  }

  /** The place of a text, to be written into the statement. */
  add(value: Value, type = 'text'): string {
    return `$${this.values.push(value)}::${type}`
  }

  /** The place of a value that is compared with this column. Whole numbers have to fit 64 bits. */
  of({ type }: Column, value: Scalar): string {
    return this.add(type === 'string' || type === 'boolean' ? value : String(value), sqlTypes[type])
  }
}

export const sqlTypes = { string: 'text', integer: 'int8', number: 'float8', boolean: 'boolean' } as const
