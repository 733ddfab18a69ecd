/** Members of conversations, for callers and for the copy. */
import { id } from '../../kit/connector.ts'

export const memberFields = {
  channel_id: id('The conversation.'),
  member_id: id('The person.'),
} as const

/** Slack lists bare ids. */
export const asMembers = (
  ids: readonly unknown[],
  { params }: { readonly params: Readonly<Record<string, unknown>> },
) => ids.map((member) => ({ channel_id: params.channel, member_id: member }))
