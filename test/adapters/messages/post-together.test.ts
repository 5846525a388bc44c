import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openMessages, type OpenMessages } from '../../../adapters/messages/open-messages.ts'
import { openDatabase, type PostgresDatabase } from '../../../adapters/postgres/database.ts'
import type { Message, MessageNotice } from '../../../application/ports/messages.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { at, bob, general, id, message, nextNotices, other, audience } from '../../contract/messages-fixtures.ts'
import { accountId, roleId, type MessageId } from '../../../domain/ids/ids.ts'
import { heldPosition } from '../../support/held-position.ts'
import { startPostgresGate, type PostgresGate } from '../../support/postgres-gate.ts'
import { hearStatements } from '../../support/statements.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'

let test: TestDatabase
let gate: PostgresGate
let database: PostgresDatabase
let opened: OpenMessages
let errors: unknown[]

beforeEach(async () => {
  test = await laidDatabase()
  gate = await startPostgresGate(test.connection)
  database = openDatabase(gate.connection, { answer_ms_max: 10_000 })
  errors = []
  opened = openMessages({
    database,
    heldPosition,
    notifier: test.notifier,
    isAlone: true,
    onError: (error) => errors.push(error),
  })
  // The part of the month is there, and a connection is open.
  await post(moment(0))
})
afterEach(async () => {
  await opened.close()
  await database.close()
  await gate.close()
  await test.close()
})

/** All in the same month. */
const moment = (second: number) => at(100 + second)
const post = (of: MessageId, more: Partial<Message> = {}) =>
  opened.messages.post({ message: message(of, more), audience: audience({ channelId: more.channelId ?? general }) })
const once = (of: MessageId, channelId = general) =>
  opened.messages.post({ message: message(of, { channelId }), audience: audience({ channelId }), once_ms: 60_000 })
const seconds = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
const stored = async (channel = general) =>
  (await opened.messages.page(channel, { limit: 100 })).map((each) => each.id).toReversed()

const createdBy = (notice: MessageNotice) => (notice.kind === 'created' ? notice.messageId : undefined)

describe('messages that arrive together', () => {
  it('are written with a few statements, a notice each, in the order in which they came', async () => {
    const wanted = seconds(1, 60).map((second) => ({
      of: moment(second),
      channelId: second % 3 === 0 ? other : general,
    }))
    const written: string[] = []
    const stop = hearStatements((statement, on) => {
      if (on === test.connection.database && statement.includes('insert into messages.messages'))
        written.push(statement)
    })
    const answers = await Promise.all(wanted.map(({ of, channelId }) => post(of, { channelId })))
    stop()
    expect(answers.map(({ outcome }) => outcome)).toStrictEqual(wanted.map(() => 'posted'))
    expect(written.length).toBeLessThan(10)
    const heard = await nextNotices(opened.notices, 1n, wanted.length)
    expect(heard.map((notice) => ({ of: createdBy(notice), channelId: notice.channelId }))).toStrictEqual(wanted)
    expect(await stored(other)).toStrictEqual(wanted.filter(({ channelId }) => channelId === other).map(({ of }) => of))
  })

  it('are stored and told as each would be alone', async () => {
    const rich: Partial<Message> = {
      authorId: bob,
      flags: 4096,
      content: 'quoted "text" with \\ and \n and 🦩',
      tts: true,
      mentionsEveryone: true,
      mentions: [accountId(id(5)), accountId(id(6))],
      mentionRoles: [roleId(id(7))],
      reference: { channelId: other, messageId: moment(0), guildId: null },
    }
    await post(moment(1), rich)
    await Promise.all([
      post(moment(2), rich),
      post(moment(3), rich),
      post(moment(4), rich),
      post(moment(5), { guildId: null }),
    ])
    const [alone, ...together] = (await opened.messages.page(general, { limit: 100 })).toReversed().slice(1)
    expect(together).toHaveLength(4)
    for (const each of together.slice(0, 3)) expect(each).toStrictEqual({ ...alone, id: each.id })
    expect(together[3]).toMatchObject({ guildId: null, mentions: [], reference: null, content: `message ${moment(5)}` })
    const [first, ...others] = await nextNotices(opened.notices, 1n, 4)
    for (const notice of others.slice(0, 3))
      expect(notice).toStrictEqual({ ...first, messageId: createdBy(notice), number: notice.number })
  })

  it('are written once for each step that posts them again and again, beside others', async () => {
    const written: string[] = []
    const stop = hearStatements((statement, on) => {
      if (on === test.connection.database && statement.includes('insert into messages.messages'))
        written.push(statement)
    })
    const answers = await Promise.all(
      seconds(1, 20).flatMap((second) => [once(moment(second)), post(moment(100 + second)), once(moment(second))]),
    )
    stop()
    expect(answers.map(({ outcome }) => outcome)).toStrictEqual(
      seconds(1, 20).flatMap(() => ['posted', 'posted', 'repeated']),
    )
    // One for the first, one or two for all the others, and one for each that is repeated.
    expect(written.length).toBeLessThan(25)
    await Promise.all(seconds(1, 20).map((second) => once(moment(second))))
    await post(moment(300))
    const told = seconds(1, 20).flatMap((second) => [moment(second), moment(100 + second)])
    const heard = await nextNotices(opened.notices, 1n, told.length + 1)
    expect(heard.map(createdBy)).toStrictEqual([...told, moment(300)])
  })

  it('are not posted again by a step once they were deleted', async () => {
    await Promise.all(seconds(1, 4).map((second) => once(moment(second))))
    await opened.messages.remove([moment(2)], { ...audience(), bulk: false })
    const answers = await Promise.all(seconds(1, 4).map((second) => once(moment(second))))
    expect(answers.map(({ outcome }) => outcome)).toStrictEqual(['repeated', 'gone', 'repeated', 'repeated'])
    expect(await stored()).toStrictEqual([moment(0), moment(1), moment(3), moment(4)])
  })

  it('of steps that two processes repeat at once, in opposite orders, are posted once', async () => {
    const beside = openMessages({
      database,
      heldPosition,
      notifier: test.notifier,
      isAlone: false,
      onError: (error) => errors.push(error),
    })
    const repeatedly = seconds(1, 200).map(moment)
    const posting = (of: MessageId) => ({ message: message(of), audience: audience(), once_ms: 60_000 })
    const answers = await Promise.all([
      ...repeatedly.map((of) => once(of)),
      ...repeatedly.toReversed().map((of) => beside.messages.post(posting(of))),
    ])
    expect(answers.filter(({ outcome }) => outcome === 'posted')).toHaveLength(repeatedly.length)
    await beside.close()
    await post(moment(300))
    const heard = (await nextNotices(opened.notices, 1n, repeatedly.length + 1)).map(createdBy)
    expect(new Set(heard)).toStrictEqual(new Set([...repeatedly, moment(300)]))
    expect(heard).toHaveLength(repeatedly.length + 1)
    expect(errors).toStrictEqual([])
  })

  it('tell who repeats one that it was posted before, and are written nevertheless', async () => {
    await post(moment(3))
    const answers = await Promise.all(seconds(1, 6).map((second) => post(moment(second))))
    expect(answers.map(({ outcome }) => outcome)).toStrictEqual([
      'posted',
      'posted',
      'repeated',
      'posted',
      'posted',
      'posted',
    ])
    expect(await stored()).toStrictEqual(seconds(0, 7).map((second) => moment(second)))
    expect(await nextNotices(opened.notices, 0n, 7)).toHaveLength(7)
  })

  it('do not suffer from one that Postgres refuses: it alone is told', async () => {
    const answers = await Promise.allSettled(
      seconds(1, 6).map((second) => post(moment(second), second === 4 ? { content: 'a\u0000b' } : {})),
    )
    expect(answers.map(({ status }) => status)).toStrictEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
    expect(await stored()).toStrictEqual([0, 1, 2, 3, 5, 6].map((second) => moment(second)))
  })

  it('find the part of their month gone, and make it again', async () => {
    const [part] = (
      await test.database.pool.query(
        "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'messages.messages'::regclass",
      )
    ).rows as { name: string }[]
    await test.database.pool.query(`drop table ${part?.name ?? ''}`)
    const answers = await Promise.all(seconds(1, 6).map((second) => post(moment(second))))
    expect(answers.every(({ outcome }) => outcome === 'posted')).toBe(true)
    expect(await stored()).toStrictEqual(seconds(1, 6).map((second) => moment(second)))
  })

  it('are unavailable where Postgres is away, and later ones are written', async () => {
    await gate.shut()
    const answers = await Promise.allSettled(seconds(1, 6).map((second) => post(moment(second))))
    for (const answer of answers) expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) })
    await gate.open()
    await expect
      .poll(() =>
        post(moment(10)).then(
          ({ outcome }) => outcome,
          () => 'unavailable',
        ),
      )
      .toBe('posted')
    expect(await stored()).toStrictEqual([moment(0), moment(10)])
  })
})
