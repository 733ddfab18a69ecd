import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, it } from 'node:test'
import { bytes, contents, driveWith, type Host, storage } from '../drive.suite.ts'
import { refusal } from '../scripted-engine.suite.ts'

describe('a download', () => {
  it('reads the record with the credentials and the file without them', async () => {
    const { system, asked, engine, call } = await driveWith(storage)
    const { status, headers, body } = await engine.download(call())
    assert.deepEqual(await contents(body), bytes)
    assert.equal(status, 200)
    assert.deepEqual(headers, { 'content-type': 'application/pdf', 'accept-ranges': 'bytes', 'content-length': '1000' })
    assert.equal(system.requests[0]!.headers.authorization, 'Bearer secret-token')
    assert.equal(asked.length, 1)
    assert.equal(asked[0]!.url, '/kept/0?signature=s0')
    for (const name of ['authorization', 'cookie', 'range', 'referer']) assert.equal(asked[0]!.headers[name], undefined)
    assert.equal(asked[0]!.headers['accept-encoding'], 'identity')
  })

  it('of an empty file has no bytes and ends', async () => {
    const { engine, call } = await driveWith((_, __, response) =>
      response.writeHead(200, { 'content-length': '0' }).end(),
    )
    const { headers, body } = await engine.download(call())
    assert.equal(headers['content-length'], '0')
    assert.equal((await contents(body)).length, 0)
  })

  it('says why when the record has no file', async () => {
    const { engine, call, asked } = await driveWith(storage, {}, { url: undefined })
    await refusal(engine.download(call()), 'file_unavailable')
    assert.equal(asked.length, 0)
  })

  it('carries a file name in any script', async () => {
    const raw = Buffer.from('attachment; filename="отчёт.pdf"').toString('latin1')
    for (const disposition of [raw, "attachment; filename*=UTF-8''%D0%BE%D1%82%D1%87%D1%91%D1%82.pdf", undefined]) {
      const { engine, call } = await driveWith(
        (_, __, response) => {
          response.writeHead(200, disposition === undefined ? {} : { 'content-disposition': disposition })
          response.end(bytes)
        },
        {},
        { name: 'отчёт.pdf' },
      )
      const { headers, body } = await engine.download(call())
      assert.equal(
        headers['content-disposition'],
        `attachment; filename="_____.pdf"; filename*=UTF-8''${encodeURIComponent('отчёт.pdf')}`,
      )
      await contents(body)
    }
  })

  it('refuses a page instead of a file only where such files are never kept', async () => {
    const page: Host = (_, __, response) =>
      response.writeHead(200, { 'content-type': 'Text/HTML; charset=utf-8' }).end('<!doctype html>')
    const { engine, call } = await driveWith(page)
    assert.equal(String(await contents((await engine.download(call())).body)), '<!doctype html>')
    const error = await refusal(engine.download(call({}, { entity: 'media' })), 'upstream_invalid_response')
    assert.ok(!error.message.includes('doctype'))
  })

  it('refuses such a page also when it comes letter by letter, and waits for no more than it takes to tell', async () => {
    const page = '\n<!DocType\r\n html><title>Sign in</title>'
    const spelled: Host = (_, __, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      let sent = 0
      const spell = setInterval(() => {
        if (sent === page.length) {
          clearInterval(spell)
          response.end()
        } else response.write(page[sent++])
      }, 2)
    }
    const { engine, call } = await driveWith(spelled)
    assert.equal(String(await contents((await engine.download(call())).body)), page)
    await refusal(engine.download(call({}, { entity: 'media' })), 'upstream_invalid_response')
    for (const file of ['<', '<!doctype', '\n', 'x', '']) {
      const { engine, call } = await driveWith((_, __, response) => {
        response.writeHead(200, { 'content-type': 'audio/mpeg' })
        if (file !== '') response.write(file)
        setImmediate(() => response.end())
      })
      assert.equal(String(await contents((await engine.download(call({}, { entity: 'media' }))).body)), file)
    }
    const stalling: Host = (_, __, response) => void response.writeHead(200).write('<')
    const stalled = await driveWith(stalling, { deadline: 200 })
    await refusal(stalled.engine.download(stalled.call({}, { entity: 'media' })), 'upstream_timeout')
  })

  it('takes bytes as they are for such, however their host spells it', async () => {
    const { engine, call } = await driveWith((_, __, response) =>
      response.writeHead(200, { 'content-encoding': 'Identity' }).end(bytes),
    )
    assert.deepEqual(await contents((await engine.download(call())).body), bytes)
  })
})

describe('a file host that fails', () => {
  const cut = (response: ServerResponse, some: number): void => {
    response.writeHead(200, { 'content-length': bytes.length })
    response.flushHeaders()
    if (some > 0) response.write(bytes.subarray(0, some))
    setImmediate(() => response.destroy())
  }

  it('before the first byte is asked again', async () => {
    const { asked, engine, call } = await driveWith((turn, request, response) =>
      turn < 2 ? cut(response, 0) : storage(turn, request, response),
    )
    assert.deepEqual(await contents((await engine.download(call())).body), bytes)
    assert.equal(asked.length, 3)
  })

  it('before the first byte every time is an error, not a file', async () => {
    const { asked, engine, call } = await driveWith((_, __, response) => cut(response, 0))
    await refusal(engine.download(call()), 'upstream_error')
    assert.equal(asked.length, 4)
  })

  it('after the first byte breaks the stream, so that a cut file cannot look whole', async () => {
    const { asked, engine, call } = await driveWith((_, __, response) => cut(response, 10))
    const { body } = await engine.download(call())
    await assert.rejects(contents(body))
    assert.equal(asked.length, 1)
  })

  it('to begin in time is a timeout', async () => {
    const stalls: Host[] = [
      () => {},
      (_, __, response) => void response.writeHead(200, { 'content-length': '9' }).flushHeaders(),
    ]
    for (const stall of stalls) {
      const { engine, call } = await driveWith(stall, { deadline: 100 })
      await refusal(engine.download(call()), 'upstream_timeout')
    }
  })

  it('by falling silent before the first byte is asked again, and is a timeout in the end', async () => {
    const silence: Host = (_, __, response) => response.writeHead(200, { 'content-length': '9' }).flushHeaders()
    const { asked, engine, call } = await driveWith(silence, { idleLimit: 50, retries: 1 })
    await refusal(engine.download(call()), 'upstream_timeout')
    assert.equal(asked.length, 2)
  })

  it('by falling silent on the way breaks the stream at the idle limit, whatever the deadline', async () => {
    const { engine, call } = await driveWith(
      (_, __, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write(bytes.subarray(0, 10))
      },
      { idleLimit: 100, deadline: 60_000 },
    )
    const { body } = await engine.download(call())
    await assert.rejects(contents(body), { code: 'UND_ERR_BODY_TIMEOUT' })
  })

  it('to be quick is no fault: the deadline ends with the first byte', async () => {
    const { engine, call } = await driveWith(
      (_, __, response) => {
        response.writeHead(200, { 'content-length': '6' })
        let left = 6
        const drip = setInterval(() => {
          response.write('x')
          if (--left === 0) {
            clearInterval(drip)
            response.end()
          }
        }, 220)
      },
      { deadline: 1000 },
    )
    assert.equal(String(await contents((await engine.download(call())).body)), 'xxxxxx')
  })
})

describe('a caller who goes away', () => {
  /** A host that sends without end, and a promise that it was told to stop. */
  const endless = () => {
    let stopped: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const host: Host = (_, __, response) => {
      response.writeHead(200)
      const more = (): void => {
        while (!response.destroyed && response.write(bytes));
      }
      response.on('drain', more).on('close', () => stopped())
      more()
    }
    return { host, gone }
  }

  it('by destroying the body stops the host', async () => {
    const { host, gone } = endless()
    const { engine, call } = await driveWith(host)
    const { body } = await engine.download(call())
    body.destroy()
    await gone
  })

  it('by leaving the loop over the body stops the host', async () => {
    const { host, gone } = endless()
    const { engine, call } = await driveWith(host)
    for await (const _ of (await engine.download(call())).body) break
    await gone
  })

  it('by aborting stops the host, and the body ends with an error', async () => {
    const { host, gone } = endless()
    const { engine, call } = await driveWith(host)
    const caller = new AbortController()
    const { body } = await engine.download(call({}, { signal: caller.signal }))
    const read = assert.rejects(contents(body))
    caller.abort()
    await gone
    await read
  })

  it('before the first byte stops the host too', async () => {
    let stopped: () => void = () => {}
    const gone = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const caller = new AbortController()
    const { engine, call } = await driveWith((_, __, response) => {
      response.on('close', () => stopped())
      caller.abort(new Error('the caller has gone'))
    })
    await assert.rejects(engine.download(call({}, { signal: caller.signal })), /the caller has gone/)
    await gone
  })
})
