import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { accountId } from '../../domain/ids/ids.ts'
import { snowflake } from '../../domain/ids/snowflake.ts'
import { bodyOf, expectRefusal } from '../operations/support/answers.ts'
import { asBot, newApplication } from '../operations/support/applications.ts'
import { deletionIsDue, erase, everyEvent, everyRow } from '../operations/support/erasure.ts'
import { asBearer, newClient, tokensFor } from '../operations/support/oauth2.ts'
import { openServer } from '../operations/support/scene.ts'
import { administrator } from '../support/administrators.ts'
import type { TestAccount } from '../support/test-guildhall.ts'

/** What a banned account, and an administrator who bans one, may try. */

const guildhall = await openServer({})
const root = await administrator(guildhall, '*')
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})

const path = ({ id }: { readonly id: string }): string => `/v1/admin/users/${id}/ban`
const ban = (body: unknown, token = root.token) => guildhall.request('PUT', path(ada), { token, body })
const lift = (body: unknown, token = root.token) => guildhall.request('DELETE', path(ada), { token, body })
const record = () => guildhall.ports.queries.accounts.find(accountId(snowflake(ada.id)))
const login = (credentials: object) => guildhall.request('POST', '/v1/auth/login', { body: credentials })
const year_ms = 366 * 24 * 3_600_000

describe('credentials that administer nothing', () => {
  it('ban nobody and lift no ban: a bot’s, another application’s, a member’s, and nobody’s', async () => {
    const holder = await administrator(guildhall, '*')
    const bearer = asBearer(await tokensFor(guildhall, holder, await newClient(guildhall, ada)))
    const member = await guildhall.register()
    const refusals = [
      [asBot(await newApplication(guildhall, holder)), 401, 'UNAUTHORIZED'],
      [bearer, 403, 'ACCESS_DENIED'],
      [member.token, 403, 'MISSING_PERMISSIONS'],
      ['', 401, 'UNAUTHORIZED'],
    ] as const
    for (const [token, status, code] of refusals) {
      expectRefusal(await ban({ duration_hours: 1 }, token), status, code)
      expectRefusal(await lift({}, token), status, code)
    }
    expect(await record()).toMatchObject({ bannedUntil: null, flags: '0' })
  })
})

describe('whoever does not know the password', () => {
  it('learns of no ban', async () => {
    const wrong = { email: ada.email, password: 'not this one' }
    const before = await login(wrong)
    bodyOf(await ban({ duration_hours: 1 }))
    const after = await login(wrong)
    expect([after.status, after.body]).toStrictEqual([before.status, before.body])
    const forgot = await guildhall.request('POST', '/v1/auth/forgot', { body: { email: ada.email } })
    expect(forgot).toMatchObject({ status: 204, body: undefined })
  })
})

describe('members that a ban does not have', () => {
  it('are ignored, also behind `__proto__`', async () => {
    const longer = { temp_banned_until: '2999-01-01T00:00:00.000Z', banned_until: '2999-01-01T00:00:00.000Z' }
    const more = { ...longer, flags: '1', acls: ['*'], id: root.id, user_id: root.id }
    bodyOf(await ban({ duration_hours: 1, ...more }))
    const hidden =
      '{"duration_hours":1,"__proto__":{"duration_hours":0},"constructor":{"prototype":{"duration_hours":0}}}'
    bodyOf(await ban(hidden))
    const banned = await record()
    expect(Date.parse(String(banned?.bannedUntil)) - Date.now()).toBeLessThan(year_ms)
    expect(banned?.acls).toStrictEqual([])
    expect((await guildhall.request('GET', '/v1/users/@me', { token: root.token })).status).toBe(200)
  })
})

describe('reasons', () => {
  it('stay text on one line of the mail, in no header and no link', async () => {
    const reason = 'a\r\nBcc: eve@example.com\r\n\r\n<b>b</b> \u202ec %0d%0a'
    bodyOf(await ban({ duration_hours: 1, reason }))
    const { subject, text } = await guildhall.mailTo(ada.email)
    expect(subject).not.toMatch(/Bcc|\r|\n/)
    expect(text.split('\n').filter((line) => line.includes('Bcc'))).toStrictEqual([
      'The reason: a Bcc: eve@example.com <b>b</b> c %0d%0a',
    ])
  })
})

describe('once the account is erased', () => {
  it('no reason of its bans is left, in history, rows or mails', async () => {
    const canary = (): string => `canary${randomBytes(6).toString('hex')}`
    const [banned, lifted] = [canary(), canary()]
    bodyOf(await ban({ duration_hours: 1, reason: banned }))
    bodyOf(await lift({ public_reason: lifted }))
    for (const text of [banned, lifted]) expect(await everyEvent(guildhall)).toContain(text)
    await deletionIsDue(guildhall, ada)
    expect(await erase(guildhall, ada)).toBe(true)
    const left = async (): Promise<string> => `${await everyEvent(guildhall)}${await everyRow(guildhall)}`
    for (const text of [banned, lifted]) await expect.poll(left).not.toContain(text)
  })
})
