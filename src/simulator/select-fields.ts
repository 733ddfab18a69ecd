/** Field selection: a record with only the fields that a call names. */

type Json = Readonly<Record<string, unknown>>

/** The named fields that the record has; `a.b` selects inside objects, and inside each object of a list. */
export function selectFields(record: Json, paths: readonly string[]): Json {
  const inside = new Map<string, string[] | null>()
  for (const path of paths) {
    const dot = path.indexOf('.')
    const name = dot < 0 ? path : path.slice(0, dot)
    if (dot < 0) inside.set(name, null)
    else if (inside.get(name) !== null) inside.set(name, [...(inside.get(name) ?? []), path.slice(dot + 1)])
  }
  const selected: Record<string, unknown> = {}
  for (const [name, rest] of inside)
    if (Object.hasOwn(record, name)) selected[name] = rest === null ? record[name] : narrow(record[name], rest)
  return selected
}

function narrow(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => narrow(one, paths))
  return typeof value === 'object' && value !== null ? selectFields(value as Json, paths) : value
}
