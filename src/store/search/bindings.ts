/** The values of a statement, in the order of their numbers. */
import type { Json, Scalar } from '../../search/query.ts'

export type Value = Scalar | null | Buffer | readonly Value[]

/** The type of a value for the database. */
export type ValueType =
  | 'text'
  | 'int8'
  | 'float8'
  | 'boolean'
  | 'int4'
  | 'numeric'
  | 'tsquery'
  | `${'text' | 'int8' | 'float8' | 'boolean'}[]`

export class Bindings {
  readonly values: Value[] = []
  /** The tests of a statement that JavaScript runs on values, by place. */
  readonly tests: ((value: Json) => boolean)[] = []
  readonly #placeholder: (number: number, type: ValueType) => string

  constructor(placeholder: (number: number, type: ValueType) => string) {
    this.#placeholder = placeholder
  }

  /** The placeholder of the value in the statement. */
  add(value: Value, type: ValueType = 'text'): string {
    return this.#placeholder(this.values.push(value), type)
  }

  /** The place of a test. */
  test(test: (value: Json) => boolean): number {
    return this.tests.push(test) - 1
  }
}
