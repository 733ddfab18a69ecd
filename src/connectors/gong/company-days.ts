/** Days as Gong's statistics count them: in the zone of the company, which is not known here. */

export const day = 86_400_000

/** The date of a moment in UTC. */
export const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** The last day that has begun in every zone: Gong refuses one that has not begun in the company's. */
export const lastBegunEverywhere = (now: number): string => dateOf(now - day / 2)
