/** Compares the fields of records that came with those that an operation declares; the engine itself refuses other types. */
import type { TObject } from 'typebox'

/** One sentence for each difference that the connector's author may want to mend. */
export function compareFields(records: readonly unknown[], { properties }: TObject): string[] {
  const declared = Object.keys(properties)
  const came = new Set(records.flatMap((record) => Object.keys(record as object)))
  const undeclared = [...came].filter((name) => !declared.includes(name))
  const absent = declared.filter((name) => !came.has(name))
  return [
    ...(undeclared.length === 0 ? [] : [`not declared: ${undeclared.join(', ')}`]),
    ...(absent.length === 0 || records.length === 0 ? [] : [`declared, but in no record here: ${absent.join(', ')}`]),
  ]
}
