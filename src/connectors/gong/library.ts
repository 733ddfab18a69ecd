/** The library: public folders of calls worth listening to. */
import {
  ConexError,
  entity,
  id,
  integer,
  list,
  nullable,
  partialOf,
  plainText,
  type Reader,
  text,
  withOptional,
} from '../../kit/connector.ts'
import { neverNone, noneFound } from './errors.ts'
import { gongId, isObject, pages, tidy } from './fields.ts'
import { isOpen, readMetaData } from './private-calls.ts'

const folder = {
  id: id(),
  name: text(),
  parentFolderId: nullable(text('Null for a folder at the top.')),
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
    readRefusal: noneFound('folders', '(?:library )?folders'),
    scopes: ['api:library:read'],
  }),
})

/** The fields that the folder lacks are null if the call itself cannot be read. */
const content = withOptional(
  {
    callId: id(),
    title: text(),
    started: nullable(text()),
    primaryUserId: nullable(text()),
    url: text(),
    duration: nullable(integer('Seconds.')),
  },
  {
    note: nullable(text('A note for this call in the folder.')),
    addedBy: nullable(text('The user who added the call to the folder.')),
    created: nullable(text('When the call was added, in ISO 8601.')),
    snippet: nullable(
      partialOf(
        {
          fromSec: integer('Seconds from the start of the call.'),
          toSec: integer('Seconds from the start of the call.'),
        },
        'The part of the call that was added.',
      ),
    ),
  },
)

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
        return { callId, ...rest }
      })
      return tidy(content)(await withCalls(renamed, reader))
    },
    paging: pages,
    readRefusal: neverNone,
    scopes: ['api:library:read', 'api:calls:read:extensive'],
  }),
})

/**
 * Adds the fields of calls that the folder lacks (Gong reference, list the calls in a folder). If private calls are
 * left out, so are calls about which nothing is known.
 */
async function withCalls(records: readonly unknown[], reader: Reader): Promise<readonly unknown[]> {
  const idOf = (record: unknown): string => (isObject(record) ? plainText(record.callId) : '')
  const calls = await readable(records.map(idOf), reader)
  return records
    .filter((record) => reader.privateRecords || isOpen(calls, idOf(record)))
    .map((record) => {
      const { started, duration, primaryUserId } = calls.get(idOf(record)) ?? {}
      return isObject(record) ? { ...record, started, duration, primaryUserId } : record
    })
}

async function readable(callIds: readonly string[], reader: Reader): ReturnType<typeof readMetaData> {
  try {
    return await readMetaData(callIds, reader)
  } catch (error) {
    // A grant without the scope for calls still shows the folder's own fields, unless some of these calls may be
    // private.
    const isForbidden = error instanceof ConexError && error.code === 'upstream_forbidden'
    if (isForbidden && reader.privateRecords) return new Map()
    throw error
  }
}
