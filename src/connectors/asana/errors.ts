/** The meaning of Asana's refusals. Texts from its documentation ("Errors") and its users' reports. */
import { type ReadRefusal, type Refusal, refusalText, textIn } from '../../kit/connector.ts'

/** Reads `{"errors": [{"message", "phrase"?}]}`, which may also come under status 200. */
export const readRefusal: ReadRefusal = (answer) => {
  const { status, body } = answer
  const errors = (body as { errors?: unknown } | null | undefined)?.errors
  const told = Array.isArray(errors)
    ? errors
        .map(messageOf)
        .filter((text) => text !== '')
        .join(' ')
    : typeof errors === 'string' || status >= 300
      ? refusalText(answer)
      : undefined
  if (status >= 200 && status < 300)
    return told === undefined ? null : { code: 'upstream_error', ...(told === '' ? {} : { message: told }) }
  const message = told === undefined || told === '' ? {} : { message: told }
  switch (status) {
    case 400:
      return { ...badRequest(told ?? ''), ...message }
    case 401:
      return { code: 'reauthorization_required', ...message }
    case 402:
      return {
        code: 'upstream_plan_required',
        ...message,
        detail:
          'Asana offers this only on a paid plan; upgrade it, or use the lists that every plan has: tasks, project_tasks, task_subtasks.',
      }
    case 403:
    case 451:
      return { code: 'upstream_forbidden', ...message }
    case 404:
      return { ...notFound(Array.isArray(errors) ? (told ?? '') : ''), ...message }
    case 429:
      return { code: 'upstream_rate_limited', transient: true, ...message }
    // Listed only for attachments, with the body of a rate limit.
    case 424:
      return { code: 'upstream_error', transient: true, ...message }
    default:
      if (status >= 500) return { code: 'upstream_error', transient: true, ...message }
      return null
  }
}

/**
 * A body not in Asana's form comes from another server; these words mean an unknown path. Neither concerns a record.
 */
const notFound = (message: string): Refusal =>
  message === '' || /no matching route/i.test(message)
    ? {
        code: 'upstream_invalid_response',
        detail: 'Asana is not at this address; check the base address of the system.',
      }
    : { code: 'record_not_found' }

function badRequest(message: string): Refusal {
  if (/^offset:/i.test(message) || /pagination token/i.test(message)) return { code: 'invalid_cursor' }
  if (/result is too large/i.test(message)) return { code: 'upstream_refused', smallerPage: true }
  return { code: 'upstream_refused' }
}

/** The words of one error; Asana's support asks for the phrase. */
function messageOf(error: unknown): string {
  const { phrase } = (error ?? {}) as { phrase?: unknown }
  const words = textIn(error)
  return typeof phrase === 'string' ? `${words} (phrase: ${phrase})` : words
}
