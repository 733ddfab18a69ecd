/** What is known of the copies; the records themselves are in tables made from the catalog. */
import type { Migration } from '../../sql/migrations.ts'

export const copies: Migration = {
  number: 3,
  statements: [
    // The number stands for connector and entity in the tables of records, and leads all their indexes. It is never used
    // again, so that nothing of a removed copy can come up in a new one.
    `create table copies (
      connector_id text collate "C" not null references connectors (id) on delete cascade,
      entity text collate "C" not null,
      number integer not null generated always as identity,
      kind text not null,
      status text not null check (status in ('waiting', 'running', 'finished', 'failed')),
      records integer not null default 0,
      pass integer not null default 0,
      pass_is_full boolean not null default false,
      pass_started_at text collate "C",
      mark text not null default 'null',
      complete boolean not null default false,
      synced_at text collate "C",
      finished_at text collate "C",
      error_code text,
      error_detail text,
      error_at text,
      progress text,
      primary key (connector_id, entity)
    )`,
    // A part may be as long as it likes, an entry of an index not.
    `create table copy_checkpoints (
      copy integer not null,
      part_hash text collate "C" not null,
      value text not null,
      primary key (copy, part_hash)
    )`,
    // Apart from the records, so that meeting one that has not changed writes little.
    `create table copy_marks (
      copy integer not null,
      id text collate "C" not null,
      met integer not null,
      misses integer not null default 0,
      missed_by integer not null default 0,
      primary key (copy, id)
    )`,
    `create table copy_leases (
      connector_id text collate "C" primary key references connectors (id) on delete cascade,
      token integer not null,
      holder text,
      until text collate "C" not null
    )`,
    // Copies that are out of sight and whose records are still to be deleted.
    `create table copy_remains (
      number integer primary key,
      kind text not null,
      entity text not null
    )`,
    `create function copies_remain() returns trigger language plpgsql as $$
      begin
        insert into copy_remains (number, kind, entity) values (old.number, old.kind, old.entity);
        delete from copy_checkpoints where copy = old.number;
        return old;
      end
    $$`,
    'create trigger copies_remain after delete on copies for each row execute function copies_remain()',
    // Which fields the tables of records have, so that a changed catalog is noticed.
    `create table copy_tables (
      name text collate "C" primary key,
      fields text not null
    )`,
  ],
}
