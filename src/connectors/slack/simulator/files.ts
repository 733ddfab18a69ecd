/** Shared files: most are kept by Slack, one by another service, and some can no longer be had. */
import { type Bytes, fileBytes } from '../../../kit/simulator.ts'
import { at } from './channels.ts'
import { founded, idOf } from './people.ts'
import type { SlackFile } from './records.ts'
import { team } from './team.ts'

/** The files that tests look for. */
export const archive = {
  pdf: 'F0A1B2C01',
  page: 'F0A1B2C02',
  external: 'F0A1B2C03',
  deleted: 'F0A1B2C04',
  hidden: 'F0A1B2C05',
  secret: 'F0A1B2C06',
} as const

export function* files(scale: number): Generator<SlackFile> {
  const usual: Omit<SlackFile, 'id' | 'name' | 'size'> = {
    mimetype: 'application/pdf',
    filetype: 'pdf',
    pretty_type: 'PDF',
    mode: 'hosted',
    user: team.userId,
    created: founded + 100_000_000,
    channels: [at.launch],
  }
  yield { ...usual, id: archive.pdf, name: 'Ridgeline shell, line sheet.pdf', size: 482_113 }
  yield {
    ...{ ...usual, id: archive.page, name: 'press-kit.html', mimetype: 'text/html', filetype: 'html' },
    pretty_type: 'HTML',
    size: 2_048,
  }
  yield {
    ...{ ...usual, id: archive.external, name: 'Forecast', mimetype: 'application/vnd.google-apps.spreadsheet' },
    filetype: 'gsheet',
    pretty_type: 'Google Sheets',
    mode: 'external',
    size: 0,
  }
  yield { ...usual, id: archive.deleted, name: 'old.pdf', mode: 'tombstone', size: 0 }
  yield { ...usual, id: archive.hidden, name: 'before-limit.pdf', mode: 'hidden_by_limit', size: 9_000 }
  yield { ...usual, id: archive.secret, name: 'minutes.pdf', size: 70_000, channels: [at.board] }
  const kinds = [
    { mimetype: 'image/png', filetype: 'png', pretty_type: 'PNG', mode: 'hosted' },
    { mimetype: 'text/plain', filetype: 'text', pretty_type: 'Plain Text', mode: 'snippet' },
    { mimetype: 'application/zip', filetype: 'zip', pretty_type: 'Zip', mode: 'hosted' },
  ] as const
  const count = Math.min(5000, Math.max(5, Math.floor(scale / 30)))
  for (let n = 0; n < count; n++) {
    const kind = kinds[n % kinds.length]!
    yield {
      ...{ ...usual, ...kind, id: idOf('F', n), name: `Größe ${n}.${kind.filetype}`, size: 1_000 + n * 37 },
      user: idOf('U', n % 6),
      created: founded + 90_000_000 + n * 3600,
      channels: [at.general],
    }
  }
}

export const bytesOf = (file: SlackFile): Bytes =>
  fileBytes(
    Number.parseInt(file.id.slice(1), 36) % 1_000_003,
    file.size,
    Buffer.from(file.mimetype === 'text/html' ? '<!DOCTYPE html><html><body>Press kit</body></html>' : '%PDF-1.7\n'),
  )
