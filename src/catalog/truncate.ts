/** Shortens a caller's own text for an error message, without splitting a character. */
export const truncate = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text).toWellFormed()
