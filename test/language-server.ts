/** TypeScript's language server, as an editor talks to it: JSON-RPC over pipes (Language Server Protocol 3.17). */
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

export interface LanguageServer {
  /** Opens a file of the folder with this text. */
  open(file: string, text: string): void
  /** What an editor underlines in an open file: `line: message`. */
  faults(file: string): Promise<readonly string[]>
  /** The names that an editor offers at a place in an open file. */
  offered(file: string, offset: number): Promise<readonly string[]>
  close(): Promise<void>
}

interface Message {
  readonly id?: number | string
  readonly method?: string
  // biome-ignore lint/suspicious/noExplicitAny: each method has a result of its own
  readonly result?: any
  readonly error?: { readonly message: string }
  readonly params?: { readonly items?: readonly unknown[] }
}

export async function startLanguageServer(folder: string): Promise<LanguageServer> {
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const texts = new Map<string, string>()
  const waiting = new Map<number, (message: Message) => void>()
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  let asked = 0

  function send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }

  // biome-ignore lint/suspicious/noExplicitAny: each method has a result of its own
  async function ask(method: string, params?: object): Promise<any> {
    const id = ++asked
    const answered = new Promise<Message>((resolve) => waiting.set(id, resolve))
    send({ id, method, params })
    const { result, error } = await Promise.race([
      answered,
      ended.then((): Message => ({ error: { message: 'ended' } })),
    ])
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  function take({ id, method, params, ...answer }: Message): void {
    if (method === undefined) waiting.get(id as number)?.(answer)
    // What the server asks its editor, this one leaves to the server.
    else if (id !== undefined) send({ id, result: params?.items?.map(() => null) ?? null })
  }

  let received = Buffer.alloc(0)
  server.stdout.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    for (;;) {
      const body = received.indexOf('\r\n\r\n') + 4
      const length = Number(/Content-Length: (\d+)/.exec(received.subarray(0, body).toString())?.[1])
      if (body < 4 || received.length < body + length) return
      const message = JSON.parse(received.subarray(body, body + length).toString()) as Message
      received = received.subarray(body + length)
      take(message)
    }
  })

  const uriOf = (file: string): string => pathToFileURL(join(folder, file)).href
  const rootUri = pathToFileURL(folder).href
  await ask('initialize', { processId: process.pid, rootUri, capabilities: {} })
  send({ method: 'initialized', params: {} })

  return {
    open(file, text) {
      texts.set(file, text)
      send({
        method: 'textDocument/didOpen',
        params: { textDocument: { uri: uriOf(file), languageId: 'typescript', version: 1, text } },
      })
    },
    async faults(file) {
      const { items } = await ask('textDocument/diagnostic', { textDocument: { uri: uriOf(file) } })
      return items.map(
        ({ range, message }: { range: { start: { line: number } }; message: string }) =>
          `${range.start.line + 1}: ${message}`,
      )
    },
    async offered(file, offset) {
      const before = texts.get(file)!.slice(0, offset).split('\n')
      const position = { line: before.length - 1, character: before.at(-1)!.length }
      const found = await ask('textDocument/completion', { textDocument: { uri: uriOf(file) }, position })
      return (found?.items ?? found ?? []).map(({ label }: { label: string }) => label.replace(/\?$/, ''))
    },
    async close() {
      await ask('shutdown')
      send({ method: 'exit' })
      await ended
    },
  }
}
