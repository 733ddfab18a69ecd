/** What the simulated Slack keeps: its own records, from which each answer shows what its caller may see. */

export interface User {
  readonly id: string
  readonly name: string
  readonly real_name: string
  readonly title: string
  readonly email?: string
  readonly role: 'owner' | 'admin' | 'member' | 'guest' | 'single-channel guest' | 'bot'
  readonly deleted: boolean
  readonly updated: number
  readonly tz: string
}

export type ChannelType = 'public_channel' | 'private_channel' | 'mpim' | 'im'

export interface Channel {
  readonly id: string
  readonly type: ChannelType
  /** Absent in a direct message. */
  readonly name?: string
  readonly created: number
  readonly creator: string
  readonly members: readonly string[]
  readonly archived: boolean
  /** Shared with another workspace. */
  readonly shared: boolean
  readonly general: boolean
  readonly topic: string
  readonly purpose: string
  readonly previous_names: readonly string[]
}

export interface Message {
  /** `<channel>:<ts>`. */
  readonly key: string
  readonly channel: string
  readonly ts: string
  /** The key of the parent of a reply. */
  readonly thread?: string
  /** The channel in whose history it is; a reply only if it was broadcast. */
  readonly history?: string
  readonly subtype?: string
  readonly user?: string
  readonly bot_id?: string
  readonly text: string
  readonly edited?: { readonly user: string; readonly ts: string }
  readonly files?: readonly string[]
  readonly reactions?: readonly { readonly name: string; readonly users: readonly string[] }[]
  /** Fields that a few messages have, shown as they are. */
  readonly more?: Readonly<Record<string, unknown>>
}

export interface SlackFile {
  readonly id: string
  readonly name: string
  readonly mimetype: string
  readonly filetype: string
  readonly pretty_type: string
  readonly mode: 'hosted' | 'external' | 'snippet' | 'tombstone' | 'hidden_by_limit'
  readonly size: number
  readonly user: string
  readonly created: number
  /** The channels that it was shared in. */
  readonly channels: readonly string[]
}

export interface UserGroup {
  readonly id: string
  readonly name: string
  readonly handle: string
  readonly description: string
  readonly users: readonly string[]
  readonly channels: readonly string[]
  readonly created: number
  readonly updated: number
  /** 0 while it is in use. */
  readonly deleted: number
}

export const keyOf = (channel: string, ts: string): string => `${channel}:${ts}`

/** A text that sorts as the moments do: `1735689600`, `1735689600.0002` and `0` too. */
export function sortable(ts: string): string {
  const [seconds = '', fraction = ''] = ts.split('.')
  return `${seconds.padStart(12, '0')}.${fraction.padEnd(6, '0')}`
}
