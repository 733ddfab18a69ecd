/** What an extensive list of calls is asked to hold beside the calls' metadata. */
import { arrayOf, boolean, closedObjectOf, exactly, oneOf, optional } from '../../catalog/fields.ts'
import { type Params, type Rule, rule } from '../../catalog/rules.ts'
import { isObject } from './fields.ts'

const wanted = (description: string) => optional(boolean(description))

const exposedFields = closedObjectOf(
  {
    collaboration: optional(closedObjectOf({ publicComments: wanted('Comments that the whole company may read.') })),
    content: optional(
      closedObjectOf({
        pointsOfInterest: wanted('Deprecated, and no longer filled by Gong; use highlights.'),
        structure: wanted('The parts of the call.'),
        topics: wanted('What was talked about, and how long.'),
        trackers: wanted('Which trackers were met, and how often.'),
        trackerOccurrences: wanted('When and by whom each tracker was met; brings trackers with it.'),
        brief: wanted('A short summary.'),
        outline: wanted('What was said, part by part.'),
        highlights: wanted('The most important points.'),
        callOutcome: wanted('What the call came to.'),
        keyPoints: wanted('The key points.'),
      }),
    ),
    interaction: optional(
      closedObjectOf({
        personInteractionStats: wanted('How people interacted; comes back as interactionStats.'),
        questions: wanted('How many questions each side asked.'),
        speakers: wanted('Who spoke how long.'),
        video: wanted('What was shown, and how long.'),
      }),
    ),
    media: wanted('Addresses of the recording; needs the scope api:calls:read:media-url.'),
    parties: wanted('Who took part.'),
  },
  'Which blocks to give.',
)

export const contentSelector = closedObjectOf(
  {
    context: optional(exactly('Extended', 'Adds what the connected CRM knows about the call.')),
    contextTiming: optional(
      arrayOf(oneOf(['Now', 'TimeOfCall']), 'As the CRM is now (the default), or as it was at the time of the call.'),
    ),
    exposedFields: optional(exposedFields),
  },
  'What to give beside metaData.',
)

/** The part of a download's selector that has to be there. */
export const mediaSelector = closedObjectOf(
  {
    exposedFields: optional(closedObjectOf({ media: optional(boolean('Has to be true.')) })),
  },
  '{"exposedFields": {"media": true}}.',
)

export const contextTimingRule: Rule = rule(
  'contentSelector.contextTiming needs contentSelector.context to be Extended.',
  ({ contentSelector: selector }) =>
    isObject(selector) && selector.contextTiming !== undefined && selector.context !== 'Extended'
      ? ['contentSelector']
      : null,
)

/** Gong gives the occurrences of trackers only within trackers (Gong reference, retrieve extensive calls). */
export function withTrackers(params: Params): Params {
  const selector = params.contentSelector as
    | { exposedFields?: { content?: Readonly<Record<string, boolean>> } }
    | undefined
  const content = selector?.exposedFields?.content
  if (content?.trackerOccurrences !== true || content.trackers === true) return params
  const exposed = { ...selector?.exposedFields, content: { ...content, trackers: true } }
  return { ...params, contentSelector: { ...selector, exposedFields: exposed } }
}
