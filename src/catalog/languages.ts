/** The languages of the pages that end users see. */
export const languages = ['en', 'de', 'fr', 'es', 'ja'] as const

export type Language = (typeof languages)[number]

/** A text for end users. English stands in for languages that it lacks. */
export type Localized = { readonly en: string } & { readonly [L in Language]?: string }
