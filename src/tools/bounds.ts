/** The bounds of an answer: how long it may be, and what is left out of it. */
import { boolean, integer, optional } from '../catalog/fields.ts'

export const usualCharacters = 20_000
export const mostCharacters = 1_000_000

export interface Bounds {
  readonly skip?: number
  readonly max_characters?: number
  readonly max_text?: number
  readonly omit_empty?: boolean
}

/** The arguments with which a caller bounds an answer, where these bounds hold otherwise. */
export const boundsFieldsFor = ({ max_characters = usualCharacters, max_text, omit_empty }: Bounds) => ({
  skip: optional(integer('Skips records of this page', { minimum: 0 })),
  max_characters: optional(integer(usually('Budget', max_characters), { minimum: 2000, maximum: mostCharacters })),
  max_text: optional(integer(usually('Cuts longer texts', max_text), { minimum: 20, maximum: 1_000_000 })),
  omit_empty: optional(boolean(usually('Leaves out null and empty fields', omit_empty))),
})

const usually = (meaning: string, value: unknown): string =>
  value === undefined ? meaning : `${meaning}, ${value} by default`

export const boundsFields = boundsFieldsFor({})
