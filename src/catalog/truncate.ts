/** The longest part of a caller's own text that is worth repeating to them, in whole letters. */
export const truncate = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text).toWellFormed()
