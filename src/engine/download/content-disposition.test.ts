import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contentDisposition } from './content-disposition.ts'

/** The name that a client reads. */
function nameOf(header: string | null): string | null {
  const star = /filename\*=UTF-8''(\S+)$/.exec(header ?? '')
  return star ? decodeURIComponent(star[1]!) : (/filename="([^"]*)"/.exec(header ?? '')?.[1] ?? null)
}

describe('the file name of a download', () => {
  it('is the host’s own, in each way of writing it', () => {
    for (const [given, name] of [
      ['attachment; filename="report.pdf"', 'report.pdf'],
      ['inline; filename=report.pdf; size=3', 'report.pdf'],
      ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
      ['attachment; filename="x.pdf"; filename*=UTF-8\'\'%D0%BE%D1%82.pdf', 'от.pdf'],
      ["attachment; filename*=utf-8'en'%e2%80%9cQ3%e2%80%9d.pdf", '“Q3”.pdf'],
      ['attachment; filename*=UTF-8\'\'%ff; filename="plain.pdf"', 'plain.pdf'],
      [`attachment; filename="${Buffer.from('отчёт.pdf').toString('latin1')}"`, 'отчёт.pdf'],
      ['attachment; filename="caf\xe9.pdf"', 'café.pdf'],
    ] as const)
      assert.equal(nameOf(contentDisposition(given, 'other.pdf')), name)
  })

  it('is the record’s where the host gives none', () => {
    for (const given of [undefined, 'attachment', [], 'filename=']) {
      assert.equal(nameOf(contentDisposition(given, 'отчёт “Q3” 🎉.pdf')), 'отчёт “Q3” 🎉.pdf')
      assert.equal(contentDisposition(given, undefined), null)
    }
  })

  it('names no folder', () => {
    assert.equal(nameOf(contentDisposition('attachment; filename="../../etc/passwd"', undefined)), '.._.._etc_passwd')
  })

  it('is always a valid header of one line, and never too long', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string({ unit: 'binary', maxLength: 400 })),
        fc.string({ unit: 'binary', maxLength: 400 }),
        (given, name) => {
          const header = contentDisposition(given ?? undefined, `${name}\r\nX-Evil: 1\u0000`)
          if (header === null) return
          assert.match(
            header,
            /^attachment; filename="[\x20\x21\x23-\x5b\x5d-\x7e]*"(; filename\*=UTF-8''[\w!#$&+\-.^`|~%]+)?$/,
          )
          assert.ok(header.length < 200 * 13 + 100)
        },
      ),
    )
  })

  it('costs little however it is written', () => {
    for (const part of ['filename="', 'filename ', 'filename*=', 'filename="\\', '\\'])
      contentDisposition(part.repeat(60_000 / part.length), 'x')
  })
})
