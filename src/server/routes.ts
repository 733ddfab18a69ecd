/** All routes of the service. */
import { listAudit } from './audit-handlers.ts'
import { connectorType, connectorTypes, skillDocs } from './catalog-handlers.ts'
import {
  checkConnector,
  connectorsForUser,
  createConnector,
  deleteConnector,
  deleteEndUser,
  getConnector,
  inspectConnector,
  listConnectors,
  listWorkspaces,
  updateConnector,
} from './connector-handlers.ts'
import { beginConsent, finishConsent } from './consent-handlers.ts'
import { makeConsentLink, showConsentLink, useConsentLink } from './consent-link-handlers.ts'
import { openApiDocument, readablePage } from './document-handlers.ts'
import { listEvents } from './event-handlers.ts'
import { execute } from './execute-handler.ts'
import { linkedFile } from './file-handler.ts'
import { mcp } from './mcp-handler.ts'
import {
  authorizationServer,
  decideSignIn,
  endAgent,
  issueAgentTokens,
  listAgents,
  makeSignInCode,
  registerProgram,
  resourceMetadata,
  revokeAgentToken,
  showSignIn,
} from './oauth-handlers.ts'
import { alive, metrics, ready } from './operator-handlers.ts'
import { metadataPath } from './protected-resource.ts'
import { rawRequest } from './raw-request-handler.ts'
import type { Route } from './route.ts'
import { getSync, startSync } from './sync-handlers.ts'
import { issueBearerToken, issueScopedToken } from './token-handlers.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhookDeliveries,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from './webhook-handlers.ts'

const connectors = '/v1/integrations/connectors'
const connector = `${connectors}/:connector_id`
const endUser = '/v1/integrations/end-users/:external_user_id'
const webhooks = '/v1/integrations/webhooks'
const webhook = `${webhooks}/:webhook_id`
const types = '/v1/integrations/connector-types'

// biome-ignore format: a table
export const routes: readonly Route[] = [
  { method: 'POST', path: '/api/v1/account/applications/token', aliases: ['/api/v1/applications/token'], token: 'none', guarded: true, endpoint: issueBearerToken },
  { method: 'POST', path: '/api/v1/embedded/scoped-token', token: 'bearer', endpoint: issueScopedToken },

  { method: 'POST', path: `${connectors}/oauth/initiate`, aliases: [`/api${connectors}/oauth/initiate`], token: 'bearer', endpoint: beginConsent },
  { method: 'GET', path: `${connectors}/oauth/callback`, token: 'none', withoutHead: true, endpoint: finishConsent },
  { method: 'POST', path: `${connector}/consent-links`, aliases: [`/api${connector}/consent-links`], token: 'any', endpoint: makeConsentLink },
  { method: 'GET', path: `${connectors}/oauth/consent`, token: 'none', guarded: true, endpoint: showConsentLink },
  { method: 'POST', path: `${connectors}/oauth/consent`, token: 'none', guarded: true, endpoint: useConsentLink },

  { method: 'POST', path: connectors, aliases: [`/api${connectors}`], token: 'any', endpoint: createConnector },
  { method: 'GET', path: connectors, aliases: [`/api${connectors}`], token: 'any', endpoint: listConnectors },
  { method: 'GET', path: connector, aliases: [`/api${connector}`], token: 'any', endpoint: getConnector },
  { method: 'PATCH', path: connector, aliases: [`/api${connector}`], token: 'any', endpoint: updateConnector },
  { method: 'DELETE', path: connector, aliases: [`/api${connector}`], token: 'any', endpoint: deleteConnector },
  { method: 'POST', path: `${connector}/check`, aliases: [`/api${connector}/check`], token: 'any', endpoint: checkConnector },
  { method: 'GET', path: `${connector}/inspect`, aliases: [`/api${connector}/inspect`], token: 'any', endpoint: inspectConnector },
  { method: 'POST', path: `${connector}/sync`, aliases: [`/api${connector}/sync`], token: 'any', endpoint: startSync },
  { method: 'GET', path: `${connector}/sync`, aliases: [`/api${connector}/sync`], token: 'any', endpoint: getSync },
  { method: 'DELETE', path: endUser, aliases: [`/api${endUser}`], token: 'bearer', endpoint: deleteEndUser },
  { method: 'GET', path: '/v1/integrations/audit', aliases: ['/api/v1/integrations/audit'], token: 'bearer', endpoint: listAudit },
  { method: 'GET', path: '/v1/integrations/events', aliases: ['/api/v1/integrations/events'], token: 'bearer', endpoint: listEvents },
  { method: 'POST', path: webhooks, aliases: [`/api${webhooks}`], token: 'bearer', endpoint: createWebhook },
  { method: 'GET', path: webhooks, aliases: [`/api${webhooks}`], token: 'bearer', endpoint: listWebhooks },
  { method: 'GET', path: webhook, aliases: [`/api${webhook}`], token: 'bearer', endpoint: getWebhook },
  { method: 'PATCH', path: webhook, aliases: [`/api${webhook}`], token: 'bearer', endpoint: updateWebhook },
  { method: 'DELETE', path: webhook, aliases: [`/api${webhook}`], token: 'bearer', endpoint: deleteWebhook },
  { method: 'POST', path: `${webhook}/rotate`, aliases: [`/api${webhook}/rotate`], token: 'bearer', endpoint: rotateWebhookSecret },
  { method: 'GET', path: `${webhook}/deliveries`, aliases: [`/api${webhook}/deliveries`], token: 'bearer', endpoint: listWebhookDeliveries },
  { method: 'POST', path: `${webhook}/replay`, aliases: [`/api${webhook}/replay`], token: 'bearer', endpoint: replayWebhook },
  { method: 'GET', path: '/api/v1/connectors/connectors_for_user', token: 'any', endpoint: connectorsForUser },
  { method: 'GET', path: '/api/v1/workspaces', token: 'any', endpoint: listWorkspaces },

  { method: 'POST', path: '/api/v1/connectors/sources/:connector_id/execute', aliases: [`/api${connector}/execute`], token: 'any', endpoint: execute },

  { method: 'POST', path: `${connector}/request`, aliases: [`/api${connector}/request`], token: 'any', endpoint: rawRequest },

  { method: 'GET', path: '/v1/integrations/files', token: 'none', withoutHead: true, endpoint: linkedFile },

  { method: 'POST', path: '/mcp', token: 'any', protectedResource: true, endpoint: mcp },
  { method: 'GET', path: `${metadataPath}/mcp`, aliases: [metadataPath], token: 'none', endpoint: resourceMetadata },
  { method: 'GET', path: '/.well-known/oauth-authorization-server', token: 'none', endpoint: authorizationServer },
  { method: 'POST', path: '/oauth/register', token: 'none', guarded: true, endpoint: registerProgram },
  { method: 'GET', path: '/oauth/authorize', token: 'none', guarded: true, endpoint: showSignIn },
  { method: 'POST', path: '/oauth/authorize', token: 'none', guarded: true, endpoint: decideSignIn },
  { method: 'POST', path: '/oauth/token', token: 'none', guarded: true, endpoint: issueAgentTokens },
  { method: 'POST', path: '/oauth/revoke', token: 'none', guarded: true, endpoint: revokeAgentToken },
  { method: 'POST', path: `${endUser}/sign-in-codes`, aliases: [`/api${endUser}/sign-in-codes`], token: 'bearer', endpoint: makeSignInCode },
  { method: 'GET', path: `${endUser}/agents`, aliases: [`/api${endUser}/agents`], token: 'bearer', endpoint: listAgents },
  { method: 'DELETE', path: `${endUser}/agents/:agent_id`, aliases: [`/api${endUser}/agents/:agent_id`], token: 'bearer', endpoint: endAgent },

  { method: 'GET', path: types, aliases: [`/api${types}`], token: 'any', endpoint: connectorTypes },
  { method: 'GET', path: `${types}/:connector_type`, aliases: [`/api${types}/:connector_type`], token: 'any', endpoint: connectorType },
  { method: 'GET', path: '/api/v1/skills/docs', token: 'any', endpoint: skillDocs },

  { method: 'GET', path: '/openapi.json', token: 'none', endpoint: openApiDocument },
  { method: 'GET', path: '/docs', token: 'none', endpoint: readablePage },

  { method: 'GET', path: '/healthz', token: 'none', endpoint: alive },
  { method: 'GET', path: '/readyz', token: 'none', endpoint: ready },
  { method: 'GET', path: '/metrics', token: 'none', endpoint: metrics },
]
