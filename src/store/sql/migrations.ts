/** The numbered steps that bring a database's tables up to date. */

/** One step; a step that was released is never changed. */
export interface Migration {
  readonly number: number
  readonly statements: readonly string[]
}

/** The steps that a database still lacks whose newest one is of this number. Throws when it is ahead of them. */
export function missing(steps: readonly Migration[], applied: number): readonly Migration[] {
  const newest = steps.at(-1)?.number ?? 0
  if (applied > newest)
    throw new Error(
      `The database was last used by a newer version of Conex (its tables are at step ${applied}, this version knows ${newest}). Start that version, or restore an older backup.`,
    )
  return steps.filter(({ number }) => number > applied)
}
