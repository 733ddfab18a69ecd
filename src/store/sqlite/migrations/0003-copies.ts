/** What is known of the copies; the records themselves are in tables made from the catalog. */
import type { Migration } from '../../sql/migrations.ts'

export const copies: Migration = {
  number: 3,
  statements: [
    // The number stands for connector and entity in the tables of records: 2 bytes in each index entry instead of 40.
    // It is never used again, so that nothing of a removed copy can come up in a new one.
    `create table copies (
      number integer primary key autoincrement,
      connector_id text not null references connectors (id) on delete cascade,
      kind text not null,
      entity text not null,
      status text not null check (status in ('waiting', 'running', 'finished', 'failed')),
      records integer not null default 0,
      pass integer not null default 0,
      pass_is_full integer not null default 0,
      pass_started_at text,
      mark text not null default 'null',
      complete integer not null default 0,
      synced_at text,
      finished_at text,
      error_code text,
      error_detail text,
      error_at text,
      progress text,
      unique (connector_id, entity)
    ) strict`,
    `create table copy_checkpoints (
      copy integer not null references copies (number) on delete cascade,
      part text not null,
      value text not null,
      primary key (copy, part)
    ) strict, without rowid`,
    // Apart from the records, so that meeting one that has not changed writes 30 bytes and not all of it.
    `create table copy_marks (
      copy integer not null,
      id text not null,
      met integer not null,
      misses integer not null default 0,
      missed_by integer not null default 0,
      primary key (copy, id)
    ) strict, without rowid`,
    `create table copy_leases (
      connector_id text primary key references connectors (id) on delete cascade,
      token integer not null,
      holder text,
      until text not null
    ) strict`,
    // Copies that are out of sight and whose records are still to be deleted.
    `create table copy_remains (
      number integer primary key,
      kind text not null,
      entity text not null
    ) strict`,
    `create trigger copies_remain after delete on copies begin
      insert into copy_remains (number, kind, entity) values (old.number, old.kind, old.entity);
    end`,
    // Which fields the tables of records have, so that a changed catalog is noticed.
    `create table copy_tables (
      name text primary key,
      fields text not null
    ) strict`,
  ],
}
