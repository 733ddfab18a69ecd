/** Changes on demand: what users, administrators and time do to records, associations and grants. */
import { type Change, type Clock, changesFrom, recordChanges, setting, settingsChange } from '../../../kit/simulator.ts'
import type { CrmRecord } from './crm-records.ts'
import type { Access } from './oauth.ts'
import { type ObjectType, typeOf } from './object-types.ts'
import { planOf } from './portal.ts'
import type { World } from './world.ts'

export function createChanges(world: World, access: Access, clock: Clock) {
  const { records, links, settings } = world

  const typeIn = ({ type }: Change): ObjectType => typeOf(String(type))
  function recordIn(type: ObjectType, id: unknown): CrmRecord {
    const found = records.find(type, String(id))
    if (found === undefined) throw new Error(`There is no ${type.singular} ${String(id)}.`)
    return found
  }
  const one = (change: Change): CrmRecord => recordIn(typeIn(change), change.id)
  const ofRecord = { type: 'contacts', id: '21000000501' }
  const propertiesIn = ({ properties = {} }: Change): Record<string, string> =>
    Object.fromEntries(Object.entries(properties as object).map(([name, value]) => [name, String(value)]))
  const pair = { ...ofRecord, to_type: 'companies', to_id: '31000000501' }
  const other = ({ to_type: type, to_id: id }: Change): CrmRecord => recordIn(typeOf(String(type)), id)

  return changesFrom({
    settings: settingsChange({
      rotate_refresh_tokens: setting(access.settings, 'rotates'),
      access_token_seconds: setting(access.settings, 'seconds'),
      association_page: setting(settings, 'associationPage'),
      association_ids_as_text: setting(settings, 'associationIdsAsText'),
      longest_address: setting(settings, 'longestAddress'),
      says_retry_after: setting(settings, 'saysRetryAfter'),
      calls_per_day: setting(settings, 'callsPerDay', { orNull: true }),
      index_lag_seconds: setting(records.index, 'lagSeconds'),
    }),
    expire_access_tokens: { does: 'Ends all access tokens at once.', make: access.tokens.expireAll },
    hub: {
      does: 'Makes the application "uninstalled" or the account "deleted": refreshing is refused; or "installed" again.',
      example: { is: 'uninstalled' },
      make({ is }) {
        if (is !== 'installed' && is !== 'uninstalled' && is !== 'deleted')
          throw new Error('A hub is installed, uninstalled or deleted.')
        access.settings.hub = is
        return { hub: is }
      },
    },
    plan: {
      does: 'Changes the plan of the account: "enterprise" has custom objects, "professional" cannot grant their scopes.',
      example: { is: 'professional' },
      make({ is }) {
        access.settings.plan = planOf(is)
        return { plan: is }
      },
    },
    scopes: {
      does: 'Takes scopes away from all grants, by `without`.',
      example: { without: ['tickets'] },
      make({ without }) {
        access.settings.withheld = Array.isArray(without) ? without.map(String) : []
        return { without: access.settings.withheld }
      },
    },
    create: {
      does: 'Adds a record; with times, so many.',
      example: { type: 'contacts', properties: { firstname: 'Ines' }, times: 1 },
      make(change) {
        const type = typeIn(change)
        const properties = propertiesIn(change)
        return { id: records.create(type, properties, Number(change.times ?? 1)).id }
      },
    },
    update: {
      does: 'Changes properties of a record, and its time of change; an empty text unsets one.',
      example: { ...ofRecord, properties: { lastname: 'Ito' } },
      make: (change) => ({ id: records.update(one(change), propertiesIn(change)).id }),
    },
    touch: {
      does: 'Changes all records of a type at once, as jobs in bulk do: all have the same time of change.',
      example: { type: 'contacts' },
      make(change) {
        const now = clock.now()
        const all = records.of(typeIn(change))
        for (const record of all) records.update(record, {}, now)
        return { touched: all.length }
      },
    },
    archive: {
      does: 'Archives a record, which changes no time but its own.',
      example: ofRecord,
      make: (change) => records.archive(one(change)),
    },
    restore: {
      does: 'Restores an archived record.',
      example: ofRecord,
      make: (change) => records.restore(one(change)),
    },
    delete: {
      does: 'Deletes a record for good, as for privacy: nothing is left of it.',
      example: ofRecord,
      make: (change) => records.remove(one(change)),
    },
    merge: {
      does: 'Merges the record of to_id into the one of id.',
      example: { ...ofRecord, to_id: '21000000518' },
      make: (change) => records.merge(one(change), recordIn(typeIn(change), change.to_id)),
    },
    associate: {
      does: 'Associates two records; no time of change moves.',
      example: pair,
      make: (change) => links.add(one(change), other(change)),
    },
    dissociate: {
      does: 'Ends an association.',
      example: pair,
      make: (change) => links.remove(one(change), other(change)),
    },
    setup: {
      does: 'Replaces fields of an owner, pipeline or schema; in names the collection, id the record.',
      example: { in: 'owners', id: '71000001', fields: { firstName: 'Anna' } },
      make: recordChanges({ owners: world.owners, pipelines: world.pipelines, schemas: world.schemas }).edit!.make,
    },
  })
}
