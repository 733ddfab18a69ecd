/** The audit log, clients that can be revoked, and the right to renew credentials. */
import type { Migration } from '../../sql/migrations.ts'

export const auditAndRights: Migration = {
  number: 4,
  statements: [
    // No reference to anything: entries outlive what they tell of.
    `create table audit_log (
      number integer primary key autoincrement,
      organization_id text not null,
      at text not null,
      event text not null,
      client_id text,
      external_user_id text,
      connector_id text,
      details text not null
    ) strict`,
    'create index audit_log_of_organization on audit_log (organization_id, number)',
    `create trigger audit_log_is_not_changed before update on audit_log begin
      select raise(abort, 'the audit log is only ever added to');
    end`,
    `create trigger audit_log_is_not_shortened before delete on audit_log begin
      select raise(abort, 'the audit log is only ever added to');
    end`,
    "alter table clients add column name text not null default ''",
    'alter table clients add column rotated_at text',
    'alter table clients add column revoked_at text',
    // Who renews the credentials, and until when others leave it to them.
    'alter table connector_credentials add column renewer text',
    'alter table connector_credentials add column renewer_until text',
  ],
}
