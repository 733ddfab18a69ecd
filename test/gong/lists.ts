/** Reads lists as a caller would, and judges every record by what is declared. */
import assert from 'node:assert/strict'
import type { Entity } from '../../src/catalog/entity.ts'
import { conforms } from '../../src/conformance/conforms.ts'
import { gong as kind } from '../../src/connectors/gong/connector.ts'
import type { Connection } from './connected.ts'

interface Pagination {
  readonly totalRecords: number
  readonly currentPageSize: number
  readonly currentPageNumber: number
  readonly cursor: string | null
}

export const fits = (entity: string, action: 'list' | 'get', record: unknown): void =>
  conforms(record, (kind.entities as Record<string, Entity>)[entity]![action]!.record, `${entity} ${action}`)

export const list = async ({ gong }: Connection, entity: keyof typeof kind.entities, params: object = {}) => {
  const answer = await gong.execute(entity, 'list', params)
  const result = answer.result as Record<string, unknown>[]
  assert.ok(result.length > 0, `${entity} is empty`)
  for (const record of result) fits(entity, 'list', record)
  return {
    result,
    pagination: answer.connector_metadata.pagination as Pagination,
    metadata: answer.connector_metadata,
  }
}

/** Walks a list by hand, as a caller would, with nothing but `pagination.cursor`. */
export async function walk({ gong }: Connection, entity: keyof typeof kind.entities, params: object = {}) {
  const records: Record<string, unknown>[] = []
  const blocks: Pagination[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const answer = await gong.execute(entity, 'list', { ...params, ...(cursor ? { cursor } : {}) })
    const { pagination } = answer.connector_metadata as unknown as { pagination: Pagination }
    records.push(...(answer.result as Record<string, unknown>[]))
    assert.equal(pagination.currentPageSize, (answer.result as unknown[]).length)
    blocks.push(pagination)
    cursor = pagination.cursor
  }
  return { records, blocks }
}
