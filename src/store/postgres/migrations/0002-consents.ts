/** Consents under way, the grants they gave, and where browsers of an organization may be sent afterwards. */
import type { Migration } from '../../sql/migrations.ts'

export const consents: Migration = {
  number: 2,
  statements: [
    // The addresses as a JSON list; null allows all.
    'alter table organizations add column redirect_urls text',
    // Found by the hash of what the browser carries, so that the table gives nobody a state to come back with. Whose it is
    // is not known before it is found.
    `create table consents (
      state_hash text collate "C" primary key,
      organization_id text collate "C" not null references organizations (id) on delete cascade,
      external_user_id text collate "C" not null,
      connector_type text not null,
      redirect_url text not null,
      sealed text not null,
      expires_at text collate "C" not null
    )`,
    'create index consents_by_end on consents (expires_at)',
    'create index consents_of_organization on consents (organization_id)',
    // A used grant stays to its end without what was sealed, so that a second use can be told from an unknown one.
    `create table grants (
      organization_id text collate "C" not null references organizations (id) on delete cascade,
      secret_hash text collate "C" not null,
      external_user_id text collate "C" not null,
      connector_type text not null,
      sealed text,
      expires_at text collate "C" not null,
      primary key (organization_id, secret_hash)
    )`,
    'create index grants_by_end on grants (expires_at)',
  ],
}
