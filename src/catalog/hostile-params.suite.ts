/** For tests of every kind: params that must be refused before anything is sent. */

/** Ids that would lead to another path, or that no system gives out. */
export const badIds: readonly string[] = [
  '../users/me',
  '1/../../users/me',
  '1?opt_fields=x',
  '1#x',
  '1;a=b',
  '1%2F..%2Fusers',
  'a b',
  '1\u0000',
  '',
  '.',
  '..',
  '１２',
  ' 1',
  '1\n',
  '1'.repeat(10_240),
]

/** What is no range of bytes. */
export const badRanges: readonly unknown[] = [
  'bytes=9-2',
  'bytes=0-1,5-6',
  'BYTES=0-1',
  'items=0-1',
  'bytes= 0 - 1',
  'bytes=0x0-0x9',
  'bytes=-0x1',
  'bytes=-18446744073709551616',
  'bytes=',
  'bytes=-',
  'bytes=-0',
  'bytes=--1',
  'bytes=1-2-3',
  'bytes=٠-٩',
  '0-9',
  '',
  'bytes=0-9\r\nX-Evil: 1',
  'bytes=0-9\n',
  5,
  null,
  ['bytes=0-9'],
]
