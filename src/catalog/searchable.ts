/** Which fields of a record can be searched, with the types that its declaration gives them. */
import type { TNull, TSchema, TUnion, TUnsafe } from 'typebox'
import type { FieldType } from './entity.ts'

type Declared<S> = S extends TUnion<[infer Inner extends TSchema, TNull]> ? Inner : S

type TypeOf<S> =
  Declared<S> extends { readonly type: infer T extends FieldType }
    ? T
    : Declared<S> extends TUnsafe<readonly unknown[]>
      ? 'array'
      : 'object'

/** Declares fields of a record as searchable. */
export function searchableFields<const R extends Readonly<Record<string, TSchema>>, const N extends keyof R & string>(
  record: R,
  names: readonly N[],
): { readonly [F in N]: TypeOf<R[F]> } {
  return Object.fromEntries(names.map((name) => [name, typeOf(record[name]!)])) as { [F in N]: TypeOf<R[F]> }
}

function typeOf(schema: TSchema): FieldType {
  const { anyOf, type } = schema as { readonly anyOf?: readonly { type: FieldType }[]; readonly type: FieldType }
  return anyOf?.[0]?.type ?? type
}
