/** Reads a header that may stand in an answer once. */

/** Its value; undefined when several contradict each other, since none of them is better than the others. */
export const theOne = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? (new Set(header).size === 1 ? header[0] : undefined) : header
