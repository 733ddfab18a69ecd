/** Pipelines and their stages ("Pipelines API"). */
import {
  arrayOf,
  boolean,
  entity,
  get,
  id,
  identifiedBy,
  integer,
  list,
  mapOf,
  nullable,
  objectOf,
  optional,
  type Stream,
  text,
} from '../../kit/connector.ts'
import { objectType, recordId } from './fields.ts'

const stage = {
  id: id(),
  label: text(),
  displayOrder: integer('The place among the stages.'),
  metadata: optional(
    mapOf(text(), 'For deals probability and isClosed, for tickets ticketState; every value is text.', {
      probability: optional(text('The chance that a deal of this stage is won, from 0.0 to 1.0.')),
      isClosed: optional(text('Whether the deal is closed: true or false.')),
      ticketState: optional(text('OPEN or CLOSED.')),
    }),
  ),
  writePermissions: optional(nullable(text('Who may change the stage.'))),
  archived: boolean(),
  archivedAt: optional(nullable(text())),
  createdAt: text(),
  updatedAt: text(),
} as const

const pipeline = {
  id: id('Unique within a type.'),
  label: text(),
  displayOrder: integer('The place among the pipelines of the type.'),
  stages: arrayOf(objectOf(stage), 'The stages.'),
  archived: boolean(),
  archivedAt: optional(nullable(text())),
  createdAt: text(),
  updatedAt: text(),
} as const

const ofType = { objectType: objectType('The type with pipelines, for example deals or tickets.') }
const ofPipeline = { ...ofType, pipelineId: recordId('The pipeline.') }
const scopes = ['crm.objects.deals.read', 'tickets'] as const

const listPipelines = list({
  description: 'List the pipelines of a type with their stages.',
  path: '/crm/v3/pipelines/{objectType}',
  params: ofType,
  recordsAt: ['results'],
  record: pipeline,
  scopes,
})

/** The copy names the type of each pipeline. */
const listed = list({
  ...listPipelines,
  params: ofType,
  record: { ...pipeline, objectType: text() },
  paging: listPipelines.paging,
  reshape: (found, { params }) => found.map((one) => ({ ...(one as object), objectType: params.objectType })),
})

const stream: Stream = {
  listings: ['deals', 'tickets'].map((type) => ({ list: listed, params: { objectType: type } })),
  // Several types have a pipeline of the id default.
  identity: identifiedBy('objectType', 'id'),
  note: 'The copy contains the pipelines of deals and tickets.',
}

export const pipelines = entity({
  description: 'Pipelines of deals, tickets and other types.',
  list: listPipelines,
  get: get({
    description: 'Get one pipeline with its stages.',
    path: '/crm/v3/pipelines/{objectType}/{pipelineId}',
    params: ofPipeline,
    recordsAt: [],
    record: pipeline,
    scopes,
  }),
  searchable: {
    archived: 'boolean',
    createdAt: 'string',
    displayOrder: 'integer',
    id: 'string',
    label: 'string',
    objectType: 'string',
    stages: 'array',
    updatedAt: 'string',
  },
  sync: stream,
})

export const pipelineStages = entity({
  description: 'The stages of one pipeline.',
  list: list({
    description: 'List the stages of a pipeline.',
    path: '/crm/v3/pipelines/{objectType}/{pipelineId}/stages',
    params: ofPipeline,
    recordsAt: ['results'],
    record: stage,
    scopes,
  }),
  get: get({
    description: 'Get one stage of a pipeline.',
    path: '/crm/v3/pipelines/{objectType}/{pipelineId}/stages/{stageId}',
    params: { ...ofPipeline, stageId: recordId('The stage.') },
    recordsAt: [],
    record: stage,
    scopes,
  }),
})
