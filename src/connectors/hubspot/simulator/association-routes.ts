/** The addresses of associations ("Associations API v4"). */
import { jsonReply, param } from '../../../kit/simulator.ts'
import { idsIn } from './crm-routes.ts'
import { type Link, labelsOf } from './links.ts'
import type { ObjectType } from './object-types.ts'
import { type AnyAsk, invalid, needTypes, notFound, paging, route, typeNamed } from './world.ts'

function shown(ask: AnyAsk, from: ObjectType, to: ObjectType, { id, isPrimary }: Link): object {
  const { plain, primary } = labelsOf(from, to)
  const associationTypes = isPrimary && primary !== null ? [primary, plain] : [plain]
  return { toObjectId: ask.world.settings.associationIdsAsText ? id : Number(id), associationTypes }
}

/** The links from one record behind the given id, and the id to go on from. */
function page(links: readonly Link[], after: string | undefined, size: number) {
  const from = after === undefined ? 0 : links.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && from === 0) return invalid(`Invalid cursor: ${after}`)
  const found = links.slice(from, from + size)
  return { found, next: from + size < links.length ? found.at(-1)!.id : null }
}

const types = (ask: AnyAsk) => ({ from: typeNamed(ask.path.from!), to: typeNamed(ask.path.to!) })

export const associationRoutes = [
  route({
    path: '/crm/v4/objects/{from}/{id}/associations/{to}',
    params: { limit: param.integer({ least: 1, most: 500 }), after: param.text() },
    admit: needTypes('from', 'to'),
    answer(ask) {
      const { from, to } = types(ask)
      const record = ask.world.records.find(from, ask.path.id!) ?? notFound()
      const size = Math.min(ask.args.limit ?? 500, ask.world.settings.associationPage)
      const { found, next } = page(ask.world.links.from(record, to), ask.args.after, size)
      return { results: found.map((link) => shown(ask, from, to, link)), ...paging(ask.call, next) }
    },
  }),
  route({
    path: '/crm/v4/associations/{from}/{to}/labels',
    admit: needTypes('from', 'to'),
    answer(ask) {
      const { from, to } = types(ask)
      const { plain, primary } = labelsOf(from, to)
      return { results: primary === null ? [plain] : [primary, plain] }
    },
  }),
  route({
    method: 'POST',
    path: '/crm/v4/associations/{from}/{to}/batch/read',
    params: { inputs: param.json() },
    admit: needTypes('from', 'to'),
    answer(ask) {
      const { from, to } = types(ask)
      const ids = idsIn(ask.args.inputs)
      if (ids.length > 1000) invalid('Too many inputs in this batch.')
      const inputs = ask.args.inputs as { readonly id: string; readonly after?: string }[]
      const results: object[] = []
      const missing: string[] = []
      for (const { id, after } of inputs) {
        const record = ask.world.records.find(from, id)
        const links = record === undefined ? [] : ask.world.links.from(record, to)
        const { found, next } = page(links, after, ask.world.settings.associationPage)
        if (found.length === 0) missing.push(id)
        else
          results.push({ from: { id }, to: found.map((link) => shown(ask, from, to, link)), ...paging(ask.call, next) })
      }
      if (missing.length === 0) return { status: 'COMPLETE', results }
      const message = `No ${to.singular} is associated with ${missing.join(', ')}.`
      const errors = [
        {
          status: 'error',
          category: 'OBJECT_NOT_FOUND',
          subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
          message,
        },
      ]
      return jsonReply(207, { status: 'COMPLETE', results, numErrors: 1, errors }, ask.caller.headers)
    },
  }),
]
