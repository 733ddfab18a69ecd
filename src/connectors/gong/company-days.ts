/** Days as Gong's statistics count them: in the company's time zone, which Conex does not know. */

export const day = 86_400_000

/** The date of a moment in UTC. */
export const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)

/** The last day that has begun in every zone: Gong refuses a day that has not begun for the company. */
export const lastBegunEverywhere = (now: number): string => dateOf(now - day / 2)
