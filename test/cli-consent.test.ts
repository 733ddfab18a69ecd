/** The command that sends an end user to a consent page, and waits for what comes back. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { beginConex } from './conex.ts'
import { startConsenting } from './consenting.ts'
import { startHostedCommands } from './hosted-commands.ts'
import { linkVisitor } from './link-visitor.ts'

describe('consent, through a hosted service', async () => {
  const commands = await startHostedCommands()
  after(() => commands.close())
  const { hosted, env, run, fine } = commands

  /** Begins a consent here, presses a button of its page, and gives how the command ended. */
  async function pressed(button: 'allow' | 'deny') {
    const { press } = await startConsenting(hosted)
    const running = beginConex(['consent', 'begin', 'asana', '--user', 'eve'], { env })
    const [page] = await running.printed(/http:\/\/127\.0\.0\.1:\d+\/asana\/\S+/)
    const { status } = await fetch(await press(page, button))
    assert.equal(status, 200)
    return running.ended
  }

  it('gives the address to open, for a page of your own', async () => {
    const redirect = 'https://app.example/connected'
    const [begun] = await fine('consent', 'begin', 'asana', '--user', 'ann', '--redirect-url', redirect)
    assert.match(begun.consent_url, /^http:\/\/127\.0\.0\.1:\d+\/asana\//)
  })

  it('waits here for the browser, and what it brings makes a connector', async () => {
    const { code, records, stderr } = await pressed('allow')
    assert.equal(code, 0, stderr)
    const named = ['connectors', 'create', 'asana', '--user', 'eve', '--name', 'Work']
    const [made] = await fine(...named, '--consent', records()[0].secret_id)
    assert.equal(made.auth_method, 'oauth')
  })

  it('has a secret_id that may begin with a dash, as random ones do', async () => {
    const named = ['connectors', 'create', 'asana', '--user', 'eve', '--name', 'Dash']
    const { code, stderr } = await run(...named, '--consent', '-Vx')
    assert.equal(code, 2)
    assert.match(stderr, /no such --consent/)
  })

  it('is renewed by a link, without a page of your own', async () => {
    const connector = await hosted.connect(hosted.credentials('one'))
    const [link] = await fine('consent', 'link', connector)
    assert.equal(link.expires_in, 600)
    const { title } = await linkVisitor(await startConsenting(hosted)).signIn(link.url)
    assert.equal(title, 'You are signed in to Asana again')
    const [record] = await fine('connectors', 'get', connector)
    assert.equal(record.auth_method, 'oauth')
  })

  it('that is denied ends with 3', async () => {
    const { code, stderr } = await pressed('deny')
    assert.equal(code, 3)
    assert.match(stderr, /no consent/)
  })
})
