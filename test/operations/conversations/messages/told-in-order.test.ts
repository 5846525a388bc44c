import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Client } from '../../../gateway/support/client.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, type TestGuild } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { guildsOf } from '../../support/guilds.ts'
import { messagesPath, sent } from '../../support/messages.ts'
import { befriend } from '../../support/relationships.ts'
import { foundWith, openServer } from '../../support/scene.ts'
import { threadsOf } from '../../support/threads.ts'
import { openDirect, openGroup, privateChannelsOn } from '../private-channels/support.ts'

/** The order in which an act has its effects is the order at every session. */

const guildhall = await openServer()
const { request } = guildhall
const guilds = guildsOf(guildhall)
const { connect, end } = connections()
const held: (() => Promise<void>)[] = []
let ada: TestAccount
let brian: TestAccount
let home: TestGuild
let owner: Client
let member: Client

beforeEach(async () => {
  ;[ada, brian] = [await guildhall.register(), await guildhall.register()]
  home = await foundWith(guildhall, ada, brian)
  owner = (await connect(guildhall, ada)).client
  member = (await connect(guildhall, brian)).client
})
afterEach(async () => {
  end()
  for (const release of held.splice(0)) await release()
})

const everything = '?delete_messages=true'
/** More than one batch of a deletion. */
const count = 130

/** Brian writes in a channel, most of it without a request for each. */
async function write(channel: string): Promise<string> {
  const first = await sent(guildhall, brian, channel, 'Mine')
  await guildhall.store.database.pool.query(
    `insert into messages.messages select (m.id + n), m.channel_id, m.guild_id, m.author_id, m.type, m.flags, m.content,
      m.edited_at, m.tts, m.mentions_everyone, m.mentions_here, m.mentions, m.mention_roles, m.reference, m.nonce
    from messages.messages m, generate_series(1, $2) n where m.id = $1`,
    [first, count - 1],
  )
  return first
}

/** An account leaves a private channel, and its messages there go with it. */
async function closeWithMessages({ token, password }: TestAccount, channel: string): Promise<void> {
  bodyOf(await request('DELETE', `/v1/channels/${channel}${everything}`, { token, body: { password } }))
}

/** What a session is told up to a dispatch, of the named ones alone. */
async function toldUpTo(client: Client, t: string, ...names: readonly string[]): Promise<readonly string[]> {
  const told = await client.until((payload) => payload.t === t, t)
  return told.flatMap((payload) => (payload.t !== undefined && [t, ...names].includes(payload.t) ? [payload.t] : []))
}

const bulk = 'MESSAGE_DELETE_BULK'

/**
 * Another writer has drawn the next number of a notice and is slow, until the test ends. Whoever follows the notices waits for it
 * before the next ones.
 */
async function slowWriter(): Promise<void> {
  const writer = await guildhall.store.database.pool.connect()
  await writer.query('begin')
  await writer.query('select messages.next_number()')
  held.push(async () => {
    await writer.query('rollback')
    writer.release()
  })
}

describe('the order of an act', () => {
  it('is that of the text when a member leaves a guild and deletes what it wrote', async () => {
    await write(home.channel)
    await slowWriter()
    bodyOf(await guilds.leave(brian, home.id, everything, { password: brian.password }))
    expect(await toldUpTo(owner, 'GUILD_MEMBER_REMOVE', bulk)).toStrictEqual([bulk, bulk, 'GUILD_MEMBER_REMOVE'])
    expect(await toldUpTo(member, 'GUILD_DELETE', bulk)).toStrictEqual([bulk, bulk, 'GUILD_DELETE'])
  })

  it('is that of the text when a recipient leaves a group and deletes what it wrote', async () => {
    const carol = await guildhall.register()
    await befriend(guildhall, ada, brian)
    await befriend(guildhall, ada, carol)
    const group = await openGroup(guildhall, ada, brian, carol)
    await write(group)
    await slowWriter()
    await closeWithMessages(brian, group)
    expect(await toldUpTo(owner, 'CHANNEL_RECIPIENT_REMOVE', bulk)).toStrictEqual([
      bulk,
      bulk,
      'CHANNEL_RECIPIENT_REMOVE',
    ])
    expect(await toldUpTo(member, 'CHANNEL_DELETE', bulk)).toStrictEqual([bulk, bulk, 'CHANNEL_DELETE'])
  })

  it('is that of the text when the last recipient leaves a group and deletes what it wrote', async () => {
    await befriend(guildhall, ada, brian)
    const group = await openGroup(guildhall, ada, brian)
    await write(group)
    bodyOf(await privateChannelsOn(guildhall).close(ada, group))
    await slowWriter()
    await closeWithMessages(brian, group)
    expect(await toldUpTo(member, 'CHANNEL_DELETE', bulk)).toStrictEqual([bulk, bulk, 'CHANNEL_DELETE'])
  })

  it('is that of the text when an account closes a direct message and deletes what it wrote', async () => {
    await befriend(guildhall, ada, brian)
    const direct = await openDirect(guildhall, brian, ada)
    await write(direct)
    await slowWriter()
    await closeWithMessages(brian, direct)
    expect(await toldUpTo(member, 'CHANNEL_DELETE', bulk)).toStrictEqual([bulk, bulk, 'CHANNEL_DELETE'])
  })

  it('is that of the text when a ban deletes messages: the ban, the end of the membership, the messages', async () => {
    await write(home.channel)
    const body = { delete_message_seconds: 3600 }
    bodyOf(await request('PUT', `/v1/guilds/${home.id}/bans/${brian.id}`, { token: ada.token, body }))
    expect(await toldUpTo(owner, bulk, 'GUILD_BAN_ADD', 'GUILD_MEMBER_REMOVE')).toStrictEqual([
      'GUILD_BAN_ADD',
      'GUILD_MEMBER_REMOVE',
      bulk,
    ])
  })

  it('is the deletion and then its entry in the audit log', async () => {
    const entry = 'GUILD_AUDIT_LOG_ENTRY_CREATE'
    const one = await write(home.channel)
    await slowWriter()
    const { token } = ada
    bodyOf(await request('DELETE', messagesPath(home.channel, one), { token }))
    expect(await toldUpTo(owner, entry, 'MESSAGE_DELETE')).toStrictEqual(['MESSAGE_DELETE', entry])
    const path = `/v1/channels/${home.channel}/messages/bulk-delete`
    bodyOf(await request('POST', path, { token, body: { message_ids: [String(BigInt(one) + 1n)] } }))
    expect(await toldUpTo(owner, entry, bulk)).toStrictEqual([bulk, entry])
  })
})

describe('what was written before an account stops seeing its place', () => {
  it('is told before that to a member of a private thread who leaves it', async () => {
    const { pool } = guildhall.store.database
    const threads = threadsOf(guildhall)
    const thread = await threads.started(ada, home.channel, { type: 12 })
    await threads.join(ada, thread, brian.id)
    // A worker posts that he was added.
    const posted = () => pool.query('select from messages.messages where channel_id = $1', [thread])
    await expect.poll(async () => (await posted()).rowCount).toBe(1)
    const { client } = await connect(guildhall, brian, { flags: 1 << 2 })
    await slowWriter()
    bodyOf(await threads.write(ada, thread))
    bodyOf(await threads.leave(brian, thread))
    const told = await toldUpTo(client, 'THREAD_MEMBERS_UPDATE', 'MESSAGE_CREATE')
    expect(told).toStrictEqual(['MESSAGE_CREATE', 'THREAD_MEMBERS_UPDATE'])
  })

  it('is told before that to a member from whom overwrites hide the channel', async () => {
    await slowWriter()
    await sent(guildhall, ada, home.channel, 'Ours')
    const body = { type: 1, allow: '0', deny: '1024' }
    bodyOf(await request('PUT', `/v1/channels/${home.channel}/permissions/${brian.id}`, { token: ada.token, body }))
    const told = await toldUpTo(member, 'CHANNEL_DELETE', 'MESSAGE_CREATE')
    expect(told).toStrictEqual(['MESSAGE_CREATE', 'CHANNEL_DELETE'])
  })
})
