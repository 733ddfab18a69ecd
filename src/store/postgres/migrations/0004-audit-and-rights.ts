/** The audit log, clients that can be revoked, and the right to renew credentials. */
import type { Migration } from '../../sql/migrations.ts'

export const auditAndRights: Migration = {
  number: 4,
  statements: [
    // No reference to anything: entries outlive what they tell of.
    `create table audit_log (
      organization_id text collate "C" not null,
      number bigint not null generated always as identity,
      at text collate "C" not null,
      event text collate "C" not null,
      client_id text collate "C",
      external_user_id text collate "C",
      connector_id text collate "C",
      details text not null,
      primary key (organization_id, number)
    )`,
    `create function audit_log_stays() returns trigger language plpgsql as $$
      begin
        raise exception 'the audit log is only ever added to';
      end
    $$`,
    `create trigger audit_log_stays before update or delete on audit_log
      for each row execute function audit_log_stays()`,
    "alter table clients add column name text not null default ''",
    'alter table clients add column rotated_at text',
    'alter table clients add column revoked_at text',
    // Who renews the credentials, and until when others leave it to them.
    'alter table connector_credentials add column renewer text',
    'alter table connector_credentials add column renewer_until text collate "C"',
  ],
}
