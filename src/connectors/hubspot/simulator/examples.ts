/** Params for every operation with which it finds something, for any seed and scale. */
import type { SystemExamples } from '../../../kit/simulator.ts'
import { objectTypes, typeOf } from './object-types.ts'
import type { World } from './world.ts'

/** The types with an entity of their own, and the param with the id of a record: `line_item` has `lineItemId`. */
const ownTypes = objectTypes
  .filter(({ custom }) => custom === undefined)
  .map(({ plural, singular }) => ({
    plural,
    idParam: `${singular.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase())}Id`,
  }))

const searched = ['contact', 'company', 'deal', 'ticket']

/** By name, the records that examples read. */
export function landmarksOf({ records, owners, lists, files, links }: World): Readonly<Record<string, string>> {
  const first = (plural: string): string =>
    records.of(typeOf(plural)).find(({ archivedAt }) => archivedAt === undefined)!.id
  const deals = records.of(typeOf('deals')).filter(({ archivedAt }) => archivedAt === undefined)
  return {
    ...Object.fromEntries(ownTypes.map(({ plural }) => [plural, first(plural)])),
    custom_type: '2-48213',
    custom_record: first('2-48213'),
    owner: owners.rows[0]!.id,
    list: lists.rows.find(({ members }) => members.length > 0)!.listId,
    file: files.rows[0]!.id,
    associated_deal: deals.find((deal) => links.from(deal, typeOf('contacts')).length > 0)!.id,
    archived_contact: records.of(typeOf('contacts')).find(({ archivedAt }) => archivedAt !== undefined)!.id,
  }
}

export function examplesOf(at: Readonly<Record<string, string>>): SystemExamples {
  const objectType = at.custom_type
  const pipeline = { objectType: 'deals', pipelineId: 'default' }
  return {
    ...Object.fromEntries(
      ownTypes.map(({ plural, idParam }) => [
        plural === 'users' ? 'crm_users' : plural,
        { list: {}, get: { [idParam]: at[plural] } },
      ]),
    ),
    ...Object.fromEntries(
      searched.map((singular) => {
        const filter = { propertyName: 'hs_object_id', operator: 'GTE', value: at[typeOf(singular).plural] }
        return [`${singular}_search`, { list: { filterGroups: [{ filters: [filter] }] } }]
      }),
    ),
    schemas: { list: {}, get: { objectType } },
    objects: { list: { objectType }, get: { objectType, objectId: at.custom_record } },
    object_search: {
      list: { objectType, filterGroups: [{ filters: [{ propertyName: 'hs_object_id', operator: 'HAS_PROPERTY' }] }] },
    },
    owners: { list: {}, get: { ownerId: Number(at.owner) } },
    pipelines: { list: { objectType: 'deals' }, get: pipeline },
    pipeline_stages: { list: pipeline, get: { ...pipeline, stageId: 'appointment' } },
    properties: { list: { objectType: 'contacts' }, get: { objectType: 'contacts', propertyName: 'email' } },
    property_groups: { list: { objectType: 'contacts' }, get: { objectType: 'contacts', groupName: 'survey' } },
    associations: { list: { objectType: 'deals', objectId: at.associated_deal, toObjectType: 'contacts' } },
    association_labels: { list: { fromObjectType: 'contacts', toObjectType: 'companies' } },
    lists: { list: {}, get: { listId: at.list } },
    list_memberships: { list: { listId: at.list } },
    account: { get: {} },
    files: { list: {}, get: { fileId: at.file }, download: { fileId: at.file } },
  }
}
