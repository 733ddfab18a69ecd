/** Reads a contentSelector as strictly as the real system. */
import type { Selector } from './call-contents.ts'
import { optionalObject, switches, word } from './inputs.ts'
import { refuse } from './replies.ts'

export function contentSelector(value: unknown): Selector {
  const given = optionalObject(value, 'contentSelector') ?? {}
  const context = word(given.context, ['None', 'Basic', 'Extended'], 'contentSelector.context')
  const timing = given.contextTiming
  if (timing !== undefined) {
    if (context !== 'Extended') refuse(400, 'contentSelector.contextTiming: only with an Extended context')
    if (!Array.isArray(timing) || timing.length === 0) refuse(400, 'contentSelector.contextTiming: must be a list')
    for (const one of timing as unknown[]) word(one, ['Now', 'TimeOfCall'], 'contentSelector.contextTiming')
  }
  const exposed = optionalObject(given.exposedFields, 'contentSelector.exposedFields') ?? {}
  const { collaboration, content, interaction, ...flags } = exposed
  const at = 'contentSelector.exposedFields'
  const { media, parties } = switches(flags, at) ?? {}
  const fields = {
    collaboration: switches(collaboration, `${at}.collaboration`),
    content: switches(content, `${at}.content`),
    interaction: switches(interaction, `${at}.interaction`),
    media,
    parties,
  }
  return {
    ...(context === undefined ? {} : { context }),
    ...(timing === undefined ? {} : { contextTiming: timing as string[] }),
    exposedFields: Object.fromEntries(Object.entries(fields).filter(([, part]) => part !== undefined)),
  }
}
