/** The file host: bytes for callers with a token. Everyone else sees a sign-in page, under status 200. */
import { bearerOf, type Call, fileAnswer, type Reply } from '../../../kit/simulator.ts'
import type { Access } from './access.ts'
import { bytesOf } from './files.ts'
import { seesFile } from './sight.ts'
import type { World } from './world.ts'

const signIn: Reply = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!DOCTYPE html><html><head><title>Sign in | Slack</title></head><body>Sign in to Northwind Camping</body></html>',
}

export function answerFile(call: Call, world: World, access: Access): Reply {
  const id = /^\/files-pri\/\w+-(\w+)\//.exec(call.path)?.[1] ?? ''
  const caller = access.find(bearerOf(call))
  const file = world.files.find(id)
  if (typeof caller === 'string' || !caller.scopes.includes('files:read') || world.settings.signInPage) return signIn
  if (file === undefined || !seesFile(world, caller, file) || (file.mode !== 'hosted' && file.mode !== 'snippet'))
    return { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not found</html>' }
  const { name, mimetype: contentType, created } = file
  const about = { name, contentType, etag: `"${id}"`, modified: created * 1000, bytes: bytesOf(file) }
  return fileAnswer(about, call.headers.range)
}
