/** Formats sizes. */

/** A size that is easy to read. */
export function size(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** power
  return `${power === 0 || amount >= 10 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`
}
