/**
 * How to declare what Graph sends only on request and leaves out where it is empty. Such fields stay as they came, so
 * their types are those of Meta's own specifications (facebook-business-sdk-codegen, `api_specs`, of v25.0).
 */
import { arrayOf, objectOf, optional, type TSchema, text, titledObject } from '../../kit/connector.ts'

type Fields = Readonly<Record<string, TSchema>>
type Optional<S extends TSchema> = ReturnType<typeof optional<S>>

/** Fields of a record that only callers who name them get. */
export const onRequest = <const F extends Fields>(fields: F) =>
  mapped(fields, optional) as { readonly [N in keyof F]: Optional<F[N]> }

/** An object inside a record. */
export const part = <const F extends Fields>(fields: F, description?: string) =>
  objectOf(onRequest(fields), description)

/** An object that several records contain; documents give its content once. */
export const shared = <const F extends Fields>(title: string, fields: F) => {
  const content = onRequest(fields)
  return (description: string) => titledObject(title, content, description)
}

/** A list of such objects. */
export const parts = <const F extends Fields>(fields: F, description?: string) => arrayOf(part(fields), description)

type Sent<S extends TSchema> = S extends { anyOf: [infer Inner extends TSchema, unknown] } ? Inner : S

/** The fields of a record where it is part of another: never null, because Graph leaves out what is empty. */
export const asSent = <const F extends Fields>(record: F) =>
  mapped(record, (field) => ('anyOf' in field ? (field.anyOf as TSchema[])[0]! : field)) as {
    readonly [N in keyof F]: Sent<F[N]>
  }

const mapped = (fields: Fields, change: (field: TSchema) => TSchema): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]))

export const texts = (description?: string) => arrayOf(text(), description)

/** Times have the offset of the account's time zone, without a colon. */
export const time = (description: string) => text(`${description} Like 2026-03-17T08:04:28-0700.`)

export const minorUnits = (description: string) =>
  text(`${description} In the smallest unit of the account’s currency, as text.`)

export const named = (description?: string) => part({ id: text(), name: text() }, description)

export const allNamed = (description?: string) => parts({ id: text(), name: text() }, description)
