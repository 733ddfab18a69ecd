/** What lists are filtered by, so that no list goes through what belongs to others. */
import type { Migration } from '../../sql/migrations.ts'

export const filters: Migration = {
  number: 7,
  statements: [
    'create index audit_log_by_connector on audit_log (organization_id, connector_id, number)',
    'create index audit_log_by_end_user on audit_log (organization_id, external_user_id, number)',
    'create index audit_log_by_event on audit_log (organization_id, event, number)',
    'create index audit_log_by_client on audit_log (organization_id, client_id, number)',
    'create index connectors_of_kind on connectors (organization_id, connector_type, id)',
    'create index clients_of_organization on clients (organization_id)',
  ],
}
