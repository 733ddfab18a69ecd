/** Handwritten records: a project that shows the company at work, and every edge case that a reader must survive. */
import { afterAll } from '../../../kit/simulator.ts'
import { people, user, workspaceGids } from './company.ts'
import { landmarks } from './examples.ts'
import { gidOf } from './gids.ts'
import { projectIndex } from './projects.ts'
import { type Attachment, anchor, dateOf, day, type Membership, placed, type Task, timeOf } from './records.ts'
import { blankFile, blankTask } from './tasks.ts'

const place = (project: number, section = 0): Membership => ({
  project: gidOf('project', project),
  section: gidOf('section', project * 8 + section),
})
const inDays = (days: number) => dateOf(anchor + days * day)

const doneDaysAgo = (days: number, by: number): Partial<Task> => {
  const completed_at = timeOf(anchor - days * day)
  return { completed_at, modified_at: completed_at, completed_by: user(by) }
}

const lead = 'Halden Mills promised an answer by Friday. Without it the shell stays out of the catalog.'

/** Tasks of the first project: section, assignee, days until they are due, name, and other fields. */
const launch: readonly (readonly [number, number | null, number | null, string, Partial<Task>?])[] = [
  [0, 0, 9, 'Confirm fabric lead times with the mill', { notes: lead }],
  [0, 8, 12, 'Shoot the Ridgeline shell on location', { start_on: inDays(10), tags: [gidOf('tag', 5)] }],
  [0, 7, 14, 'Collect print-ready files from the agency'],
  [0, 0, 6, 'Agree on the repair story with Sustainability'],
  [1, 9, 3, 'Write product copy for Cairn 45', { tags: [gidOf('tag', 2)], dependents: [gidOf('task', 5)] }],
  [1, 10, 4, 'Lay out tent spread', { dependencies: [gidOf('task', 4)] }],
  [1, 6, 2, 'Approve cover photo', { resource_subtype: 'approval', approval_status: 'pending' }],
  [1, 11, 5, 'Set prices with Finance', { due_at: timeOf(anchor + 5 * day + 9.5 * 3_600_000) }],
  [1, null, 20, 'Catalog goes to print', { resource_subtype: 'milestone' }],
  [2, 0, 1, 'Proofread pages 2 to 31'],
  [2, 12, 1, 'Check colour names against the web shop', { actual_time_minutes: 95 }],
  [2, 13, null, 'Translate the order form'],
  [3, 7, null, 'Pick paper stock', { ...doneDaysAgo(12, 7), actual_time_minutes: 60 }],
  [3, 7, null, 'Book print slot in week 26', doneDaysAgo(9, 7)],
  [3, 0, null, 'Brief the agency', { ...doneDaysAgo(25, 0), likes: [user(0), user(6)] }],
]

/** Names as a real domain has them after its third import. */
const quirkNames: readonly string[] = [
  ...['🏔️ Summit push: 👩🏽‍🚀 test 🎉', 'مراجعة عقد المورد — طلب 42', 'Привіт світ', '数量を確認する'],
  ...['', '   ', 'true', '12345678901234567890', 'Zoë + Zoë (two spellings)', '100% of snake_case\\path'],
  ...['Tab\there, bell\u0007, vertical\u000b, escape\u001b[0m', 'Line one\nLine two\r\nLine three'],
  ...['<b>Bold?</b> & "quoted" \'single\' </script>', 'Nul\u2028and\u2029separators'],
  ...['=HYPERLINK("http://evil.example","click")', `Long name ${'that goes on and '.repeat(58)}ends`.slice(0, 1000)],
]

/** Fields of the tasks by their index. */
function* taskFields(): Iterable<readonly [number, Partial<Task>]> {
  for (const [index, [section, assignee, due, name, more]] of launch.entries()) {
    const createdAt = anchor - (40 - index) * day + index * 4_133_007
    const places = [place(projectIndex.launch, section), ...(index === 3 ? [place(projectIndex.regular)] : [])]
    const times = { created_at: timeOf(createdAt), modified_at: timeOf(createdAt + 9 * day) }
    const [due_on, person] = [due === null ? null : inDays(due), assignee === null ? null : user(assignee)]
    const followers = [user(people.two), ...(index % 5 === 0 ? [landmarks.user_deleted] : [])]
    yield [index, { name, ...placed(...places), ...times, assignee: person, due_on, followers, ...more }]
  }
  const steps = ['List open orders', 'Sort by mill', 'Shell fabrics', 'Grey 3-layer', 'Lot 7731']
  for (const [depth, name] of steps.entries()) {
    const parent = gidOf('task', depth === 0 ? 0 : 29 + depth)
    yield [30 + depth, { name, parent, assignee: depth < 2 ? user(0) : null }]
  }
  const own = { assignee: user(people.one), created_by: user(people.one), followers: [user(people.one)] }
  yield [40, { name: 'Expense report, May', ...own }]
  yield [41, { name: 'Private reminder of somebody else', created_by: user(9), assignee: user(9) }]
  for (const [nth, name] of quirkNames.entries()) {
    const created_at = timeOf(anchor - 50 * day + nth)
    yield [50 + nth, { name, ...placed(place(projectIndex.quirks, nth % 2)), created_at }]
  }
  const quirk = placed(place(projectIndex.quirks))
  yield [70, { name: 'Everything below is from the old tracker:', ...quirk, is_rendered_as_separator: true }]
  yield [71, { name: 'Of the custom kind', ...quirk, resource_subtype: 'custom' }]
  yield [72, { name: 'Linked from the old tracker', ...quirk, external: { gid: 'old-7731', data: '{"row":7731}' } }]
  yield [80, { name: 'Compare pay bands', ...placed(place(projectIndex.secret)) }]
  const foreign = { workspace: workspaceGids.foreign, ...placed(place(projectIndex.foreign)) }
  yield [85, { name: 'Renew lane 12', ...foreign }]
  for (const [nth, name] of ['Reserve tools', 'Buy gloves', 'Walk the lower loop', 'Order gravel'].entries()) {
    const assignee = user(nth % 2 === 0 ? people.two : people.volunteer)
    yield [100 + nth, { name, assignee, workspace: workspaceGids.volunteers, ...placed(place(projectIndex.trailDay)) }]
  }
}

export function* fixtureTasks(): Iterable<Task> {
  for (const [index, fields] of taskFields())
    yield { ...blankTask, name: '', ...fields, gid: gidOf('task', index), rank: afterAll + index }
}

const pdf = { content_type: 'application/pdf', lead: '%PDF-1.7\n' }
const html =
  '<!doctype html>\n<html><head><title>Landing page draft</title></head><body><h1>Spring</h1></body></html>\n'
const text = 'Agreed on the call: cover is the ridge at dawn, back page is the repair van.\n'
const plain = 'text/plain'

/** Attachments by their index: on a task, one of each service; on another, files to download; on a project and a brief. */
const files: Readonly<Record<number, Partial<Attachment>>> = {
  0: { name: 'Ridgeline shell, line sheet.pdf', ...pdf, size: 482_113 },
  1: { name: 'Shot list', host: 'gdrive', content_type: 'text/html' },
  2: { name: 'Location scouting.zip', host: 'dropbox', content_type: 'application/zip', size: 73_211 },
  3: { name: 'Call sheet.docx', host: 'onedrive', size: 20_480 },
  4: { name: 'Release forms', host: 'box' },
  5: { name: 'Mood film', host: 'vimeo' },
  6: { name: 'Weather on the pass', host: 'external', content_type: plain, size: 1_024 },
  10: { name: 'Warehouse walkthrough, full length.mov', content_type: 'video/quicktime', size: 1024 ** 3 },
  11: { name: 'page.html', content_type: 'text/html', size: html.length, lead: html },
  12: { name: 'отчёт “Q3” 🎉.pdf', ...pdf, size: 30_000 },
  13: { name: 'empty.txt', content_type: plain, size: 0 },
  14: { name: 'Notes from the call.txt', content_type: plain, size: text.length, lead: text },
  15: { name: 'swatches.bin', size: 12_338 },
  16: { name: 'thumbnail.bin', size: 1_000 },
  20: { name: 'Brand book.pdf', ...pdf, size: 2_310_400, parent: landmarks.project },
  21: { name: 'Timeline.png', content_type: 'image/png', size: 88_120, parent: landmarks.project_brief },
}

const { project, project_brief: gid } = landmarks
export const fixtureBrief = { gid, resource_type: 'project_brief', name: 'Brief', project, rank: 0 } as const

export function* fixtureFiles(): Iterable<Attachment> {
  for (const [index, fields] of Object.entries(files)) {
    const parent = Number(index) < 10 ? landmarks.task_with_attachments : landmarks.task_files
    const gid = gidOf('file', Number(index))
    yield { ...blankFile, name: '', parent, ...fields, gid, rank: afterAll + Number(index) }
  }
}
