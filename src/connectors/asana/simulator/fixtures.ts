/** Handwritten records: a project that shows the company at work, and every edge case that a reader must survive. */

import { addAttachment, addTask, newAttachment, newTask } from './builders.ts'
import { gidOf } from './gids.ts'
import { projectIndex } from './layout.ts'
import { anchor, day, people, workspaceGids } from './organization.ts'
import type { Attachment, Place, Task } from './records.ts'
import { dateOf } from './vocabulary.ts'
import type { World } from './world.ts'

const GiB = 1024 ** 3

/** Gids of the records that tests and demonstrations look for; the same for any seed and scale. */
export const landmarks = {
  workspace: workspaceGids.company,
  workspace_free: workspaceGids.volunteers,
  workspace_unseen: workspaceGids.foreign,
  project: gidOf('project', projectIndex.launch),
  project_regular: gidOf('project', projectIndex.regular),
  project_quirks: gidOf('project', projectIndex.quirks),
  project_bulk: gidOf('project', projectIndex.bulk),
  project_one_millisecond: gidOf('project', projectIndex.imported),
  project_private: gidOf('project', projectIndex.secret),
  project_empty: gidOf('project', projectIndex.empty),
  project_free: gidOf('project', projectIndex.trailDay),
  project_brief: gidOf('brief', projectIndex.launch),
  section: gidOf('section', projectIndex.launch * 8),
  task: gidOf('task', 0),
  task_with_attachments: gidOf('task', 1),
  task_with_dependencies: gidOf('task', 5),
  task_with_dependents: gidOf('task', 4),
  task_in_two_projects: gidOf('task', 3),
  task_without_project: gidOf('task', 40),
  task_milestone: gidOf('task', 8),
  task_approval: gidOf('task', 6),
  task_private: gidOf('task', 80),
  task_files: gidOf('task', 2),
  subtask_five_deep: gidOf('task', 34),
  attachment: gidOf('file', 0),
  attachment_external_null: gidOf('file', 5),
  attachment_1gib: gidOf('file', 10),
  attachment_html: gidOf('file', 11),
  attachment_unicode_name: gidOf('file', 12),
  attachment_empty: gidOf('file', 13),
  attachment_text: gidOf('file', 14),
  attachment_12338_bytes: gidOf('file', 15),
  attachment_1000_bytes: gidOf('file', 16),
  team: gidOf('team', 2),
  tag: gidOf('tag', 0),
  user: gidOf('user', people.one),
  user_two_workspaces: gidOf('user', people.two),
  user_deleted: gidOf('user', people.deleted),
  user_without_email: gidOf('user', people.guest),
} as const

const user = (index: number) => gidOf('user', index)
const at = (project: number, section = 0): Place => ({
  project: gidOf('project', project),
  section: gidOf('section', project * 8 + section),
})
const inDays = (days: number) => dateOf(anchor + days * day)

/** Tasks of the first project: section, name and other fields. */
const launch: readonly (readonly [number, string, Partial<Task>?])[] = [
  [
    0,
    'Confirm fabric lead times with the mill',
    {
      assignee: user(0),
      dueOn: inDays(9),
      notes: 'Halden Mills promised an answer by Friday. Without it the shell stays out of the catalog.',
    },
  ],
  [
    0,
    'Shoot the Ridgeline shell on location',
    { assignee: user(8), dueOn: inDays(12), startOn: inDays(10), tags: [gidOf('tag', 5)] },
  ],
  [0, 'Collect print-ready files from the agency', { assignee: user(7), dueOn: inDays(14) }],
  [0, 'Agree on the repair story with Sustainability', { assignee: user(0), dueOn: inDays(6) }],
  [1, 'Write product copy for Cairn 45', { assignee: user(9), dueOn: inDays(3), tags: [gidOf('tag', 2)] }],
  [1, 'Lay out tent spread', { assignee: user(10), dueOn: inDays(4), dependencies: [gidOf('task', 4)] }],
  [1, 'Approve cover photo', { assignee: user(6), dueOn: inDays(2), subtype: 'approval', approval: 'pending' }],
  [1, 'Set prices with Finance', { assignee: user(11), dueOn: inDays(5), dueAt: anchor + 5 * day + 9.5 * 3_600_000 }],
  [1, 'Catalog goes to print', { dueOn: inDays(20), subtype: 'milestone' }],
  [2, 'Proofread pages 2 to 31', { assignee: user(0), dueOn: inDays(1) }],
  [2, 'Check colour names against the web shop', { assignee: user(12), dueOn: inDays(1), actualMinutes: 95 }],
  [2, 'Translate the order form', { assignee: user(13) }],
  [3, 'Pick paper stock', { assignee: user(7), completedAt: anchor - 12 * day, actualMinutes: 60 }],
  [3, 'Book print slot in week 26', { assignee: user(7), completedAt: anchor - 9 * day }],
  [3, 'Brief the agency', { assignee: user(0), completedAt: anchor - 25 * day, likes: [user(0), user(6)] }],
]

/** Names as a real domain has them after its third import. */
const quirkNames: readonly string[] = [
  '🏔️ Summit push: 👩🏽‍🚀 test 🎉',
  'مراجعة عقد المورد — طلب 42',
  `Long name ${'that goes on and '.repeat(58)}ends`.slice(0, 1000),
  'Tab\there, bell\u0007, vertical\u000b, escape\u001b[0m',
  '',
  '   ',
  'Line one\nLine two\r\nLine three',
  '<b>Bold?</b> & "quoted" \'single\' </script>',
  'Zoë + Zoë (two spellings)',
  '100% of snake_case\\path',
  'Nul\u2028and\u2029separators',
  '=HYPERLINK("http://evil.example","click")',
  'Привіт світ',
  '数量を確認する',
  'true',
  '12345678901234567890',
]

const hosts: readonly Partial<Attachment>[] = [
  {
    name: 'Ridgeline shell, line sheet.pdf',
    host: 'asana',
    contentType: 'application/pdf',
    size: 482_113,
    lead: '%PDF-1.7\n',
  },
  { name: 'Shot list', host: 'gdrive', contentType: 'text/html' },
  { name: 'Location scouting.zip', host: 'dropbox', contentType: 'application/zip', size: 73_211 },
  { name: 'Call sheet.docx', host: 'onedrive', contentType: 'application/octet-stream', size: 20_480 },
  { name: 'Release forms', host: 'box' },
  { name: 'Mood film', host: 'vimeo' },
  {
    name: 'Weather on the pass',
    host: 'external',
    contentType: 'text/plain',
    size: 1_024,
    lead: 'Wind 14 m/s, dry.\n',
  },
]

const html =
  '<!doctype html>\n<html><head><title>Landing page draft</title></head><body><h1>Spring</h1></body></html>\n'
const text = 'Agreed on the call: cover is the ridge at dawn, back page is the repair van.\n'

const files: readonly (readonly [number, Partial<Attachment>])[] = [
  [10, { name: 'Warehouse walkthrough, full length.mov', contentType: 'video/quicktime', size: GiB }],
  [11, { name: 'page.html', contentType: 'text/html', size: html.length, lead: html }],
  [12, { name: 'отчёт “Q3” 🎉.pdf', contentType: 'application/pdf', size: 30_000, lead: '%PDF-1.7\n' }],
  [13, { name: 'empty.txt', contentType: 'text/plain', size: 0 }],
  [14, { name: 'Notes from the call.txt', contentType: 'text/plain', size: text.length, lead: text }],
  [15, { name: 'swatches.bin', size: 12_338 }],
  [16, { name: 'thumbnail.bin', size: 1_000 }],
]

/** Adds all fixtures to a new state. */
export function addFixtures(world: World): void {
  const { state } = world
  const add = (index: number, fields: Partial<Task>) => addTask(state, newTask(index, fields))
  launch.forEach(([section, name, more = {}], index) => {
    const createdAt = anchor - (40 - index) * day + index * 4_133_007
    const followers = [user(people.two), ...(index % 5 === 0 ? [user(people.deleted)] : [])]
    const place = at(projectIndex.launch, section)
    const places = index === 3 ? [place, at(projectIndex.regular)] : [place]
    const modifiedAt = more.completedAt ?? createdAt + 9 * day
    const done = more.completedAt == null ? {} : { completedBy: more.assignee ?? user(0) }
    const dependents = index === 4 ? [gidOf('task', 5)] : []
    add(index, { name, places, createdAt, modifiedAt, followers, dependents, ...done, ...more })
  })
  const steps = ['List open orders', 'Sort by mill', 'Shell fabrics', 'Grey 3-layer', 'Lot 7731']
  steps.forEach((name, depth) => {
    add(30 + depth, { name, parent: gidOf('task', depth === 0 ? 0 : 29 + depth), assignee: depth < 2 ? user(0) : null })
  })
  add(40, {
    name: 'Expense report, May',
    assignee: user(people.one),
    createdBy: user(people.one),
    followers: [user(people.one)],
  })
  add(41, { name: 'Private reminder of somebody else', createdBy: user(9), assignee: user(9) })
  quirkNames.forEach((name, i) => {
    add(50 + i, { name, places: [at(projectIndex.quirks, i % 2)], createdAt: anchor - 50 * day + i })
  })
  add(70, { name: 'Everything below is from the old tracker:', places: [at(projectIndex.quirks)], separator: true })
  add(71, { name: 'Of the custom kind', places: [at(projectIndex.quirks)], subtype: 'custom' })
  add(72, {
    name: 'Linked from the old tracker',
    places: [at(projectIndex.quirks)],
    external: { gid: 'old-7731', data: '{"row":7731}' },
  })
  add(80, { name: 'Compare pay bands', places: [at(projectIndex.secret)] })
  add(85, { name: 'Renew lane 12', workspace: workspaceGids.foreign, places: [at(projectIndex.foreign)] })
  const free = { workspace: workspaceGids.volunteers, followers: [user(people.volunteer)] }
  add(86, {
    ...free,
    name: 'Ask who can drive on Saturday',
    places: [at(projectIndex.roster)],
    assignee: user(people.volunteer),
  })
  add(87, { ...free, name: 'Replace broken loppers', places: [at(projectIndex.gearLibrary, 1)] })

  const attach = (index: number, parent: string, fields: Partial<Attachment>) =>
    addAttachment(state, newAttachment(gidOf('file', index), parent, fields))
  hosts.forEach((fields, index) => {
    attach(index, landmarks.task_with_attachments, fields)
  })
  for (const [index, fields] of files) attach(index, landmarks.task_files, fields)
  attach(20, landmarks.project, {
    name: 'Brand book.pdf',
    contentType: 'application/pdf',
    size: 2_310_400,
    lead: '%PDF-1.7\n',
  })
  attach(21, landmarks.project_brief, { name: 'Timeline.png', contentType: 'image/png', size: 88_120 })

  const former = world.find('user', user(people.deleted))
  if (former !== undefined) state.trash(former)
}
