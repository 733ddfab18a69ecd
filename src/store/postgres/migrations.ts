/** The steps that bring a PostgreSQL database up to date. */
import type { Migration } from '../sql/migrations.ts'
import { firstTables } from '../sql/tables.ts'

export const migrations: readonly Migration[] = [
  [
    ...firstTables({
      // Ordered by code point, whatever language the database is set to.
      text: 'text collate "C"',
      integer: 'integer',
      long: 'bigint',
      flag: 'boolean',
      counter: 'integer generated always as identity primary key',
      longCounter: 'bigint generated always as identity primary key',
      end: '',
      endByKey: '',
    }),
    `create function copies_remain() returns trigger language plpgsql as $$
        begin
          insert into copy_remains (number, records_table) values (old.number, old.records_table);
          return old;
        end
      $$`,
    'create trigger copies_remain after delete on copies for each row execute function copies_remain()',
    `create function audit_log_stays() returns trigger language plpgsql as $$
        begin
          raise exception 'the audit log is only ever added to';
        end
      $$`,
    `create trigger audit_log_stays before update or delete on audit_log
        for each row execute function audit_log_stays()`,
  ],
]
