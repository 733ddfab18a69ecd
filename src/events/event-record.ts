/** An event as programs see it, in the stream and in webhooks. */
import type { StoredEvent } from '../store/events.ts'
import type { EventRecord } from '../wire.ts'

export function eventRecord({ position, id, type, at, details, ...about }: StoredEvent): EventRecord {
  const { connectorId, externalUserId, connectorType } = about
  const data = {
    ...(connectorId !== null && { connector_id: connectorId }),
    ...(externalUserId !== null && { external_user_id: externalUserId }),
    ...(connectorType !== null && { connector_type: connectorType }),
    ...details,
  }
  return { id, type, timestamp: at, data, cursor: cursorOf(position) } as EventRecord
}

/** A cursor that goes on after this place. */
export const cursorOf = (place: number): string => Buffer.from(`events ${place}`).toString('base64url')

/** The place of a cursor; null if it is none. */
export function placeOf(cursor: string): number | null {
  const [, place] = /^events (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  return place === undefined ? null : Number(place)
}
