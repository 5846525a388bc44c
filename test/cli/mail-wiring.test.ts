import { afterEach, describe, expect, it } from 'vitest'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { startTestGuildhall, type TestGuildhall, type TestOptions } from '../support/test-guildhall.ts'

describe('the server', () => {
  let guildhall: TestGuildhall | undefined
  afterEach(() => guildhall?.close())

  async function reset(options: TestOptions): Promise<TestGuildhall> {
    guildhall = await startTestGuildhall(options)
    const values = { username: 'ada', token: 'TOKEN' }
    await guildhall.ports.mail.send({
      accountId: accountId(snowflake('1')),
      to: 'ada@example.com',
      template: 'password_reset',
      values,
      locale: 'de',
      key: 'k',
      cause: { correlationId: 'request', causationId: 'command' },
    })
    return guildhall
  }

  it('sends mails through its mail server, with links that begin with its own URL', async () => {
    const { url, ports, mailTo } = await reset({ withMailServer: true })
    expect(ports.mail.canSend).toBe(true)
    expect((await mailTo('ada@example.com')).text).toContain(`${url}/reset#token=TOKEN\n`)
  })
  it('keeps mails if it has no mail server', async () => {
    const { url, ports, mailTo } = await reset({})
    expect(ports.mail.canSend).toBe(false)
    expect((await mailTo('ada@example.com')).text).toContain(`${url}/reset#token=TOKEN\n`)
    await expect(mailTo('ada@example.com', 2)).rejects.toThrow('1 mails to ada@example.com are kept')
  })
})
