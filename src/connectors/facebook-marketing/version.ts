/** The version of Meta's interface, and what Meta's answers say about it ("Versioning"). */
import type { Connector } from '../../kit/connector.ts'

/** Released on 29 July 2026; a version serves the Marketing API for about a year. */
export const version = 'v26.0'

/** If the requested version has ended, Meta silently serves another one; sometimes it warns beforehand. */
export const versionNotice: NonNullable<Connector['notice']> = (headers, baseUrl) => {
  const warning = headers['x-ad-api-version-warning']
  if (typeof warning === 'string' && warning !== '') return `Meta warns of its version: ${warning.slice(0, 300)}`
  const asked = /\/(v\d+\.\d+)$/.exec(baseUrl)?.[1]
  const served = headers['facebook-api-version']
  if (asked === undefined || typeof served !== 'string' || served === asked || !/^v\d+\.\d+$/.test(served)) return null
  return `Meta serves ${served} although ${asked} is asked for; set a base address with a version that it still serves.`
}
