import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { jobQueue } from '../../../adapters/jobs/job-queue.ts'
import { openOutbox, shownMails_max, waiting_max, mailKey_days } from '../../../adapters/mail/outbox.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { about, adaId, closeLater, eventually, mailTest, resetLetter } from './support.ts'

const content = { to: 'ada@example.com', subject: 'A subject', text: 'CANARY\n' }

describe('without a mail server, mails', () => {
  it('are kept, sealed, for the operator to read, the newest first', async () => {
    const test = await mailTest()
    const mail = await test.keeper()
    expect(mail.canSend).toBe(false)
    const letter = resetLetter({ values: { username: 'ada', token: 'CANARY' } })
    await mail.send(letter)
    await mail.send(letter)
    await mail.send(resetLetter({ to: 'eve@example.com' }))
    const shown = await test.outbox.shown()
    expect(shown.map(({ to, state }) => ({ to, state }))).toEqual([
      { to: 'eve@example.com', state: 'kept' },
      { to: 'ada@example.com', state: 'kept' },
    ])
    expect(shown[1]?.text).toContain('https://chat.example.com/reset#token=CANARY\n')
    const bytes = await test.allBytes()
    for (const secret of ['CANARY', 'ada', 'eve', 'example.com', 'password', 'Forgot'])
      expect(bytes).not.toContain(secret)
  })
  it('stay kept when there is a mail server later: they are out of date', async () => {
    const test = await mailTest()
    await (await test.keeper()).send(resetLetter())
    await (await test.process()).send(resetLetter({ to: 'eve@example.com' }))
    await test.server.mailTo('eve@example.com')
    await eventually(async () => expect((await test.rows()).map(({ state }) => state)).toEqual(['kept', 'done']))
    expect(test.server.attempts).toBe(1)
  })
  it('are kept up to a bound, the newest; of the others their keys stay known', async () => {
    const { outbox, rows } = await mailTest()
    for (let first = 0; first < shownMails_max + 5; first += 5) {
      await Promise.all(
        Array.from({ length: 5 }, (_, index) => outbox.add(about(`key ${first + index}`), content, 'kept')),
      )
    }
    expect(await outbox.shown()).toHaveLength(shownMails_max)
    const known = await rows()
    expect(known).toHaveLength(shownMails_max + 5)
    expect(known.slice(0, 5)).toMatchObject(Array.from({ length: 5 }, () => ({ state: 'done', sealed: null })))
    await Promise.all(known.slice(0, 5).map((_, index) => outbox.add(about(`key ${index}`), content, 'kept')))
    expect(await rows()).toHaveLength(shownMails_max + 5)
  })
  it('are kept up to it also where very many come at once', async () => {
    const { outbox, database } = await mailTest()
    await database.pool.query(
      `insert into mail.outbox (key, state, sealed) select int4send(n), 'kept', '' from generate_series(1, $1) n`,
      [shownMails_max + 500],
    )
    await Promise.all(Array.from({ length: 100 }, (_, index) => outbox.add(about(`key ${index}`), content, 'kept')))
    await outbox.add(about('the last one'), content, 'kept')
    const { rows: kept } = await database.pool.query("select id from mail.outbox where state = 'kept'")
    expect(kept).toHaveLength(shownMails_max)
  })
})

describe('the outbox', () => {
  it('refuses more than a number of mails that wait, until some are sent', async () => {
    const { outbox, database } = await mailTest()
    await outbox.add(about('known'), content, 'waiting')
    await database.pool.query(
      `insert into mail.outbox (key, state, sealed) select int4send(n), 'waiting', '' from generate_series(2, $1) n`,
      [waiting_max],
    )
    await expect(outbox.add(about('one more'), content, 'waiting')).rejects.toThrow(Unavailable)
    await outbox.add(about('known'), content, 'waiting')
    await database.pool.query(`update mail.outbox set state = 'done', sealed = null where key = int4send(2)`)
    await outbox.add(about('one more'), content, 'waiting')
  })
  it('gives a mail to one at a time, and again where nothing is heard of it', async () => {
    const { outbox, database } = await mailTest()
    await outbox.add(about('one'), content, 'waiting')
    const both = await Promise.all([outbox.take('1'), outbox.take('1')])
    const [first, ...others] = both.filter((mail) => mail !== undefined)
    expect(others).toEqual([])
    expect(first).toMatchObject({ ...content, id: '1', tries: 1 })
    expect(await outbox.take('1')).toBeUndefined()
    await database.pool.query(`update mail.outbox set due_at = due_at - interval '91 seconds'`)
    expect(await outbox.take('1')).toEqual({ ...first, tries: 2 })
    await outbox.sent('1')
    // The first one is too late, and changes nothing.
    await outbox.retry({ id: '1', tries: 1 }, 0, 'late')
    expect(await outbox.take('1')).toBeUndefined()
  })
  it('takes a mail and the job that sends it together, or neither', async () => {
    const { database, rows, connection } = await mailTest()
    const outbox = openOutbox(database, randomBytes(32), jobQueue)
    const jobs = async () => (await database.pool.query('select key from job_queue.jobs')).rows
    await outbox.add(about('one'), content, 'waiting')
    await outbox.add(about('one'), content, 'waiting')
    await outbox.add(about('two'), content, 'kept')
    expect(await jobs()).toEqual([{ key: 'mail 1 after 0' }])
    const single = openDatabase({ ...connection }, { connections_max: 1 })
    closeLater(() => single.close())
    const failing = openOutbox(single, randomBytes(32), () => ({
      add: () => Promise.reject(new Error('no queue')),
    }))
    await expect(failing.add(about('three'), content, 'waiting')).rejects.toThrow('no queue')
    expect(await rows()).toHaveLength(2)
    // The connection can be used again.
    await failing.add(about('four'), content, 'kept')
    expect(await rows()).toHaveLength(3)
  })
  it('forgets the keys of mails that are done after their days, and nothing else', async () => {
    const { outbox, database, rows } = await mailTest()
    for (const key of ['old', 'young', 'kept', 'waiting']) {
      await outbox.add(about(key), content, key === 'kept' ? 'kept' : 'waiting')
    }
    const [old, young] = await rows()
    for (const row of [old, young]) await outbox.sent(String(row?.['id']))
    await database.pool.query(`update mail.outbox set created_at = now() - make_interval(days => $1) where id <> $2`, [
      mailKey_days,
      young?.['id'],
    ])
    await outbox.sweep()
    expect((await rows()).map(({ state }) => state)).toEqual(['done', 'kept', 'waiting'])
  })
  it('forgets what mails about an account say, waiting, kept and parked ones, and never sends them; their keys stay', async () => {
    const { outbox, rows } = await mailTest()
    await outbox.add(about('waiting'), content, 'waiting')
    await outbox.add(about('kept'), content, 'kept')
    await outbox.add(about('parked'), content, 'waiting')
    const parked = (await rows())[2]
    await outbox.park(String(parked?.['id']), 'EENVELOPE 550')
    await outbox.add({ ...about('other'), accountId: accountId(snowflake('2')) }, content, 'kept')
    await outbox.forget(adaId)
    const empty = { state: 'done', sealed: null, failure: 'forgotten' }
    expect(await rows()).toMatchObject([empty, empty, empty, { state: 'kept' }])
    expect(await outbox.take('1')).toBeUndefined()
    await outbox.add(about('waiting'), content, 'waiting')
    expect(await rows()).toHaveLength(4)
  })
  it('does not open a mail that was moved to another row', async () => {
    const { outbox, database } = await mailTest()
    await outbox.add(about('one'), content, 'kept')
    await outbox.add(about('two'), content, 'kept')
    await database.pool.query(`update mail.outbox m set sealed = o.sealed from mail.outbox o where o.id <> m.id`)
    await expect(outbox.shown()).rejects.toThrow('unable to authenticate')
  })
})

describe('a letter', () => {
  it.each([
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com, eve@example.com',
    'Ada <ada@example.com>',
    'ada@example.com>\r\nRCPT TO:<eve@example.com',
    '"eve@example.com,"@example.com',
    'ada',
    '',
  ])('goes to one address and nothing else: %j is refused', async (to) => {
    const test = await mailTest()
    const mail = await test.process()
    await expect(mail.send(resetLetter({ to }))).rejects.toThrow('goes to no single address')
    expect(await test.rows()).toEqual([])
  })
  it('is known by the request that led to it, with what became of it, until its key is forgotten', async () => {
    const { outbox, rows } = await mailTest()
    const states = ['waiting', 'kept', 'parked', 'sent', 'deleted']
    for (const key of states) await outbox.add(about(key), content, key === 'kept' ? 'kept' : 'waiting')
    await outbox.add({ ...about('other'), cause: { correlationId: 'other', causationId: 'other' } }, content, 'waiting')
    await outbox.add({ ...about('later'), accountId: accountId(snowflake('2')) }, content, 'waiting')
    const ids = (await rows()).map(({ id }) => String(id))
    await outbox.park(ids[2] ?? '', '550')
    await outbox.sent(ids[3] ?? '')
    expect((await outbox.ofRequest('request', 10)).map(({ state }) => state)).toEqual([
      'waiting',
      'kept',
      'parked',
      'sent',
      'waiting',
      'waiting',
    ])
    await outbox.forget(adaId)
    const mails = await outbox.ofRequest('request', 10)
    expect(mails.map(({ state }) => state)).toEqual(['deleted', 'deleted', 'deleted', 'sent', 'deleted', 'waiting'])
    expect(mails[5]).toMatchObject({ causationId: 'command', template: 'password_reset', accountId: '2' })
    expect(mails[0]).toMatchObject({ template: null })
    expect(await outbox.ofRequest('request', 2)).toHaveLength(2)
    expect(await outbox.ofRequest('nothing', 10)).toEqual([])
  })
  it('has no header, recipient or line that a value brings along', async () => {
    const test = await mailTest()
    const mail = await test.process()
    const injected = 'x\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>\u2028second\u0000line\u202e'
    const values = { username: injected, ip: injected, userAgent: injected, token: injected }
    await mail.send({
      ...about(injected),
      to: 'ada@example.com',
      template: 'ip_authorization',
      values,
      locale: 'en-US',
    })
    const received = await test.server.mailTo('ada@example.com')
    expect(received.to).toEqual(['ada@example.com'])
    const headers = 'auto-submitted content-transfer-encoding content-type date from message-id mime-version subject to'
    expect([...received.headers.keys()].toSorted().join(' ')).toBe(headers)
    expect(received.text).toContain(
      'Their device calls itself: x Bcc: eve@example.com . MAIL FROM:<eve@example.com> second line\n\n',
    )
    expect(received.text).not.toMatch(/^(?:Bcc|\.|MAIL)/m)
    expect(test.server.received).toHaveLength(1)
  })
})
