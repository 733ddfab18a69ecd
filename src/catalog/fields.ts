/**
 * The vocabulary in which connectors declare params and record fields. Each function returns a TypeBox schema, which is
 * also a type.
 */
import Type, { type Static, type TOptional, type TSchema, type TUnsafe } from 'typebox'

/** Any JSON object, kept unchanged. */
export type JsonObject = { readonly [key: string]: unknown }

/** An identifier: text with every digit, never absent. */
export const id = (description?: string) => Type.String({ ...about(description), 'x-identifier': true })

/** Text of any kind, including times and dates, which are kept as the system wrote them. */
export const text = (description?: string, limits: { pattern?: string; minLength?: number; maxLength?: number } = {}) =>
  Type.String({ ...about(description), ...limits })

/** A whole number. */
export const integer = (description?: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Type.Integer({ ...about(description), ...limits })

/** A number that can have a fraction. */
export const number = (description?: string, limits: { minimum?: number; maximum?: number } = {}) =>
  Type.Number({ ...about(description), ...limits })

export const boolean = (description?: string) => Type.Boolean(about(description))

/** An object whose content the specification does not list. */
export const object = (description?: string): TUnsafe<JsonObject> =>
  Type.Unsafe<JsonObject>({ type: 'object', ...about(description) })

/** An object whose listed fields have types of their own; other fields are kept unchanged. */
export const objectOf = <const P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, about(description))

/**
 * An object with values of one type, under names that the system or its users choose, kept unchanged. `known` lists
 * names for readers, each optional.
 */
export const mapOf = <const V extends TSchema, const K extends Record<string, TSchema> = Record<never, never>>(
  values: V,
  description?: string,
  known?: K,
): TUnsafe<{ readonly [P in keyof K]?: Static<K[P]> } & { readonly [name: string]: Static<V> | undefined }> =>
  Type.Unsafe({
    ...(known === undefined ? { type: 'object' } : Type.Object(known)),
    additionalProperties: values,
    ...about(description),
  })

/** An object of the same content in many places: documents and declarations give its content once, by its title. */
export const titledObject = <const P extends Record<string, TSchema>>(
  title: string,
  properties: P,
  description?: string,
) => Type.Object(properties, { title, ...about(description) })

/** An object param that takes only the listed keys. */
export const closedObjectOf = <const P extends Record<string, TSchema>>(properties: P, description?: string) =>
  Type.Object(properties, { additionalProperties: false, ...about(description) })

/** An array whose items the specification does not list. */
export const array = (description?: string): TUnsafe<readonly unknown[]> =>
  Type.Unsafe<readonly unknown[]>({ type: 'array', ...about(description) })

/** An array of items of one declared type. */
export const arrayOf = <const T extends TSchema>(items: T, description?: string) =>
  Type.Array(items, about(description))

/** One of a closed set of words. */
export const oneOf = <const V extends readonly [string, ...string[]]>(values: V, description?: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...about(description) })

/** Exactly this value. */
export const exactly = <const V extends string | boolean>(value: V, description?: string) =>
  Type.Literal(value, about(description))

/** An existing calendar date, YYYY-MM-DD. */
export const date = (description?: string) => Type.String({ format: 'date', ...about(description) })

/** An instant in ISO 8601 with Z or an offset; its date must exist. */
export const dateTime = (description?: string) => Type.String({ format: 'date-time', ...about(description) })

/** An instant in exactly the form YYYY-MM-DDTHH:mm:ssZ: no fractions, no offset, and a valid hour and second. */
export const utcTime = (description?: string) =>
  Type.String({
    ...about(description),
    format: 'date-time',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$',
    'x-form': 'a time that exists, in UTC, as YYYY-MM-DDTHH:mm:ssZ',
  })

/** A value of any of the given types. */
export const anyOf = <T extends TSchema[]>(types: [...T], description?: string) => Type.Union(types, about(description))

/** A record field that can be null. */
export const nullable = <const T extends TSchema>(field: T) => Type.Union([field, Type.Null()])

/**
 * A param that callers may leave out, or a record field that answers may lack. The value of such a field stays as the
 * system sent it; without `optional`, it gets its declared type, and becomes null if it is missing and `nullable`.
 */
export const optional = <const T extends TSchema>(field: T): TOptional<T> => Type.Optional(field) as TOptional<T>

type Fields = Record<string, TSchema>

/** The usual fields, which keep their types and come first, and all other documented ones as `optional`. */
export const withOptional = <const U extends Fields, const D extends Fields>(usual: U, documented: D) => {
  const others = Object.entries(documented).filter(([name]) => !Object.hasOwn(usual, name))
  return { ...usual, ...Object.fromEntries(others.map(([name, field]) => [name, optional(field)])) } as {
    readonly [K in keyof U | keyof D]: K extends keyof U ? U[K] : TOptional<D[K & keyof D]>
  }
}

/** An object, inside a record, any field of which may be absent. */
export const partialOf = <const P extends Fields>(properties: P, description?: string) =>
  objectOf(withOptional({}, properties) as { readonly [K in keyof P]: TOptional<P[K]> }, description)

/** A credential field: text that is never shown, logged or returned. */
export const secret = (description?: string) =>
  Type.String({ minLength: 1, format: 'password', writeOnly: true, ...about(description) })

function about(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description }
}
