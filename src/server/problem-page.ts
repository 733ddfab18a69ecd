/** An error as a page, for a person whose browser came here; programs get the same as JSON. */
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../wire.ts'
import { html } from './html.ts'
import { card } from './page.ts'

/**
 * Whether a browser asks for a page to show: it names HTML, and prefers nothing to it. Who sends a token is a program, whatever it
 * names: some HTTP libraries name HTML unasked.
 */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  if (!['GET', 'HEAD'].includes(method) || headers.authorization !== undefined) return false
  const wish = wishes(headers.accept ?? '')
  const html = wish.get('text/html') ?? 0
  return html > 0 && ['application/json', 'application/problem+json'].every((type) => (wish.get(type) ?? 0) <= html)
}

/** How much each type of an Accept header is wanted, from 0 to 1. */
function wishes(accept: string): Map<string, number> {
  return new Map(
    accept.split(',').map((part) => {
      const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
      const weight = parameters.find((one) => one.startsWith('q='))?.slice(2) ?? '1'
      return [type, Number(weight) || 0]
    }),
  )
}

export const problemPage = ({ title, detail, request_id }: Problem, heading = title): string =>
  card({
    from: 'Conex',
    title: heading,
    mark: 'failed',
    body: html`<p>${detail}</p>
<p class="quiet"><small>Request ${request_id}</small></p>`,
  })
