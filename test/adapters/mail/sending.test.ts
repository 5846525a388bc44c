import { describe, expect, it } from 'vitest'
import { jobsAtOnce } from '../../../adapters/jobs/start-worker.ts'
import { tries_max } from '../../../adapters/mail/send-mail.ts'
import type { MailSendingSettings } from '../../../process/mail-sending.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { about, closeLater, eventually, mailTest, resetLetter } from './support.ts'

const ada = 'ada@example.com'

describe('a mail', () => {
  it('arrives with its text, from MAIL_FROM, marked as sent by a machine', async () => {
    const test = await mailTest()
    const mail = await test.process()
    expect(mail.canSend).toBe(true)
    await mail.send(resetLetter({ locale: 'de', values: { username: 'ädä', token: 'abc' } }))
    const received = await test.server.mailTo(ada)
    expect(received).toMatchObject({
      from: 'chat@example.com',
      to: [ada],
      subject: 'Setze dein Passwort für guildhall zurück',
    })
    expect(received.text).toContain('Hallo ädä,\n\njemand')
    expect(received.text).toContain('\n\nhttps://chat.example.com/reset#token=abc\n\n')
    expect(received.headers.get('from')).toEqual(['Chat <chat@example.com>'])
    expect(received.headers.get('to')).toEqual([ada])
    expect(received.headers.get('auto-submitted')).toEqual(['auto-generated'])
    // RFC 5322, 3.3.
    expect(received.headers.get('date')).toEqual([
      expect.stringMatching(/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/),
    ])
    expect(received.headers.get('message-id')?.[0]).toMatch(/^<[\da-f]{32}@example\.com>$/)
    expect(test.undelivered).toEqual([])
  })
  it('is sent once for a key, however often and by however many processes it is handed over', async () => {
    const test = await mailTest()
    const processes = [await test.process(), await test.process()]
    const letter = resetLetter()
    await Promise.all([...processes, ...processes].map((mail) => mail.send(letter)))
    await test.server.mailTo(ada)
    await processes[0]?.send({ ...letter, to: 'eve@example.com' })
    await processes[0]?.send(resetLetter({ to: 'last@example.com' }))
    await test.server.mailTo('last@example.com')
    expect(test.server.received.map(({ to }) => to[0])).toEqual([ada, 'last@example.com'])
  })
  it('is sent by one of several processes, and no more of them at once than those may', async () => {
    const test = await mailTest()
    const mail = await test.process()
    await test.process()
    test.server.stall(true)
    const recipients = Array.from({ length: 20 }, (_, index) => `user${index}@example.com`)
    await Promise.all(recipients.map((to) => mail.send(resetLetter({ to }))))
    await eventually(() => expect(test.server.atOnce).toBe(2 * jobsAtOnce))
    test.server.stall(false)
    await Promise.all(recipients.map((to) => test.server.mailTo(to)))
    expect(test.server.atOnce).toBe(2 * jobsAtOnce)
    expect(test.server.received).toHaveLength(recipients.length)
  })
  it('that was handed over is sent after a restart', async () => {
    const test = await mailTest()
    const server = await startMailServer()
    await server.close()
    const first = await test.process({}, { url: server.url })
    await first.send(resetLetter())
    await eventually(() => expect(test.undelivered.length).toBeGreaterThan(0))
    expect(test.undelivered[0]).toMatchObject({ tries: 1, parked: false, reason: expect.stringMatching(/^E/) })
    await first.close()
    await test.process()
    expect((await test.server.mailTo(ada)).text).toContain('CANARY')
  })
  it('goes through no connection in the clear where the mail server wants a password, unless the operator says so', async () => {
    const test = await mailTest()
    const url = test.server.url.replace('//', '//user:CANARY@')
    const mail = await test.process({}, { url })
    await mail.send(resetLetter())
    await eventually(() => expect(test.undelivered.length).toBeGreaterThan(0))
    expect(test.undelivered[0]?.reason).toMatch(/^ETLS/)
    expect(test.server.attempts).toBe(0)
    await mail.close()
    await test.process({}, { url: `${url}/?requireTLS=false` })
    await test.server.mailTo(ada)
  })
  it('that has no job is found once it is overdue, and sent', async () => {
    const test = await mailTest()
    const content = { to: ada, subject: 'A subject', text: 'CANARY\n' }
    for (const key of ['overdue', 'not yet']) await test.outbox.add(about(key), content, 'waiting')
    await test.database.pool.query("update mail.outbox set due_at = now() - interval '61 seconds' where id = 1")
    await test.process({ timing: { overdue_ms: 50 } })
    await test.server.mailTo(ada)
    await eventually(async () => expect(await test.rows()).toMatchObject([{ state: 'done' }, { state: 'waiting' }]))
    expect(test.server.received).toHaveLength(1)
  })
  it('leaves nothing of its text once it is sent', async () => {
    const test = await mailTest()
    const mail = await test.process()
    await mail.send(resetLetter())
    await test.server.mailTo(ada)
    await eventually(async () => expect(await test.rows()).toMatchObject([{ state: 'done', sealed: null }]))
  })
})

describe('a mail that the server does not take', () => {
  it('now (451) is tried again, with the same Message-ID, until the server takes it', async () => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.refuse('message', 451)
    test.server.refuse('recipient', 450)
    await mail.send(resetLetter())
    const received = await test.server.mailTo(ada)
    expect(test.server.attempts).toBe(3)
    expect(test.undelivered).toMatchObject([
      { tries: 1, parked: false, reason: 'EENVELOPE 450' },
      { tries: 2, parked: false, reason: 'EMESSAGE 451' },
    ])
    const [{ key } = { key: undefined }] = await test.rows()
    expect(received.headers.get('message-id')?.[0]).toContain(Buffer.from(key as Uint8Array).toString('hex', 0, 16))
  })
  it('in time is tried again with the same Message-ID, for it may have arrived', async () => {
    const test = await mailTest()
    const mail = await test.process({}, { delivery_ms_max: 300 })
    test.server.stall(true)
    await mail.send(resetLetter())
    await eventually(() => expect(test.undelivered.length).toBeGreaterThan(0))
    test.server.stall(false)
    const first = await test.server.mailTo(ada, 1)
    await eventually(async () => expect(await test.rows()).toMatchObject([{ state: 'done' }]))
    const ids = test.server.received.map(({ headers }) => headers.get('message-id')?.[0])
    expect(ids.length).toBeGreaterThan(1)
    expect(new Set(ids)).toEqual(new Set(first.headers.get('message-id')))
    expect(test.undelivered[0]).toMatchObject({ tries: 1, parked: false })
  })
  it.each(['recipient', 'message'] as const)('for good (550 for its %s) is parked for the operator', async (stage) => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.refuse(stage, 550)
    const letter = resetLetter()
    await mail.send(letter)
    await eventually(() => expect(test.undelivered).toHaveLength(1))
    const reason = `${stage === 'recipient' ? 'EENVELOPE' : 'EMESSAGE'} 550`
    expect(test.undelivered).toEqual([{ mail: expect.any(String), tries: 1, parked: true, reason }])
    expect(await test.outbox.shown()).toMatchObject([{ to: ada, state: 'parked', failure: reason }])
    // Its key stays known, and the next letter is sent.
    await mail.send(letter)
    await mail.send(resetLetter({ to: 'next@example.com' }))
    await test.server.mailTo('next@example.com')
    expect(test.server.attempts).toBe(2)
  })
  it('for good because of its recipient alone tells of the address, again where that fails, before it is parked', async () => {
    const test = await mailTest()
    const told: unknown[] = []
    const { cause } = about('any')
    const refused = [ada, cause]
    const onRefusedRecipient: MailSendingSettings['onRefusedRecipient'] = async (address, cause) => {
      told.push([address, cause])
      if (told.length === 1) throw new Error('nobody listens')
    }
    const mail = await test.process({ onRefusedRecipient })
    test.server.refuse('recipient', 550)
    await mail.send(resetLetter())
    await eventually(() => expect(test.errors).toHaveLength(1))
    expect(await test.rows()).toMatchObject([{ state: 'waiting' }])
    test.server.refuse('recipient', 550)
    await eventually(async () => expect(await test.rows()).toMatchObject([{ state: 'parked' }]))
    expect(told).toEqual([refused, refused])
    test.server.refuse('message', 550)
    await mail.send(resetLetter())
    await eventually(async () => expect(await test.rows()).toMatchObject([{ state: 'parked' }, { state: 'parked' }]))
    test.server.refuse('recipient', 450)
    await mail.send(resetLetter({ to: 'eve@example.com' }))
    await test.server.mailTo('eve@example.com')
    expect(told).toEqual([refused, refused])
  })
  it('because of MAIL_FROM (550) is tried again: the operator can mend that', async () => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.refuse('sender', 550, 553)
    await mail.send(resetLetter())
    await test.server.mailTo(ada)
    expect(test.undelivered.map(({ parked }) => parked)).toEqual([false, false])
  })
  it('after the last try is parked', async () => {
    const test = await mailTest()
    const first = await test.process({ firstRetry_ms: 600_000 })
    test.server.refuse('message', 451, 451)
    await first.send(resetLetter())
    await eventually(async () => expect(await test.rows()).toMatchObject([{ failure: 'EMESSAGE 451', tries: 1 }]))
    await test.database.pool.query('update mail.outbox set tries = $1, due_at = now()', [tries_max - 1])
    await test.database.pool.query('update job_queue._private_jobs set run_at = now()')
    await eventually(() => expect(test.undelivered.at(-1)).toMatchObject({ tries: tries_max, parked: true }))
    expect(await test.outbox.shown()).toMatchObject([{ to: ada, state: 'parked' }])
  })
  it('is reported without its address and its text, and neither stands in the tables', async () => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.refuse('recipient', 550)
    await mail.send(resetLetter({ key: 'reset of ada@example.com CANARY' }))
    await eventually(() => expect(test.undelivered).toHaveLength(1))
    test.server.refuse('message', 451, 451)
    await mail.send(resetLetter({ to: 'eve@example.com' }))
    await test.server.mailTo('eve@example.com')
    const told = JSON.stringify([test.undelivered, test.errors]) + (await test.allBytes())
    expect(test.undelivered).toHaveLength(3)
    expect(told).toContain('550')
    for (const secret of ['CANARY', 'ada', 'example.com', 'password']) expect(told).not.toContain(secret)
  })
})

describe('closing', () => {
  it('waits for the mail that is being sent', async () => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.stall(true)
    await mail.send(resetLetter())
    await eventually(() => expect(test.server.atOnce).toBe(1))
    const closed = mail.close()
    test.server.stall(false)
    await closed
    expect(await test.rows()).toMatchObject([{ state: 'done' }])
  })
  it('breaks off what takes too long, which is then tried again', async () => {
    const test = await mailTest()
    const mail = await test.process({ closing_ms_max: 50, firstRetry_ms: 60_000 })
    test.server.stall(true)
    await mail.send(resetLetter())
    await eventually(() => expect(test.server.atOnce).toBe(1))
    await mail.close()
    expect(await test.rows()).toMatchObject([{ state: 'waiting', tries: 1, failure: 'EABORT' }])
    test.server.stall(false)
  })
  it('leaves what is not sent to the next process', async () => {
    const test = await mailTest()
    const mail = await test.process()
    await mail.close()
    await mail.send(resetLetter())
    expect(await test.rows()).toMatchObject([{ state: 'waiting', tries: 0 }])
    closeLater((await test.process()).close)
    await test.server.mailTo(ada)
  })
})
