/** For tests of consent pages: presses a button, and says where the browser is sent. */
import assert from 'node:assert/strict'

export async function pressButton(
  address: string,
  params: Readonly<Record<string, string>>,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URLSearchParams> {
  const shown = await fetch(`${address}?${new URLSearchParams(params)}`, { redirect: 'manual' })
  assert.equal(shown.status, 200, await shown.text())
  assert.match(shown.headers.get('content-type')!, /^text\/html/)
  const pressed = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ ...params, decision }),
    redirect: 'manual',
  })
  assert.equal(pressed.status, 302)
  return new URL(pressed.headers.get('location')!).searchParams
}
