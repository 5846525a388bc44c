import { afterAll, describe, expect, it } from 'vitest'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import type { TestAccount } from '../../support/test-guildhall.ts'
import { anonymising } from '../support/anonymised.ts'
import { expectRefusal, listOf } from '../support/answers.ts'
import { asBot, newApplication } from '../support/applications.ts'
import { jsonIn, ownArchive } from '../support/archives.ts'
import { connections } from '../support/connected.ts'
import { letEveryone, messagesPath, sent } from '../support/messages.ts'
import { foundWith, openScene } from '../support/scene.ts'
import { threadsOf } from '../support/threads.ts'

const { guildhall, ada, brian, carol, home } = await openScene({})
const { connect, end } = connections()
afterAll(end)
const { anonymise, erased } = anonymising(guildhall)
const threads = threadsOf(guildhall)

type Holder = Pick<TestAccount, 'token'>
const path = '/v1/users/@me/saved-messages'
const save = ({ token }: Holder, channel: string, message: string) =>
  guildhall.request('POST', path, { token, body: { channel_id: channel, message_id: message } })
const list = ({ token }: Holder, query = '') => guildhall.request('GET', `${path}${query}`, { token })
const savedBy = async (account: Holder, query = '') => listOf(await list(account, query))
const drop = ({ token }: Holder, message: string) => guildhall.request('DELETE', `${path}/${message}`, { token })

describe('saved messages', () => {
  it('are listed with the newest first, and told to the own sessions alone, again and again', async () => {
    const [one, two] = [
      await sent(guildhall, ada, home.channel, 'one'),
      await sent(guildhall, ada, home.channel, 'two'),
    ]
    const [{ client }, other] = [await connect(guildhall, brian), await connect(guildhall, ada)]
    for (const id of [two, one, two]) {
      expect(await save(brian, home.channel, id)).toMatchObject({ status: 204, body: undefined })
      const told = await client.dispatch('SAVED_MESSAGE_CREATE')
      expect(told.d).toMatchObject({ id, channel_id: home.channel, author: { id: ada.id } })
    }
    const [first, second] = await savedBy(brian)
    expect(first).toStrictEqual({
      id: two,
      channel_id: home.channel,
      message_id: two,
      status: 'available',
      message: expect.objectContaining({ id: two, content: 'two' }),
    })
    expect(second).toMatchObject({ id: one })
    expect((await savedBy(brian, '?limit=1')).map(({ id }) => id)).toStrictEqual([two])
    for (let again = 0; again < 2; again += 1) {
      expect(await drop(brian, two)).toMatchObject({ status: 204, body: undefined })
      expect((await client.dispatch('SAVED_MESSAGE_DELETE')).d).toStrictEqual({ message_id: two })
    }
    expect((await savedBy(brian)).map(({ id }) => id)).toStrictEqual([one])
    expect(other.client.dispatches.filter(({ t }) => t?.startsWith('SAVED_'))).toStrictEqual([])
  })

  it('lose what they say where the caller may not read them, and go with their message', async () => {
    const place = await foundWith(guildhall, ada, carol)
    const message = await sent(guildhall, ada, place.channel, 'secret soon')
    expect((await save(carol, place.channel, message)).status).toBe(204)
    await letEveryone(guildhall, ada, place, place.channel, { deny: ['VIEW_CHANNEL'] })
    expect(await savedBy(carol)).toStrictEqual([
      { id: message, channel_id: place.channel, message_id: message, status: 'missing_permissions', message: null },
    ])
    await guildhall.request('DELETE', messagesPath(place.channel, message), { token: ada.token })
    expect(await savedBy(carol)).toStrictEqual([])
  })

  it('in threads are told to sessions that know threads', async () => {
    const place = await foundWith(guildhall, ada, brian)
    const thread = await threads.started(ada, place.channel)
    const id = String(((await threads.write(ada, thread, 'in there')).body as { readonly id: string }).id)
    const [knowing, plain] = [await connect(guildhall, brian, { flags: 4 }), await connect(guildhall, brian)]
    expect((await threads.send(brian, 'POST', path, { channel_id: thread, message_id: id })).status).toBe(204)
    expect((await knowing.client.dispatch('SAVED_MESSAGE_CREATE')).d).toMatchObject({ id })
    await drop(brian, id)
    await plain.client.dispatch('SAVED_MESSAGE_DELETE')
    expect(plain.client.dispatches.filter(({ t }) => t === 'SAVED_MESSAGE_CREATE')).toStrictEqual([])
  })

  it('are refused by their number first, then by channel and message, and to bots', async () => {
    const reader = await guildhall.register()
    const place = await foundWith(guildhall, ada, reader)
    const message = await sent(guildhall, ada, place.channel, 'hello')
    const { pool } = guildhall.store.database
    const { ports } = guildhall
    const record = await ports.queries.accounts.find(accountId(snowflake(reader.id)))
    if (!record) throw new Error('The reader is gone')
    const { max_bookmarks: limit } = await ports.limits.ofAccount(record)
    await pool.query(
      'insert into messages.saved_messages select $1, number, $2 from generate_series(1, $3::int8) number',
      [reader.id, place.channel, limit - 2],
    )
    expectRefusal(await save(reader, '1', message), 404, 'UNKNOWN_CHANNEL')
    expectRefusal(await save(reader, place.channel, '1'), 404, 'UNKNOWN_MESSAGE')
    expectRefusal(await save(carol, place.channel, message), 403, 'MISSING_PERMISSIONS')
    const bot = { token: asBot(await newApplication(guildhall, ada)) }
    expectRefusal(await save(bot, place.channel, message), 403, 'ACCESS_DENIED')
    expectRefusal(await list(bot), 403, 'ACCESS_DENIED')
    for (const query of ['limit=0', 'limit=101'])
      expectRefusal(await list(reader, `?${query}`), 400, 'INVALID_FORM_BODY')
    expect((await save(reader, place.channel, message)).status).toBe(204)
    const more = await Promise.all(Array.from({ length: 4 }, () => sent(guildhall, ada, place.channel, 'more')))
    const answers = await Promise.all(more.map((id) => save(reader, place.channel, id)))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toStrictEqual([
      204, 400, 400, 400,
    ])
    for (const [channel, id] of [
      [place.channel, message],
      ['1', '1'],
    ]) {
      const refused = await save(reader, String(channel), String(id))
      expectRefusal(refused, 400, 'MAX_BOOKMARKS')
      expect(refused.body).toMatchObject({ max_bookmarks: limit })
    }
  })

  it('are in the archive of the account, and go when it is erased', async () => {
    const dora = await guildhall.register()
    const place = await foundWith(guildhall, ada, dora)
    const message = await sent(guildhall, ada, place.channel, 'of Ada')
    await save(dora, place.channel, message)
    expect(jsonIn(await ownArchive(guildhall, dora), 'account/saved_messages.json')).toStrictEqual([
      { channel_id: place.channel, message_id: message },
    ])
    await erased(dora)
    const { pool } = guildhall.store.database
    const left = async () =>
      (await pool.query('select from messages.saved_messages where account_id = $1', [dora.id])).rowCount
    expect(await left()).toBe(0)
    await pool.query('insert into messages.saved_messages values ($1, $2, $3)', [dora.id, message, place.channel])
    await anonymise(dora)
    expect(await left()).toBe(0)
  })
})
