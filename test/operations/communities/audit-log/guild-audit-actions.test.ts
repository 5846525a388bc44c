import { afterAll, describe, expect, it } from 'vitest'
import { accept, bodyOf, invite } from '../../support/answers.ts'
import { newApplication } from '../../support/applications.ts'
import { banKeys, channelKeys, inviteKeys, overwriteKeys, roleKeys, threadKeys } from '../../support/audit-keys.ts'
import { connections } from '../../support/connected.ts'
import { openScene } from '../../support/scene.ts'

/** The ids that earlier rows have created, by the names that later rows use. */
const made: Record<string, string> = {}
const { connect, end } = connections()

const { guildhall, home, ...people } = await openScene()
let { ada, brian } = people
await connect(guildhall, ada)
Object.assign(made, { guild: home.id, general: home.channel, ada: ada.id, brian: brian.id })
afterAll(end)

type Entry = Readonly<Record<string, unknown>> & {
  readonly changes?: readonly Readonly<Record<'key' | 'old_value' | 'new_value', unknown>>[]
}

const headers = { 'x-service-features': 'channel_threads', 'x-audit-log-reason': 'as told' }

/** Sends a request as the owner; stores the id of what it creates under a name. */
function sending(method: string, path: string, body?: object, name?: string) {
  return async (): Promise<void> => {
    const filled = JSON.parse(named(JSON.stringify(body ?? {}))) as object
    const sudo = { password: ada.password }
    const sent = { ...filled, ...(path.endsWith('ownership') ? sudo : {}) }
    const answer = await guildhall.request(method, `/v1${named(path)}`, { token: ada.token, headers, body: sent })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    if (name !== undefined) made[name] = String(bodyOf(answer)['id'] ?? bodyOf(answer)['code'])
  }
}

const named = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => made[name] ?? name)

async function newest(type: number): Promise<Entry | undefined> {
  const path = `/v1/guilds/${home.id}/audit-logs?action_type=${type}&limit=1`
  return (
    bodyOf(await guildhall.request('GET', path, { token: ada.token, headers }))['audit_log_entries'] as readonly Entry[]
  )[0]
}

/** A row: the request, the action, its target, its options, and the keys of its changes. */
interface Row {
  readonly does: () => Promise<void>
  readonly target: string | null
  readonly options?: readonly string[]
  /** Exactly these keys, or some of them. */
  readonly changes?: readonly string[]
  readonly some?: readonly string[]
}

const message = { content: 'hello' }
const written = (name: string) => sending('POST', '/channels/{general}/messages', message, name)
const inOrder =
  (...steps: readonly (() => Promise<void>)[]) =>
  async (): Promise<void> => {
    for (const step of steps) await step()
  }

async function comeBack(): Promise<void> {
  await accept(guildhall, brian, await invite(guildhall, ada, home.channel))
}

async function botComes(): Promise<void> {
  const bot = await newApplication(guildhall, ada)
  made['bot'] = bot.id
  const body = { client_id: bot.id, scope: 'bot', guild_id: home.id, permissions: '0' }
  bodyOf(await guildhall.request('POST', '/v1/oauth2/authorize/consent', { token: ada.token, headers, body }))
}

const rows: readonly (readonly [number, string, Row])[] = [
  [
    10,
    'CHANNEL_CREATE',
    {
      does: sending('POST', '/guilds/{guild}/channels', { name: 'plans', type: 0, topic: 'What is next' }, 'channel'),
      target: '{channel}',
      options: ['type'],
      some: channelKeys,
    },
  ],
  [
    11,
    'CHANNEL_UPDATE',
    {
      does: sending('PATCH', '/channels/{channel}', { name: 'ideas', rate_limit_per_user: 5 }),
      target: '{channel}',
      options: ['type'],
      changes: ['name', 'rate_limit_per_user'],
    },
  ],
  [
    13,
    'CHANNEL_OVERWRITE_CREATE',
    {
      does: sending('PUT', '/channels/{channel}/permissions/{brian}', { type: 1, allow: '2048', deny: '0' }),
      target: '{brian}',
      options: ['type', 'channel_id'],
      changes: overwriteKeys,
    },
  ],
  [
    14,
    'CHANNEL_OVERWRITE_UPDATE',
    {
      does: sending('PUT', '/channels/{channel}/permissions/{brian}', { type: 1, allow: '0', deny: '2048' }),
      target: '{brian}',
      options: ['type', 'channel_id'],
      changes: ['allow', 'deny'],
    },
  ],
  [
    15,
    'CHANNEL_OVERWRITE_DELETE',
    {
      does: sending('DELETE', '/channels/{channel}/permissions/{brian}'),
      target: '{brian}',
      options: ['type', 'channel_id'],
      changes: overwriteKeys,
    },
  ],
  [
    12,
    'CHANNEL_DELETE',
    { does: sending('DELETE', '/channels/{channel}'), target: '{channel}', options: ['type'], some: channelKeys },
  ],
  [
    30,
    'ROLE_CREATE',
    {
      does: sending('POST', '/guilds/{guild}/roles', { name: 'r', permissions: '0' }, 'role'),
      target: '{role}',
      some: roleKeys,
    },
  ],
  [
    31,
    'ROLE_UPDATE',
    {
      does: sending('PATCH', '/guilds/{guild}/roles/{role}', { permissions: '8192', color: 5 }),
      target: '{role}',
      changes: ['permissions', 'color', 'permissions_diff'],
    },
  ],
  [
    24,
    'MEMBER_UPDATE',
    {
      does: sending('PATCH', '/guilds/{guild}/members/{brian}', { nick: 'Bri' }),
      target: '{brian}',
      changes: ['nick'],
    },
  ],
  [
    25,
    'MEMBER_ROLE_UPDATE',
    { does: sending('PUT', '/guilds/{guild}/members/{brian}/roles/{role}'), target: '{brian}', changes: ['roles'] },
  ],
  [32, 'ROLE_DELETE', { does: sending('DELETE', '/guilds/{guild}/roles/{role}'), target: '{role}', some: roleKeys }],
  [20, 'MEMBER_KICK', { does: sending('DELETE', '/guilds/{guild}/members/{brian}'), target: '{brian}' }],
  [
    22,
    'MEMBER_BAN_ADD',
    {
      does: inOrder(
        comeBack,
        sending('PUT', '/guilds/{guild}/bans/{brian}', {
          delete_message_days: 1,
          delete_message_seconds: 5,
          reason: 'x',
        }),
      ),
      target: '{brian}',
      options: ['delete_member_days', 'delete_message_seconds'],
      changes: banKeys,
    },
  ],
  [
    23,
    'MEMBER_BAN_REMOVE',
    { does: sending('DELETE', '/guilds/{guild}/bans/{brian}'), target: '{brian}', changes: banKeys },
  ],
  [28, 'BOT_ADD', { does: botComes, target: '{bot}', options: ['temporary'] }],
  [
    40,
    'INVITE_CREATE',
    {
      does: sending('POST', '/channels/{general}/invites', { unique: true, max_uses: 2 }, 'code'),
      target: '{code}',
      options: ['max_age', 'max_uses', 'temporary', 'channel_id', 'inviter_id'],
      changes: inviteKeys,
    },
  ],
  [
    42,
    'INVITE_DELETE',
    {
      does: sending('DELETE', '/invites/{code}'),
      target: '{code}',
      options: ['max_age', 'max_uses', 'temporary', 'channel_id', 'inviter_id'],
      changes: inviteKeys,
    },
  ],
  [
    72,
    'MESSAGE_DELETE',
    {
      does: inOrder(written('message'), sending('DELETE', '/channels/{general}/messages/{message}')),
      target: '{message}',
      options: ['channel_id'],
    },
  ],
  [
    73,
    'MESSAGE_BULK_DELETE',
    {
      does: inOrder(
        written('one'),
        written('other'),
        sending('POST', '/channels/{general}/messages/bulk-delete', { message_ids: ['{one}', '{other}'] }),
      ),
      target: null,
      options: ['channel_id', 'count'],
    },
  ],
  [
    110,
    'THREAD_CREATE',
    {
      does: sending('POST', '/channels/{general}/threads', { name: 't', type: 11 }, 'thread'),
      target: '{thread}',
      some: threadKeys,
    },
  ],
  [
    111,
    'THREAD_UPDATE',
    { does: sending('PATCH', '/channels/{thread}', { name: 'u' }), target: '{thread}', changes: ['name'] },
  ],
  [112, 'THREAD_DELETE', { does: sending('DELETE', '/channels/{thread}'), target: '{thread}', some: threadKeys }],
  [
    1,
    'GUILD_UPDATE',
    {
      does: inOrder(comeBack, sending('POST', '/guilds/{guild}/transfer-ownership', { new_owner_id: '{brian}' })),
      target: '{guild}',
      changes: ['owner_id'],
    },
  ],
]

describe('the guild’s audit log', () => {
  it.each(rows)('shows %i %s with its target, its options and its changes', async (type, name, row) => {
    await row.does()
    // After the last row the owner is another account.
    if (type === 1) [ada, brian] = [brian, ada]
    const entry = await newest(type)
    expect(entry).toMatchObject({ action_type: type, target_id: row.target === null ? null : named(row.target) })
    if (type !== 28) expect(entry).toMatchObject({ user_id: made['ada'], reason: 'as told' })
    expect(Object.keys(Object(entry?.['options'])).toSorted()).toStrictEqual([...(row.options ?? [])].toSorted())
    const changes = entry?.changes ?? []
    const keys = changes.map(({ key }) => String(key))
    expect(new Set(keys).size).toBe(keys.length)
    if (row.some) {
      expect(keys).not.toHaveLength(0)
      for (const key of keys) expect(row.some).toContain(key)
    } else expect(keys.toSorted()).toStrictEqual([...(row.changes ?? [])].toSorted())
    for (const change of changes) {
      if (change.key === 'permissions_diff') continue
      expect('old_value' in change).toBe(!/_(CREATE|BAN_ADD)$/.test(name))
      expect('new_value' in change).toBe(!/_(DELETE|BAN_REMOVE)$/.test(name))
    }
  })

  it('shows every action that an operation of this server can cause', () => {
    const known = rows.map(([type]) => type).toSorted((one, other) => one - other)
    expect(known).toStrictEqual([
      1, 10, 11, 12, 13, 14, 15, 20, 22, 23, 24, 25, 28, 30, 31, 32, 40, 42, 72, 73, 110, 111, 112,
    ])
  })
})
