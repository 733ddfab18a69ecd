/** Usage rules: conditions on params that a schema cannot express, each with a sentence for callers and documents. */

export type Params = Readonly<Record<string, unknown>>

export interface Rule {
  /** A sentence that says what is needed, for callers and for the documents. */
  readonly sentence: string
  /** The names of the params at fault, or null if the rule is kept. An empty list blames the params as a whole. */
  readonly broken: (params: Params) => readonly string[] | null
}

/** Of all the params in the groups, the caller must give exactly the members of one group. */
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

/** The caller must give at least one of the params. */
export function atLeastOneOf(names: readonly string[], sentence: string): Rule {
  return { sentence, broken: (params) => (names.some((name) => params[name] !== undefined) ? null : []) }
}

/** The caller may give at most one of the params. */
export function atMostOneOf(names: readonly string[], sentence: string): Rule {
  return {
    sentence,
    broken(params) {
      const given = names.filter((name) => params[name] !== undefined)
      return given.length > 1 ? given : null
    },
  }
}

/** A rule with a function: `broken` returns the params at fault, or null. */
export function rule(sentence: string, broken: Rule['broken']): Rule {
  return { sentence, broken }
}
