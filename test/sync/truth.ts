/** What a simulated system holds, read from it by hand: the judge of every copy. It knows nothing of connectors. */
import assert from 'node:assert/strict'
import { catalog } from '../../src/connectors/index.ts'
import type { Hosted } from '../hosted.ts'
import { heldOf } from './held.ts'
import { asanaTruth } from './truths/asana.ts'
import type { Any, Truth } from './truths/ask.ts'
import { facebookTruth } from './truths/facebook-marketing.ts'
import { gongTruth } from './truths/gong.ts'
import { hubspotToken, hubspotTruth } from './truths/hubspot.ts'
import { slackTruth } from './truths/slack.ts'

/** `as` says whose view of the system it is; the first credentials' otherwise. */
export async function truthOf(
  hosted: Pick<Hosted, 'systems' | 'clock'>,
  kind: string,
  as?: Readonly<Record<string, string>>,
): Promise<Truth> {
  const { base_url: base, credentials } = hosted.systems.describe()[kind]!
  const first = as ?? credentials[0]!
  if (kind === 'asana') return asanaTruth(base, first.token ?? first.access_token!)
  if (kind === 'gong') {
    const { access_key: key, access_key_secret: secret } = credentials.find((one) => one.access_key !== undefined)!
    return gongTruth(base, `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`)
  }
  if (kind === 'hubspot') return hubspotTruth(base, await hubspotToken(base, first))
  if (kind === 'slack') {
    const { start_date: start } = hosted.systems.tour(kind).replication_config!
    return slackTruth(base, first.api_token ?? first.access_token!, String(start))
  }
  return facebookTruth(base, first.access_token!, hosted.clock.now())
}

/** Judges that the copy of an entity is what the system holds: the same records, each of their fields the same. */
export function assertSame(
  kind: string,
  entity: string,
  copy: ReadonlyMap<string, Any>,
  truth: ReadonlyMap<string, Any>,
) {
  const where = `${kind} ${entity}`
  const missing = [...truth.keys()].filter((id) => !copy.has(id))
  const extra = [...copy.keys()].filter((id) => !truth.has(id))
  assert.deepEqual({ missing, extra }, { missing: [], extra: [] }, where)
  const searchable: Record<string, string> = (catalog as Any)[kind].entities[entity].searchable
  for (const [id, record] of truth)
    for (const [name, type] of Object.entries(searchable)) {
      // Signed addresses are not kept.
      if (name === 'download_url' || name === 'view_url') continue
      assert.deepEqual(
        unsigned(copy.get(id)[name]),
        unsigned(heldOf(kind, entity, name, type, record)),
        `${where} ${id} ${name}`,
      )
    }
}

/** Meta signs an address anew each day. */
const unsigned = (value: Any): Any =>
  typeof value === 'string' && value.includes('.fbcdn.example/') ? value.split('?')[0] : value
