import { afterEach, describe, expect, it } from 'vitest'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { accept, bodyOf, expectRefusal, invite, listOf } from '../support/answers.ts'
import { asBot, newApplication } from '../support/applications.ts'
import { connections } from '../support/connected.ts'
import { letEveryone, messagesPath, sent } from '../support/messages.ts'
import { placeOf } from '../support/members.ts'
import { befriend, relationsOn } from '../support/relationships.ts'
import { openScene } from '../support/scene.ts'
import { threadsOf } from '../support/threads.ts'
import { openDirect } from './private-channels/support.ts'

const { guildhall, ada } = await openScene()
const { connect, end } = connections()
afterEach(end)
const threads = threadsOf(guildhall)

const path = '/v1/users/@me/mentions'
const list = ({ token }: Pick<TestAccount, 'token'>, query = '') =>
  guildhall.request('GET', `${path}${query}`, { token })
const idsOf = async (account: TestAccount, query = '') => listOf(await list(account, query)).map(({ id }) => id)
const drop = ({ token }: TestAccount, id: string) => guildhall.request('DELETE', `${path}/${id}`, { token })
const dropAll = ({ token }: Pick<TestAccount, 'token'>, ids: readonly string[]) =>
  guildhall.request('POST', `${path}/read`, { token, body: { message_ids: ids } })

/** Ada's guild with a reader who holds a role, and what mentions the reader there: directly, by the role, everyone, and all three. */
async function mentioned() {
  const home = await placeOf(guildhall, ada)
  const reader = await home.member()
  const role = await home.role()
  await home.give(reader, role)
  const say = (content: string) => sent(guildhall, ada, home.channel, content)
  const direct = await say(`<@${reader.id}>`)
  const byRole = await say(`<@&${role}>`)
  await say('nobody')
  const everyone = await say('@everyone')
  const all = await say(`<@${reader.id}> <@&${role}> @everyone`)
  return { home, reader, role, say, direct, byRole, everyone, all }
}

describe('List recent mentions', () => {
  it('gives the messages that mention the caller, the newest first, in pages, by what mentions it', async () => {
    const { reader, direct, byRole, everyone, all } = await mentioned()
    const found = listOf(await list(reader))
    expect(found.map(({ id }) => id)).toStrictEqual([all, everyone, byRole, direct])
    expect(found[3]).toMatchObject({ content: `<@${reader.id}>`, author: { id: ada.id } })
    expect(await idsOf(reader, '?limit=2')).toStrictEqual([all, everyone])
    expect(await idsOf(reader, `?before=${everyone}&limit=1`)).toStrictEqual([byRole])
    expect(await idsOf(reader, '?roles=false')).toStrictEqual([everyone, direct])
    expect(await idsOf(reader, '?everyone=0')).toStrictEqual([byRole, direct])
    expect(await idsOf(reader, '?everyone=no&roles=no')).toStrictEqual([direct])
    expect(await idsOf(reader, '?everyone=1&roles=True&guilds=true')).toHaveLength(4)
    expect(await idsOf(reader, '?guilds=false')).toStrictEqual([])
    expect(await idsOf(ada)).toStrictEqual([])
    for (const query of ['limit=0', 'limit=101', 'before=x'])
      expectRefusal(await list(reader, `?${query}`), 400, 'INVALID_FORM_BODY')
    const bot = { token: asBot(await newApplication(guildhall, ada)) }
    expectRefusal(await list(bot), 403, 'ACCESS_DENIED')
    expectRefusal(await dropAll(bot, ['1']), 403, 'ACCESS_DENIED')
  })

  it('leaves out what the caller wants no mentions by, whom it blocks, and private channels', async () => {
    const { home, reader, direct, byRole, everyone, all } = await mentioned()
    const settings = (body: object) =>
      guildhall.request('PATCH', `/v1/users/@me/guilds/${home.id}/settings`, { token: reader.token, body })
    bodyOf(await settings({ suppress_everyone: true }))
    expect(await idsOf(reader)).toStrictEqual([all, byRole, direct])
    bodyOf(await settings({ suppress_roles: true }))
    expect(await idsOf(reader)).toStrictEqual([all, direct])
    expect(await idsOf(reader, '?limit=2&roles=false&everyone=false')).toStrictEqual([all, direct])
    bodyOf(await settings({ suppress_everyone: false, suppress_roles: false }))
    expect(await idsOf(reader, '?limit=3')).toStrictEqual([all, everyone, byRole])
    const other = await home.member()
    await befriend(guildhall, other, reader)
    await sent(guildhall, other, await openDirect(guildhall, other, reader), `<@${reader.id}>`)
    const fromOther = await sent(guildhall, other, home.channel, `<@${reader.id}>`)
    expect(await idsOf(reader, '?limit=1')).toStrictEqual([fromOther])
    bodyOf(await relationsOn(guildhall).block(reader, other))
    expect(await idsOf(reader, '?limit=1')).toStrictEqual([all])
  })

  it('leaves out, but keeps, what is out of sight, and forgets what is deleted', async () => {
    const { home, reader, direct, byRole, everyone, all, say } = await mentioned()
    await letEveryone(guildhall, ada, home, home.channel, { deny: ['VIEW_CHANNEL'] })
    expect(await idsOf(reader)).toStrictEqual([])
    await letEveryone(guildhall, ada, home, home.channel, { allow: ['VIEW_CHANNEL'], deny: ['READ_MESSAGE_HISTORY'] })
    expect(await idsOf(reader)).toStrictEqual([])
    await letEveryone(guildhall, ada, home, home.channel, { allow: ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY'] })
    await guildhall.request('DELETE', messagesPath(home.channel, everyone), { token: ada.token })
    expect(await idsOf(reader)).toStrictEqual([all, byRole, direct])
    const thread = await threads.started(ada, home.channel, { type: 12 })
    await threads.write(ada, thread, `<@${reader.id}>`)
    expect(listOf(await threads.send(reader, 'GET', path))).toHaveLength(3)
    await threads.join(ada, thread, reader.id)
    expect(listOf(await threads.send(reader, 'GET', path))).toHaveLength(4)
    expect(await idsOf(reader)).toHaveLength(3)
    const late = await guildhall.register()
    await say(`<@${late.id}>`)
    await accept(guildhall, late, await invite(guildhall, ada, home.channel))
    expect(await idsOf(late)).toStrictEqual([])
  })
})

describe('Delete recent mentions', () => {
  it('takes out those that are there, for the caller alone, and tells each to its sessions', async () => {
    const { home, reader, direct, byRole, everyone, all } = await mentioned()
    const other = await home.member()
    const [{ client }, watching] = [await connect(guildhall, reader), await connect(guildhall, ada)]
    expect(await drop(reader, direct)).toMatchObject({ status: 204, body: undefined })
    expect((await client.dispatch('RECENT_MENTION_DELETE')).d).toStrictEqual({ message_id: direct })
    expect((await drop(reader, direct)).status).toBe(204)
    expect((await dropAll(reader, [direct, '1', all, byRole, all])).status).toBe(204)
    const told = [await client.dispatch('RECENT_MENTION_DELETE'), await client.dispatch('RECENT_MENTION_DELETE')]
    expect(told.map(({ d }) => d['message_id'])).toStrictEqual([byRole, all])
    expect(await idsOf(reader)).toStrictEqual([everyone])
    const last = await sent(guildhall, ada, home.channel, `@everyone <@${other.id}>`)
    expect((await dropAll(reader, [last])).status).toBe(204)
    await client.until(({ t, d }) => t === 'RECENT_MENTION_DELETE' && d['message_id'] === last, 'the last')
    expect(client.dispatches.filter(({ t }) => t === 'RECENT_MENTION_DELETE')).toHaveLength(4)
    expect(watching.client.dispatches.filter(({ t }) => t === 'RECENT_MENTION_DELETE')).toStrictEqual([])
    expect(await idsOf(other)).toStrictEqual([last])
    for (const ids of [[], Array.from({ length: 101 }, () => '1')])
      expectRefusal(await dropAll(reader, ids), 400, 'INVALID_FORM_BODY')
    await guildhall.request('DELETE', messagesPath(home.channel, last), { token: ada.token })
    const { rows } = await guildhall.store.database.pool.query(
      'select from messages.dismissed_mentions where message_id = $1',
      [last],
    )
    expect(rows).toStrictEqual([])
  })
})
