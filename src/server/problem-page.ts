/** An error as a page for people with a browser. Programs get the same error as JSON. */
import type { FastifyRequest } from 'fastify'
import type { Problem } from '../wire.ts'
import { html } from './html.ts'
import { card } from './page.ts'

/**
 * Whether to answer with a page: a browser that visits an address or sends a form accepts HTML and prefers nothing else. A request with a token comes from a
 * program, even if it accepts HTML: some HTTP libraries always do.
 */
export function wantsPage({ method, headers, routeOptions }: FastifyRequest): boolean {
  const isVisit = ['GET', 'HEAD'].includes(method) || routeOptions.config?.takesForm === true
  if (!isVisit || headers.authorization !== undefined) return false
  const wish = wishes(headers.accept ?? '')
  const html = wish.get('text/html') ?? 0
  return html > 0 && ['application/json', 'application/problem+json'].every((type) => (wish.get(type) ?? 0) <= html)
}

/** The weight of each type in an Accept header, from 0 to 1. */
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
