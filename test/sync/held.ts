/**
 * What a copy has to hold of a record that a system gave, field by field: the judge's own reading of the systems'
 * documentation, which knows nothing of connectors.
 */

// biome-ignore lint/suspicious/noExplicitAny: records of every shape
type Any = any

const isNothing = (value: Any): boolean => value === null || value === undefined

/** Fields of which the copy says more, or says it otherwise, than the system did. */
const derived: Readonly<Record<string, (record: Any) => Any>> = {
  'facebook-marketing ads_insights actions': ({ actions }) => actions?.map(figuresOf),
  'facebook-marketing ads_insights action_values': ({ action_values: values }) => values?.map(figuresOf),
  'gong calls_extensive metaData': ({ metaData }) => ({ ...unknownOfCalls, ...metaData }),
  'gong calls_extensive context': ({ context }) =>
    isNothing(context) || context.length === 0
      ? null
      : {
          system: context[0].system,
          objects: context.flatMap(({ system, objects }: Any) => objects.map((one: Any) => ({ ...one, system }))),
        },
  // Addresses of recordings are secrets.
  'gong calls_extensive media': () => null,
  'gong settings_scorecards questions': ({ questions }) =>
    questions.map((question: Any) => ({
      // Gong does not tell.
      isRequired: null,
      ...question,
      answerOptions: question.answerOptions ?? [],
    })),
  'gong stats_activity_scorecards answers': ({ answers }) =>
    answers.map((answer: Any) => {
      const { answerText, selectedOptions, score } = answer
      const chosen = selectedOptions?.length > 0 ? selectedOptions.join(',') : null
      const scored = isNothing(score) ? null : String(score)
      return { answerText: null, selectedOptions: null, score: null, ...answer, answer: answerText ?? chosen ?? scored }
    }),
}

/** One kind of action: what it came to by each window, as numbers, which Meta writes as text; null where not counted. */
function figuresOf(action: Any): Any {
  const windows = ['value', '1d_click', '7d_click', '28d_click', '1d_view', '7d_view', '28d_view']
  const figures = windows.map((name) => [name, isNothing(action[name]) ? null : Number(action[name])])
  return { action_destination: null, action_target_id: null, ...action, ...Object.fromEntries(figures) }
}

/** What calls may lack. */
const unknownOfCalls = {
  scheduled: null,
  sdrDisposition: null,
  clientUniqueId: null,
  customData: null,
  purpose: null,
  meetingUrl: null,
  calendarEventId: null,
}

/** The value of a field in the copy, as JSON spells it. */
export function heldOf(kind: string, entity: string, field: string, type: string, record: Any): Any {
  const derive = derived[`${kind} ${entity} ${field}`]
  const given = derive === undefined ? record[field] : derive(record)
  if (isNothing(given)) return null
  if (type === 'number') return given === '' ? null : Number(given)
  if (type === 'integer') return given === '' ? null : exact(given)
  return given
}

/** Identifiers go beyond what a JavaScript number holds. */
const exact = (given: Any): Any => (Number.isSafeInteger(Number(given)) ? Number(given) : BigInt(given))
