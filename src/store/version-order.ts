/** Which of two versions of Conex came first, as semantic versioning has it. */

/** Whether a version came before another one. A preview (`1.2.0-rc.1`) comes before what it leads to. */
export function isOlder(version: string, other: string): boolean {
  const [own, its] = [partsOf(version), partsOf(other)]
  for (const [place, number] of own.numbers.entries()) {
    const difference = number - (its.numbers[place] ?? 0)
    if (difference !== 0) return difference < 0
  }
  if (own.preview === its.preview) return false
  if (own.preview === '' || its.preview === '') return own.preview !== ''
  return byNumbers.compare(own.preview, its.preview) < 0
}

const byNumbers = new Intl.Collator('en', { numeric: true })

function partsOf(version: string) {
  const [, numbers = '', preview = ''] = /^([^-+]*)-?([^+]*)/.exec(version)!
  return { numbers: numbers.split('.').map(Number), preview }
}
