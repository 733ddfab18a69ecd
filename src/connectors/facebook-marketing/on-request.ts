/**
 * How to declare what Graph sends only on request and leaves out where it is empty. Such fields stay as they came, so
 * their types are those of Meta's own specifications (facebook-business-sdk-codegen, `api_specs`, of v25.0).
 */
import { arrayOf, partialOf, type TSchema, text, titledObject } from '../../kit/connector.ts'

type Fields = Record<string, TSchema>

/** Fields of a record that only callers who name them get. */
export const onRequest = <const F extends Fields>(fields: F) => partialOf(fields).properties

/** An object that several records contain; documents give its content once. */
export const shared = <const F extends Fields>(title: string, fields: F) => {
  const content = onRequest(fields)
  return (description: string) => titledObject(title, content, description)
}

/** A list of objects. */
export const parts = <const F extends Fields>(fields: F, description?: string) =>
  arrayOf(partialOf(fields), description)

type Sent<S extends TSchema> = S extends { anyOf: [infer Inner extends TSchema, unknown] } ? Inner : S

/** The fields of a record where it is part of another: never null, because Graph leaves out what is empty. */
export const asSent = <const F extends Fields>(record: F) =>
  Object.fromEntries(
    Object.entries(record).map(([name, field]) => [name, 'anyOf' in field ? (field.anyOf as TSchema[])[0]! : field]),
  ) as { readonly [N in keyof F]: Sent<F[N]> }

export const texts = (description?: string) => arrayOf(text(), description)

/** Times have the offset of the account's time zone, without a colon. */
export const time = (description: string) => text(`${description} Like 2026-03-17T08:04:28-0700.`)

export const minorUnits = (description: string) =>
  text(`${description} In the smallest unit of the account’s currency, as text.`)

export const named = (description?: string) => partialOf({ id: text(), name: text() }, description)

export const allNamed = (description?: string) => parts({ id: text(), name: text() }, description)
