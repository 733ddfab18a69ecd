/** The steps that bring a SQLite file up to date. */
import type { Migration } from '../sql/migrations.ts'
import { firstTables } from '../sql/tables.ts'

export const migrations: readonly Migration[] = [
  [
    ...firstTables({
      text: 'text',
      integer: 'integer',
      long: 'integer',
      flag: 'integer',
      counter: 'integer primary key autoincrement',
      longCounter: 'integer primary key autoincrement',
      end: ' strict',
      endByKey: ' strict, without rowid',
    }),
    `create trigger copies_remain after delete on copies begin
        insert into copy_remains (number, records_table) values (old.number, old.records_table);
      end`,
    `create trigger audit_log_is_not_changed before update on audit_log begin
        select raise(abort, 'the audit log is only ever added to');
      end`,
    `create trigger audit_log_is_not_shortened before delete on audit_log begin
        select raise(abort, 'the audit log is only ever added to');
      end`,
  ],
]
