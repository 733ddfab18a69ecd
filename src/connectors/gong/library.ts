/** The library: public folders of calls worth listening to. */
import { entity } from '../../catalog/entity.ts'
import { id, integer, nullable, text } from '../../catalog/fields.ts'
import { list, type Reader } from '../../catalog/operation.ts'
import { ConexError } from '../../errors.ts'
import { noneFound } from './errors.ts'
import { gongId, isObject, pages, tidy } from './fields.ts'

const folder = {
  id: id(),
  name: text(),
  parentFolderId: nullable(text('Null at the top.')),
  createdBy: nullable(text()),
  updated: text(),
} as const

export const libraryFolders = entity({
  description: 'Public folders of the library.',
  list: list({
    description: 'List the public folders of a workspace.',
    path: '/v2/library/folders',
    params: { workspaceId: gongId('The workspace.') },
    recordsAt: ['folders'],
    record: folder,
    reshape: tidy(folder),
    readRefusal: noneFound('folders'),
    scopes: ['api:library:read'],
  }),
})

/** What the folder does not tell is null where the call itself cannot be read. */
const content = {
  callId: id(),
  title: text(),
  started: nullable(text()),
  primaryUserId: nullable(text()),
  url: text(),
  duration: nullable(integer('Seconds.')),
} as const

export const libraryFolderContent = entity({
  description: 'Calls in a folder of the library.',
  list: list({
    description: 'List the calls in a folder.',
    path: '/v2/library/folder-content',
    params: { folderId: gongId('The folder.') },
    recordsAt: ['calls'],
    record: content,
    reshape: async (records, reader) => {
      const renamed = records.map((record) => {
        if (!isObject(record) || record.id === undefined) return record
        const { id: callId, ...rest } = record
        return { callId: String(callId), ...rest }
      })
      return tidy(content)(await withCalls(renamed, reader))
    },
    paging: pages,
    scopes: ['api:library:read', 'api:calls:read:extensive'],
  }),
})

/** The most calls that are asked for at once: one page of answers. */
const atOnce = 100

/** Adds what the folder does not tell about its calls (Gong reference, list the calls in a folder). */
async function withCalls(records: readonly unknown[], reader: Reader): Promise<unknown[]> {
  const ids = records.flatMap((record) => (isObject(record) ? [String(record.callId)] : []))
  const known = new Map<string, object>()
  for (let first = 0; first < ids.length; first += atOnce)
    for (const { id, started, duration, primaryUserId } of await metaDataOf(ids.slice(first, first + atOnce), reader))
      known.set(String(id), { started, duration, primaryUserId })
  return records.map((record) => (isObject(record) ? { ...record, ...known.get(String(record.callId)) } : record))
}

async function metaDataOf(callIds: readonly string[], reader: Reader): Promise<Record<string, unknown>[]> {
  try {
    const answer = await reader.read({ method: 'POST', path: '/v2/calls/extensive', body: { filter: { callIds } } })
    const calls = isObject(answer) && Array.isArray(answer.calls) ? (answer.calls as unknown[]) : []
    return calls.flatMap((call) => (isObject(call) && isObject(call.metaData) ? [call.metaData] : []))
  } catch (error) {
    // Calls that are gone, or a grant without the scope for them, must not hide what the folder holds.
    if (error instanceof ConexError && (error.code === 'record_not_found' || error.code === 'upstream_forbidden'))
      return []
    throw error
  }
}
