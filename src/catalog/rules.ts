/** Usage rules: what a schema cannot say about params, each with the sentence that a caller and a document read. */

export type Params = Readonly<Record<string, unknown>>

export interface Rule {
  /** One sentence that says what is needed; shown to callers and printed in the docs. */
  readonly sentence: string
  /** The names of the params at fault, or null when the rule is kept. An empty list blames the params as a whole. */
  readonly broken: (params: Params) => readonly string[] | null
}

/** Of all params named in the groups, exactly the members of one group have to be given. */
export function exactlyOneOf(groups: readonly (readonly string[])[], sentence: string): Rule {
  const all = [...new Set(groups.flat())]
  return {
    sentence,
    broken(params) {
      const given = all.filter((name) => params[name] !== undefined)
      const kept = groups.some(
        (group) => group.length === given.length && group.every((name) => params[name] !== undefined),
      )
      return kept ? null : given
    },
  }
}

/** At least one of the params has to be given. */
export function atLeastOneOf(names: readonly string[], sentence: string): Rule {
  return { sentence, broken: (params) => (names.some((name) => params[name] !== undefined) ? null : []) }
}

/** At most one of the params may be given. */
export function atMostOneOf(names: readonly string[], sentence: string): Rule {
  return {
    sentence,
    broken(params) {
      const given = names.filter((name) => params[name] !== undefined)
      return given.length > 1 ? given : null
    },
  }
}

/** A rule that only a function can tell: `broken` gives the params at fault, or null. */
export function rule(sentence: string, broken: Rule['broken']): Rule {
  return { sentence, broken }
}
