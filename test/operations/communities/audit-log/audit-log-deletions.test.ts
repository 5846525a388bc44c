import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { randomBytes } from 'node:crypto'
import { recordLeftDeletions } from '../../../../application/conversations/messages/record-message-deletions.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { laidDatabase } from '../../../support/test-database.ts'
import { startTestGuildhall, type TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectRefusal, found, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deadBeforeTheEntry } from '../../support/dead-before-the-entry.ts'
import { sent } from '../../support/messages.ts'
import { foundWith, openScene } from '../../support/scene.ts'

let home: TestGuild
const { connect, end } = connections()

const { guildhall, ada, brian } = await openScene({})
// An account without any session so far may not write.
for (const account of [ada, brian]) await connect(guildhall, account)
beforeEach(async () => {
  home = await foundWith(guildhall, ada, brian)
})
afterEach(end)

type Entry = Readonly<Record<string, unknown>>

const withThreads = { 'x-service-features': 'channel_threads' }

async function log(query = '', headers: Readonly<Record<string, string>> = {}): Promise<readonly Entry[]> {
  const answer = await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs${query}`, {
    token: ada.token,
    headers,
  })
  return bodyOf(answer)['audit_log_entries'] as readonly Entry[]
}

async function write({ token }: TestAccount, channel: string, count: number): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const body = { content: `message ${index}` }
    const written = await guildhall.request('POST', `/v1/channels/${channel}/messages`, { token, body })
    ids.push(String(bodyOf(written)['id']))
  }
  return ids
}

/** Deletes messages one by one; returns their ids. */
async function deletions(
  account: TestAccount,
  count: number,
  { channel = home.channel, reason }: { readonly channel?: string; readonly reason?: string } = {},
): Promise<readonly string[]> {
  const ids = await write(account, channel, count)
  const headers = reason === undefined ? {} : { 'x-audit-log-reason': reason }
  for (const id of ids) {
    const answer = await guildhall.request('DELETE', `/v1/channels/${channel}/messages/${id}`, {
      token: account.token,
      headers,
    })
    expect(answer.status).toBe(204)
  }
  return ids
}

const deletionsIn = (entries: readonly Entry[]) => entries.filter(({ action_type: type }) => type === 72 || type === 73)
const folded = (account: TestAccount, count: number) => ({
  action_type: 73,
  user_id: account.id,
  target_id: null,
  options: { channel_id: home.channel, count },
})

describe('the deletion of a message', () => {
  it('has an entry with the message as its target, its channel and its reason, the author’s own too', async () => {
    const [id] = await deletions(brian, 1, { reason: 'typo' })
    expect(deletionsIn(await log())).toStrictEqual([
      {
        id: expect.any(String),
        action_type: 72,
        user_id: brian.id,
        target_id: id,
        reason: 'typo',
        options: { channel_id: home.channel },
      },
    ])
  })

  it('is sent to holders of VIEW_AUDIT_LOG', async () => {
    const { client } = await connect(guildhall, ada)
    const [id] = await deletions(brian, 1)
    const { d } = await client.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')
    expect(d).toMatchObject({ guild_id: home.id, action_type: 72, target_id: id, user_id: brian.id })
  })

  it('of several at once has one entry that says how many', async () => {
    const message_ids = await write(brian, home.channel, 3)
    const path = `/v1/channels/${home.channel}/messages/bulk-delete`
    expect((await guildhall.request('POST', path, { token: ada.token, body: { message_ids } })).status).toBe(204)
    expect(deletionsIn(await log())).toMatchObject([folded(ada, 3)])
  })
})

describe('a deletion whose process dies before its entry is written', () => {
  it('gets its entry from whoever handles the remains, once, as the request would have written it', async () => {
    const [one, ...several] = await write(brian, home.channel, 4)
    const path = `/v1/channels/${home.channel}/messages`
    const begin = (method: string, place: string, body?: object) =>
      guildhall.request(method, place, { token: ada.token, headers: { 'x-audit-log-reason': 'spam' }, body })
    await deadBeforeTheEntry(guildhall, async () => {
      expect((await begin('DELETE', `${path}/${one}`)).status).toBe(500)
      expect((await begin('POST', `${path}/bulk-delete`, { message_ids: several })).status).toBe(500)
      expectRefusal(await begin('DELETE', `${path}/${one}`), 404, 'UNKNOWN_MESSAGE')
    })
    expect(deletionsIn(await log('?action_type=72'))).toStrictEqual([])
    const { client } = await connect(guildhall, ada)
    const record = recordLeftDeletions(guildhall.ports)
    expect(await record(timestamp(Date.now() - 60_000))).toBe(0)
    const now = timestamp(Date.now() + 1)
    await Promise.all([record(now), record(now)])
    expect(await record(now)).toBe(0)
    expect((await client.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')).d).toMatchObject({ target_id: one })
    await expect
      .poll(async () => deletionsIn(await log()))
      .toMatchObject([
        { ...folded(ada, 3), reason: 'spam' },
        { action_type: 72, user_id: ada.id, target_id: one, reason: 'spam' },
      ])
  })

  it('gets it once the next process has started', async () => {
    const { connection, close } = await laidDatabase()
    const shared = { connection, personalDataKey: randomBytes(32) }
    const before = await startTestGuildhall(shared)
    const owner = await before.register()
    const guild = await found(before, owner)
    const id = await sent(before, owner, guild.channel, 'gone')
    const request = { token: owner.token }
    await deadBeforeTheEntry(before, async () => {
      const path = `/v1/channels/${guild.channel}/messages/${id}`
      expect((await before.request('DELETE', path, request)).status).toBe(500)
    })
    await before.close()
    const after = await startTestGuildhall(shared)
    const entries = async () => {
      const answer = await after.request('GET', `/v1/guilds/${guild.id}/audit-logs?action_type=72`, request)
      return bodyOf(answer)['audit_log_entries']
    }
    await expect.poll(entries).toMatchObject([{ target_id: id, user_id: owner.id }])
    await after.close()
    await close()
  })
})

describe('a run of deletions', () => {
  it('becomes one entry with a new id when the log is read without a filter, and stays one', async () => {
    await deletions(brian, 3)
    const before = await log('?action_type=72')
    expect(before).toHaveLength(3)
    expect(await log(`?user_id=${brian.id}`)).toHaveLength(3)
    const { client } = await connect(guildhall, ada)
    const after = deletionsIn(await log())
    expect(after).toMatchObject([folded(brian, 3)])
    expect(before.map(({ id }) => id)).not.toContain(after[0]?.['id'])
    expect(after[0]).not.toHaveProperty('changes')
    expect((await client.dispatch('GUILD_AUDIT_LOG_ENTRY_CREATE')).d).toStrictEqual({ ...after[0], guild_id: home.id })
    expect(deletionsIn(await log())).toStrictEqual(after)
    expect(await log('?action_type=72')).toStrictEqual([])
    expect(await log('?action_type=73')).toStrictEqual(after)
  })

  it('has the place of the newest of them', async () => {
    await deletions(brian, 2)
    const [newest] = await log('?action_type=72')
    await guildhall.request('POST', `/v1/channels/${home.channel}/invites`, {
      token: ada.token,
      body: { unique: true },
    })
    const entries = await log()
    expect(entries[0]).toMatchObject({ action_type: 40 })
    expect(entries[1]).toMatchObject(folded(brian, 2))
    const ms = (id: unknown) => BigInt(String(id)) >> 22n
    expect(ms(entries[1]?.['id'])).toBe(ms(newest?.['id']))
  })

  it('keeps a reason that all of them gave, and none if they differ', async () => {
    await deletions(brian, 2, { reason: 'spam' })
    expect(deletionsIn(await log())).toMatchObject([{ ...folded(brian, 2), reason: 'spam' }])
    await guildhall.request('POST', `/v1/channels/${home.channel}/invites`, {
      token: ada.token,
      body: { unique: true },
    })
    await deletions(brian, 1, { reason: 'spam' })
    await deletions(brian, 1, { reason: 'more spam' })
    expect(deletionsIn(await log())[0]).not.toHaveProperty('reason')
  })

  it('ends with another actor, another channel, and any other entry', async () => {
    const body = { name: 'second', type: 0 }
    const made = await guildhall.request('POST', `/v1/guilds/${home.id}/channels`, { token: ada.token, body })
    const channel = String(bodyOf(made)['id'])
    await deletions(brian, 1)
    await deletions(ada, 1)
    await deletions(ada, 1, { channel })
    await guildhall.request('POST', `/v1/channels/${home.channel}/invites`, {
      token: ada.token,
      body: { unique: true },
    })
    await deletions(ada, 1, { channel })
    expect(deletionsIn(await log()).map(({ action_type: type }) => type)).toStrictEqual([72, 72, 72, 72])
  })

  it('is folded once when many read at once', async () => {
    await deletions(brian, 4)
    await Promise.all(Array.from({ length: 5 }, () => log()))
    expect(deletionsIn(await log())).toMatchObject([folded(brian, 4)])
    expect(await log('?action_type=73')).toHaveLength(1)
  })

  it('is folded whole, however little of it is on the page', async () => {
    await deletions(brian, 5)
    expect(await log('?limit=2')).toMatchObject([folded(brian, 5), { action_type: 40 }])
  })

  it.each(['newest first', 'after an entry'])('is folded whole if a page of one ends within it, %s', async (way) => {
    const [invited] = await log()
    await deletions(brian, 3)
    const query = way === 'newest first' ? '?limit=1' : `?limit=1&after=${String(invited?.['id'])}`
    expect(await log(query)).toMatchObject([folded(brian, 3)])
  })
})

describe('a caller without thread access', () => {
  async function changeOf(headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
    return (await log('?action_type=31', headers))[0]?.['changes']
  }

  it('sees no thread bits in masks, nor their names', async () => {
    const send = (method: string, path: string, body: object, headers = withThreads) =>
      guildhall.request(method, path, { token: ada.token, body, headers })
    const plain = bodyOf(await send('POST', `/v1/guilds/${home.id}/roles`, { name: 'r', permissions: '0' }))
    const path = `/v1/guilds/${home.id}/roles/${String(plain['id'])}`
    const [manageMessages, manageThreads] = [1n << 13n, 1n << 34n]
    bodyOf(await send('PATCH', path, { permissions: (manageMessages | manageThreads).toString() }))
    const mask = (bits: bigint) => ({ key: 'permissions', old_value: '0', new_value: bits.toString() })
    const diff = (...added: readonly string[]) => ({ key: 'permissions_diff', new_value: { added, removed: [] } })
    expect(await changeOf(withThreads)).toStrictEqual(
      expect.arrayContaining([mask(manageMessages | manageThreads), diff('MANAGE_MESSAGES', 'MANAGE_THREADS')]),
    )
    expect(await changeOf()).toStrictEqual(expect.arrayContaining([mask(manageMessages), diff('MANAGE_MESSAGES')]))
    bodyOf(await send('PATCH', path, { permissions: manageMessages.toString() }))
    expect(await changeOf(withThreads)).toHaveLength(2)
    expect(await changeOf()).toBeUndefined()
  })

  it('sees no entry of a forum, and is refused the actions of threads', async () => {
    const send = (method: string, path: string, body?: object) =>
      guildhall.request(method, path, { token: ada.token, headers: withThreads, ...(body ? { body } : {}) })
    const forum = String(
      bodyOf(await send('POST', `/v1/guilds/${home.id}/channels`, { name: 'forum', type: 15 }))['id'],
    )
    await send('PUT', `/v1/channels/${forum}/permissions/${home.id}`, { type: 0, allow: '0', deny: '2048' })
    const started = bodyOf(await send('POST', `/v1/channels/${home.channel}/threads`, { name: 'a thread', type: 11 }))
    const all = await log('', withThreads)
    expect(all.map(({ action_type: type }) => type)).toStrictEqual(expect.arrayContaining([10, 13, 110]))
    expect((await log()).map(({ action_type: type }) => type)).toStrictEqual([40])
    const answer = await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, {
      token: ada.token,
      headers: withThreads,
    })
    expect(bodyOf(answer)['threads']).toMatchObject([{ id: started['id'], name: 'a thread' }])
    const without = await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs`, { token: ada.token })
    expect(bodyOf(without)).not.toHaveProperty('threads')
    for (const type of [110, 111, 112]) {
      const refused = await guildhall.request('GET', `/v1/guilds/${home.id}/audit-logs?action_type=${type}`, {
        token: ada.token,
      })
      expectRefusal(refused, 400, 'INVALID_FORM_BODY')
      expect(Array.isArray(await log(`?action_type=${type}`, withThreads))).toBe(true)
    }
  })
})
