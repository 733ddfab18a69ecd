/** Which contents a list of extensive calls returns besides their metadata. */
import {
  arrayOf,
  boolean,
  closedObjectOf,
  exactly,
  oneOf,
  optional,
  type Params,
  type Rule,
  rule,
} from '../../kit/connector.ts'
import { isObject } from './fields.ts'

const wanted = (description: string) => optional(boolean(description))

const exposedFields = closedObjectOf(
  {
    collaboration: optional(closedObjectOf({ publicComments: wanted('Comments that the whole company may read.') })),
    content: optional(
      closedObjectOf({
        pointsOfInterest: wanted('Deprecated; Gong no longer fills it. Use highlights.'),
        structure: wanted('The parts of the call.'),
        topics: wanted('Topics of the call, and how long each took.'),
        trackers: wanted('Trackers that occurred, and how often.'),
        trackerOccurrences: wanted('When each tracker occurred and who said it; includes trackers.'),
        brief: wanted('A short summary.'),
        outline: wanted('A summary of each part of the call.'),
        highlights: wanted('The most important points.'),
        callOutcome: wanted('The outcome of the call.'),
        keyPoints: wanted('The key points.'),
      }),
    ),
    interaction: optional(
      closedObjectOf({
        personInteractionStats: wanted('How people interacted; comes back as interactionStats.'),
        questions: wanted('How many questions each side asked.'),
        speakers: wanted('How long each person spoke.'),
        video: wanted('What the video showed, and how long.'),
      }),
    ),
    media: wanted('Addresses of the recording; needs the scope api:calls:read:media-url.'),
    parties: wanted('Who took part.'),
  },
  'The blocks to return.',
)

export const contentSelector = closedObjectOf(
  {
    context: optional(exactly('Extended', 'Adds the data of the connected CRM about the call.')),
    contextTiming: optional(
      arrayOf(oneOf(['Now', 'TimeOfCall']), 'The CRM data of now (the default), or of the time of the call.'),
    ),
    exposedFields: optional(exposedFields),
  },
  'The blocks to return beside metaData.',
)

/** The required part of a download's selector. */
export const mediaSelector = closedObjectOf(
  {
    exposedFields: optional(closedObjectOf({ media: optional(boolean('Must be true.')) })),
  },
  '{"exposedFields": {"media": true}}.',
)

export const contextTimingRule: Rule = rule(
  'contentSelector.contextTiming requires contentSelector.context Extended.',
  ({ contentSelector: selector }) =>
    isObject(selector) && selector.contextTiming !== undefined && selector.context !== 'Extended'
      ? ['contentSelector']
      : null,
)

/** Gong returns the occurrences of trackers only within trackers (Gong reference, retrieve extensive calls). */
export function withTrackers(params: Params): Params {
  const selector = params.contentSelector as
    | { exposedFields?: { content?: Readonly<Record<string, boolean>> } }
    | undefined
  const content = selector?.exposedFields?.content
  if (content?.trackerOccurrences !== true || content.trackers === true) return params
  const exposed = { ...selector?.exposedFields, content: { ...content, trackers: true } }
  return { ...params, contentSelector: { ...selector, exposedFields: exposed } }
}

type Blocks = Readonly<Record<string, boolean | Readonly<Record<string, boolean>>>>

/** The blocks that these fields are in, unless the caller selects blocks itself. metaData always comes. */
export function blocksOf(params: Params, paths: readonly string[]): Params {
  if (params.contentSelector !== undefined) return params
  const exposed: Record<string, Blocks[string]> = {}
  for (const path of paths) {
    const [block = '', part = ''] = path.split('.')
    const declared = exposedFields.properties[block as keyof typeof exposedFields.properties] as Block | undefined
    if (declared === undefined) continue
    const names = Object.keys(declared.properties ?? {})
    // Gong has another word for it in answers.
    const name = part === 'interactionStats' ? 'personInteractionStats' : part
    const inner = names.includes(name) ? [name] : names
    const known = exposed[block]
    exposed[block] =
      names.length === 0 ? true : { ...(known as object), ...Object.fromEntries(inner.map((one) => [one, true])) }
  }
  const context = paths.some((path) => path.split('.', 1)[0] === 'context')
  if (Object.keys(exposed).length === 0 && !context) return params
  return { ...params, contentSelector: { ...(context && { context: 'Extended' }), exposedFields: exposed } }
}

interface Block {
  readonly properties?: Readonly<Record<string, unknown>>
}
