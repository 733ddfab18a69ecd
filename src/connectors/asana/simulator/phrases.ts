/** Fills the gaps in the vocabulary's phrases, always in the same way. */
import { pick } from '../../../kit/simulator.ts'
import { cities, products, seasons, vendors } from './vocabulary.ts'

const gap = /\{(\w+)\}/g

/** Each gap uses different digits of the drawn number, so that they vary independently. */
export function fillIn(phrase: string, drawn: number): string {
  if (!phrase.includes('{')) return phrase
  return phrase.replace(gap, (whole, name: string) => {
    switch (name) {
      case 'product':
        return pick(products, drawn >>> 3)
      case 'city':
        return pick(cities, drawn >>> 7)
      case 'vendor':
        return pick(vendors, drawn >>> 11)
      case 'season':
        return pick(seasons, drawn >>> 15)
      case 'quarter':
        return `Q${1 + ((drawn >>> 17) & 3)}`
      case 'year':
        return String(2025 + ((drawn >>> 19) & 1))
      case 'n':
        return String(1 + ((drawn >>> 20) % 24))
      default:
        return whole
    }
  })
}

/** The `YYYY-MM-DD` of a moment. */
export function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}
