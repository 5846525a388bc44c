import { afterEach, describe, expect, it, vi } from 'vitest'
import { openServer } from '../operations/support/scene.ts'

/** Bodies with more members than their operation could read. */

const text_bytes = 1_000_000
const smallMembers = (length: number) => {
  const members = Array.from({ length: Math.floor(length / 11) }, (_, index) => `"k${index}":1`)
  return `{${members.join(',')}}`
}

describe('a body of many small members', async () => {
  const guildhall = await openServer()
  const ada = await guildhall.register()
  afterEach(() => vi.restoreAllMocks())

  it.each([
    ['PATCH', '/v1/users/@me'],
    ['POST', '/v1/guilds/1/channels'],
    ['POST', '/v1/channels/1/messages'],
    ['PATCH', '/v1/users/@me/guilds/1/settings'],
  ])('is refused by %s %s before it is parsed whole', async (method, path) => {
    const text = smallMembers(text_bytes)
    const parse = vi.spyOn(JSON, 'parse')
    const { status, body } = await guildhall.request(method, path, { token: ada.token, body: JSON.parse(text) })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'INVALID_FORM_BODY', errors: [{ path: 'body', code: 'TOO_LARGE' }] })
    // The one call is that of this test.
    expect(parse.mock.calls.filter(([given]) => given.length > text_bytes / 2)).toHaveLength(1)
  })
})
