import { describe, expect, it } from 'vitest'
import { bodyOf, listOf } from '../operations/support/answers.ts'
import { messagesPath, sent } from '../operations/support/messages.ts'
import { openScene } from '../operations/support/scene.ts'

/** Member names with a meaning in JavaScript. */

const scene = await openScene()
const message = await sent(scene.guildhall, scene.ada, scene.home.channel, 'here')

const ask = (method: string, path: string, body?: string) =>
  scene.guildhall.request(method, path, { token: scene.ada.token, ...(body === undefined ? {} : { body }) })
const plain: Readonly<Record<string, unknown>> = {}

/** Bodies that would give every object a member if keys were used as member names unchecked. */
const hostile = (members: string): readonly string[] =>
  ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'].flatMap((key) => [
    `{${members}, "${key}": {"polluted": true}}`,
    `{${members}, "${key}": {"prototype": {"polluted": true}}}`,
    `{"${key}": {"polluted": true, "content": "x", "name": "x"}}`,
    `{"${key}": null}`,
  ])

describe('member names with a meaning in the language', () => {
  it.each([
    ['POST', () => messagesPath(scene.home.channel), '"content": "x"'],
    [
      'POST',
      () => messagesPath(scene.home.channel),
      '"content": "x", "allowed_mentions": {"__proto__": {"parse": ["everyone"]}}',
    ],
    ['PATCH', () => messagesPath(scene.home.channel, message), '"content": "y"'],
    ['POST', () => `/v1/channels/${scene.home.channel}/messages/bulk-delete`, '"message_ids": ["1"]'],
    ['POST', () => `/v1/guilds/${scene.home.id}/roles`, '"name": "x"'],
    ['POST', () => `/v1/guilds/${scene.home.id}/channels`, '"name": "x", "type": 0'],
    ['PATCH', () => `/v1/channels/${scene.home.channel}`, '"topic": "x"'],
    ['PATCH', () => `/v1/guilds/${scene.home.id}/members/@me`, '"nick": "x"'],
    [
      'PUT',
      () => `/v1/channels/${scene.home.channel}/permissions/${scene.home.id}`,
      '"type": 0, "allow": "0", "deny": "0"',
    ],
    ['PUT', () => `/v1/guilds/${scene.home.id}/bans/1`, '"reason": "x"'],
  ] as const)('have no effect in %s %s', async (method, path, members) => {
    for (const body of hostile(members)) {
      const answer = await ask(method, path(), body)
      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer.body ?? null)).not.toContain('polluted')
    }
    expect(plain['polluted']).toBeUndefined()
    expect(Object.prototype).not.toHaveProperty('polluted')
  })

  it('are in no message, role or channel afterwards', async () => {
    const read = [
      await ask('GET', `${messagesPath(scene.home.channel)}?limit=100`),
      await ask('GET', `/v1/guilds/${scene.home.id}`),
      await ask('GET', `/v1/guilds/${scene.home.id}/audit-logs?limit=100`),
    ]
    for (const answer of read) expect(JSON.stringify(bodyOf(answer))).not.toMatch(/polluted|__proto__/)
  })

  it.each(['__proto__[limit]=1', 'constructor[prototype][limit]=1', '__proto__=1', 'limit[__proto__]=1', 'toString=1'])(
    'have no meaning in a query: %s',
    async (query) => {
      const plainly = listOf(await ask('GET', messagesPath(scene.home.channel)))
      const asked = listOf(await ask('GET', `${messagesPath(scene.home.channel)}?${query}`))
      expect(asked).toHaveLength(plainly.length)
      expect(plain['limit']).toBeUndefined()
    },
  )

  it.each(['__proto__', 'constructor', 'hasOwnProperty'])('are not valid ids: %s', async (id) => {
    for (const path of [
      messagesPath(id),
      messagesPath(scene.home.channel, id),
      `/v1/guilds/${scene.home.id}/members/${id}`,
    ])
      expect((await ask('GET', path)).status).toBe(400)
  })

  it('are ordinary text in a message', async () => {
    const body = JSON.stringify({ content: '__proto__', nonce: 'constructor' })
    const said = await ask('POST', messagesPath(scene.home.channel), body)
    expect(bodyOf(said)).toMatchObject({ content: '__proto__', nonce: 'constructor' })
  })
})
