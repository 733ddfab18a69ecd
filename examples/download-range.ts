/** Downloads a file in two parts, like an interrupted program: the second continues where the first ended. */
import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { connect } from 'conex'
import { place } from './place.ts'

const [attachment_gid, file] = process.argv.slice(2) as [string, string]
const asana = connect('asana', { credentials: { token: process.env.ASANA_TOKEN! }, ...place })

const first = await asana.attachments.download({ attachment_gid, range_header: 'bytes=0-4095' })
await pipeline(first.body, createWriteStream(file))
console.log(`${first.status} ${first.headers.get('content-range')}`)

const { size } = await stat(file)
const rest = await asana.attachments.download({ attachment_gid, range_header: `bytes=${size}-` })
await pipeline(rest.body, createWriteStream(file, { flags: 'a' }))
console.log(`${rest.status} ${rest.headers.get('content-range')}`)
await asana.close()
