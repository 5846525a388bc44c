import { describe, expect, it } from 'vitest'
import { mailTest, resetLetter } from './support.ts'

describe('a mail that somebody waits for', () => {
  it('is known to be taken once the mail server has it, and is sent once', async () => {
    const test = await mailTest()
    const mail = await test.process()
    const letter = resetLetter()
    expect(await mail.deliver(letter)).toBe(true)
    expect(await mail.deliver(letter)).toBe(true)
    expect(test.server.received).toHaveLength(1)
  })

  it('is not, if the mail server takes it too late, and is sent nevertheless, once', async () => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.stall(true)
    const letter = resetLetter()
    expect(await mail.deliver(letter)).toBe(false)
    test.server.stall(false)
    await test.server.mailTo(letter.to)
    expect(await mail.deliver(letter)).toBe(true)
    expect(test.server.received).toHaveLength(1)
  })

  it('is not if it is forgotten before the mail server has it', async () => {
    const test = await mailTest()
    const mail = await test.process()
    test.server.stall(true)
    const letter = resetLetter()
    expect(await mail.deliver(letter)).toBe(false)
    await test.outbox.forget(letter.accountId)
    expect(await mail.deliver(letter)).toBe(false)
    expect(await test.rows()).toMatchObject([{ state: 'done', sealed: null }])
    test.server.stall(false)
  })

  it('is not where there is no mail server: it is kept', async () => {
    const test = await mailTest()
    expect(await (await test.keeper()).deliver(resetLetter())).toBe(false)
    expect(await test.rows()).toMatchObject([{ state: 'kept' }])
  })
})
