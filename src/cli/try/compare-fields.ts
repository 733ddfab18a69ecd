/** Compares records that came with the record that an operation declares. */
import type { TObject } from 'typebox'
import Schema from 'typebox/schema'

/** One sentence for each difference that its author may want to mend. */
export function compareFields(records: readonly unknown[], declared: TObject): string[] {
  const names = Object.keys(declared.properties)
  const came = new Set(records.flatMap((record) => Object.keys(record as object)))
  const undeclared = [...came].filter((name) => !names.includes(name))
  const absent = names.filter((name) => !came.has(name))
  const faults = new Map<string, number>()
  for (const record of records)
    for (const { instancePath, message } of faultsOf(declared, record)) {
      const fault = `${instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*') || 'a record'} ${message}`
      faults.set(fault, (faults.get(fault) ?? 0) + 1)
    }
  return [
    ...[...faults].map(([fault, count]) => `otherwise than declared: ${fault} (${count} of ${records.length} records)`),
    ...(undeclared.length === 0 ? [] : [`not declared: ${undeclared.join(', ')}`]),
    ...(absent.length === 0 || records.length === 0 ? [] : [`declared, but in no record here: ${absent.join(', ')}`]),
  ]
}

interface SchemaFault {
  readonly instancePath: string
  readonly message: string
}

/** `required` alone is not told: the absent fields are. */
const faultsOf = (schema: TObject, record: unknown): readonly SchemaFault[] => {
  const [fits, faults] = Schema.Errors(schema as never, record) as unknown as [
    boolean,
    readonly (SchemaFault & { readonly keyword: string })[],
  ]
  return fits ? [] : faults.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== '$ref').slice(0, 3)
}
