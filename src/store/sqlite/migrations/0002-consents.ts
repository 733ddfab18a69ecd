/** Consents under way, the grants they gave, and where browsers of an organization may be sent afterwards. */
import type { Migration } from '../../sql/migrations.ts'

export const consents: Migration = {
  number: 2,
  statements: [
    // The addresses as a JSON list; null allows all.
    'alter table organizations add column redirect_urls text',
    // Found by the hash of what the browser carries, so that the file gives nobody a state to come back with.
    `create table consents (
      state_hash text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      external_user_id text not null,
      connector_type text not null,
      redirect_url text not null,
      sealed text not null,
      expires_at text not null
    ) strict, without rowid`,
    'create index consents_by_end on consents (expires_at)',
    // A used grant stays to its end without what was sealed, so that a second use can be told from an unknown one.
    `create table grants (
      secret_hash text primary key,
      organization_id text not null references organizations (id) on delete cascade,
      external_user_id text not null,
      connector_type text not null,
      sealed text,
      expires_at text not null
    ) strict, without rowid`,
    'create index grants_by_end on grants (expires_at)',
  ],
}
