/** The searchable fields of a record, with their types from its declaration. */
import type { TSchema } from 'typebox'
import type { FieldType } from './entity.ts'

type Declared<S> = S extends { anyOf: [infer Inner, unknown] } ? Inner : S

type TypeOf<S> = S extends { type: infer T extends FieldType }
  ? T
  : S extends { '~unsafe': readonly unknown[] }
    ? 'array'
    : 'object'

/** Declares fields of a record as searchable. */
export function searchableFields<R extends object, const N extends keyof R & string>(
  record: R,
  names: readonly N[],
): { readonly [F in N]: TypeOf<Declared<R[F]>> } {
  return Object.fromEntries(names.map((name) => [name, typeOf(record[name] as TSchema)])) as {
    [F in N]: TypeOf<Declared<R[F]>>
  }
}

function typeOf(schema: TSchema): FieldType {
  const { anyOf, type } = schema as { readonly anyOf?: readonly { type: FieldType }[]; readonly type: FieldType }
  return anyOf?.[0]?.type ?? type
}
