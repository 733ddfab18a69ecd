/** JSON Schemas as the page of documents shows them: one line for each field. */
import { type Html, html } from './html.ts'

/** JSON Schema, as far as the page reads it. */
export interface Shape {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
}

/** A table of fields, with those inside of objects below them; null where there are none. */
export function fieldTable(shape: Shape, heading: string): Html | null {
  const rows = rowsOf(shape, '')
  if (rows.length === 0) return null
  return html`<table><tr><th>${heading}</th><th>Type</th><th></th></tr>${rows}</table>`
}

function rowsOf({ properties = {}, required = [] }: Shape, before: string): Html[] {
  return Object.entries(properties).flatMap(([name, shape]) => [
    html`<tr><td><code>${before}${name}</code>${required.includes(name) ? '*' : ''}</td><td>${typeOf(shape)}</td><td>${shape.description ?? ''}</td></tr>`,
    ...rowsOf(shape, `${before}${name}.`),
    ...(shape.items ? rowsOf(shape.items, `${before}${name}[].`) : []),
  ])
}

/** A type in a few words. */
export function typeOf({ $ref, type, format, anyOf, items, minimum, maximum, ...shape }: Shape): string {
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1)
  if (anyOf !== undefined) {
    const types = anyOf.filter((one) => one.type !== 'null').map(typeOf)
    return [...new Set(types)].join(' or ') + (types.length < anyOf.length ? '?' : '')
  }
  if (shape.const !== undefined) return JSON.stringify(shape.const)
  if (shape.enum !== undefined) return shape.enum.join(', ')
  if (type === 'array') return items === undefined ? 'array' : `array of ${typeOf(items)}`
  if (minimum !== undefined && maximum !== undefined) return `${type} ${minimum}–${maximum}`
  return format === 'date' || format === 'date-time' ? format : String(type ?? 'any')
}
