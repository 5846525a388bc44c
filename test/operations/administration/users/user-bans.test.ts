import { beforeEach, describe, expect, it } from 'vitest'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { administrator, type RecordedEntry } from '../../../support/administrators.ts'
import { testContext } from '../../../support/test-context.ts'
import type { TestAccount, TestAnswer } from '../../../support/test-guildhall.ts'
import { asBot, newApplication } from '../../support/applications.ts'
import { bodyOf, crowd, expectFields, expectRefusal } from '../../support/answers.ts'
import { connections } from '../../support/connected.ts'
import { deletionIsDue, erase } from '../../support/erasure.ts'
import { openServer } from '../../support/scene.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { banOver } from '../../support/account-bans.ts'
import { correctionsOn, entriesAbout, idOf, unknownUser } from './support.ts'
import { expectEnded } from '../../../gateway/support/ended.ts'

const guildhall = await openServer()
const { ask, root } = await correctionsOn(guildhall)
let ada: TestAccount

beforeEach(async () => {
  ada = await guildhall.register()
})

const hour_ms = 3_600_000
const ban = (id: string, body: unknown = { duration_hours: 2 }, token?: string) => ask('PUT', id, 'ban', body, token)
const lift = (id: string, body?: unknown, token?: string) => ask('DELETE', id, 'ban', body, token)
const me = async (token: string) => (await guildhall.request('GET', '/v1/users/@me', { token })).status
const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })
const userIn = async (answer: Promise<TestAnswer>) => bodyOf(await answer)['user'] as Readonly<Record<string, unknown>>
const user = async (id: string) => {
  const found = bodyOf(await guildhall.request('GET', `/v1/admin/users/${id}`, { token: root.token }))
  return (found['users'] as readonly Readonly<Record<string, unknown>>[])[0]
}
const mailsTo = async (email: string): Promise<number> => {
  for (let count = 1; ; count += 1) if (!(await mailed(email, count))) return count - 1
}
const mailed = (email: string, count?: number) => guildhall.mailTo(email, count).catch(() => undefined)
const disabled = accountFlags.DISABLED.toString()

interface PersonalEntry extends RecordedEntry {
  readonly personalMetadata?: Readonly<Record<string, string>> | null
}
const lastAbout = async (account: { readonly id: string }): Promise<PersonalEntry | undefined> =>
  (await entriesAbout(guildhall, account)).at(-1)

describe('Ban user', () => {
  it('disables the account until the ban is over, and answers with the user', async () => {
    const before = Date.now()
    const banned = await userIn(ban(ada.id))
    const until_ms = Date.parse(String(banned['temp_banned_until']))
    expect(until_ms).toBeGreaterThanOrEqual(before + 2 * hour_ms)
    expect(until_ms).toBeLessThanOrEqual(Date.now() + 2 * hour_ms)
    expect(banned).toMatchObject({ id: ada.id, flags: disabled })
    expect(await user(ada.id)).toMatchObject({ temp_banned_until: banned['temp_banned_until'], flags: disabled })
  })

  it('bans permanently with 0 hours: for a hundred years, and without a mail', async () => {
    const { temp_banned_until: until } = await userIn(ban(ada.id, { duration_hours: 0, reason: 'Spam' }))
    expect(new Date(String(until)).getUTCFullYear()).toBe(new Date().getUTCFullYear() + 100)
    expect(await mailsTo(ada.email)).toBe(0)
    expect(await lastAbout(ada)).toMatchObject({
      metadata: { duration_hours: '0', banned_until: until, notify_user: 'true', notification_sent: 'false' },
    })
    expectRefusal(await login(ada), 403, 'ACCOUNT_SUSPENDED_TEMPORARILY')
  })

  it('signs out everywhere: every session ends, and each client hears it', async () => {
    const { connect, end } = connections()
    const phone = { ...ada, token: String(bodyOf(await login(ada))['token']) }
    const eve = await guildhall.register()
    const clients = [await connect(guildhall, ada), await connect(guildhall, phone)]
    const foreign = await connect(guildhall, eve)
    bodyOf(await ban(ada.id))
    for (const { client } of clients) await expectEnded(client)
    for (const { client } of clients) expect(client.dispatches.map(({ t }) => t)).not.toContain('USER_UPDATE')
    for (const { token } of [ada, phone]) expect(await me(token)).toBe(401)
    foreign.client.send(1, null)
    await foreign.client.op(11)
    end()
  })

  it('mails the duration, the end and the reason, and never the reason of the header', async () => {
    const headers = { 'x-audit-log-reason': 'reported by Eve' }
    const body = { duration_hours: 36, reason: 'Spam in #general' }
    const { token } = root
    bodyOf(await guildhall.request('PUT', `/v1/admin/users/${ada.id}/ban`, { token, body, headers }))
    const { subject, text } = await guildhall.mailTo(ada.email)
    expect(subject).toContain('suspended')
    for (const part of ['36 hours', 'UTC', 'Spam in #general']) expect(text).toContain(part)
    expect(text).not.toContain('Eve')
  })

  it.each([
    ['nobody asked for it', { notify_user: false }],
    ['the ban is permanent', { duration_hours: 0 }],
  ])('mails nobody if %s', async (_, changes) => {
    bodyOf(await ban(ada.id, { duration_hours: 1, ...changes }))
    expect(await mailsTo(ada.email)).toBe(0)
    expect((await lastAbout(ada))?.metadata['notification_sent']).toBe('false')
  })

  it('is recorded with the reason sealed for the target, and as null where there is none', async () => {
    const { temp_banned_until: until } = await userIn(ban(ada.id, { duration_hours: 3, reason: 'Spam' }))
    expect(await lastAbout(ada)).toMatchObject({
      action: 'temp_ban',
      adminId: root.id,
      targetType: 'user',
      metadata: { duration_hours: '3', banned_until: until, notify_user: 'true', notification_sent: 'false' },
      personalMetadata: { reason: 'Spam' },
    })
    bodyOf(await ban(ada.id, { duration_hours: 3 }))
    expect((await lastAbout(ada))?.personalMetadata).toStrictEqual({ reason: 'null' })
  })

  it('replaces an earlier ban, a longer one too', async () => {
    const first = await userIn(ban(ada.id, { duration_hours: 8760 }))
    const second = await userIn(ban(ada.id, { duration_hours: 1 }))
    expect(String(second['temp_banned_until']) < String(first['temp_banned_until'])).toBe(true)
  })

  it('bans accounts of every kind: one with the same ACLs, a bot, a system account', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:temp_ban')
    const equal = await administrator(guildhall, 'user:temp_ban')
    const bot = await newApplication(guildhall, ada)
    const context = testContext()
    const system = { type: 'SetSystemStatus', system: true } as const
    await guildhall.ports.aggregates.account.execute(idOf(bot), system, context)
    await guildhall.readModels.reached(context.written)
    for (const { id } of [equal, bot])
      expect(await userIn(ban(id, { duration_hours: 1 }, lesser.token))).toMatchObject({ id, flags: disabled })
    expect(await me(equal.token)).toBe(401)
    expect(await me(asBot(bot))).toBe(401)
    expect(await me(ada.token)).toBe(200)
  })

  it('shows redacted what the credential may not view', async () => {
    const lesser = await administrator(guildhall, 'admin:authenticate', 'user:temp_ban')
    expect(await userIn(ban(ada.id, undefined, lesser.token))).toMatchObject({ email: null, last_active_ip: null })
  })

  it('leaves no session alive, however many logins there are at the same moment', async () => {
    const logins = Array.from({ length: 64 }, () => login(ada))
    await Promise.race(logins)
    bodyOf(await ban(ada.id))
    const answers = await Promise.all(logins)
    const tokens = answers.flatMap(({ status, body }) => (status === 200 ? [String((body as TestAccount).token)] : []))
    expect(tokens.length).toBeGreaterThan(0)
    for (const token of tokens) expect(await me(token)).toBe(401)
    // Too many passwords to check at once are refused with 503.
    for (const answer of answers.filter(({ status }) => status !== 200 && status !== 503))
      expectRefusal(answer, 403, 'ACCOUNT_SUSPENDED_TEMPORARILY')
    const { state } = await guildhall.ports.aggregates.account.load(idOf(ada))
    expect(state).toMatchObject({ status: 'registered', sessions: [] })
    expect(await guildhall.ports.queries.sessions.ofAccount(idOf(ada))).toStrictEqual([])
  })

  it('ends up as one of many bans and lifts at the same moment, flag and time together', async () => {
    await Promise.all(
      (await crowd(guildhall, 4)).map(async ({ id }) => {
        await Promise.all([ban(id), lift(id), ban(id, { duration_hours: 0 }), lift(id), ban(id), lift(id)])
        const after = await user(id)
        expect(after?.['flags']).toBe(after?.['temp_banned_until'] === null ? '0' : disabled)
      }),
    )
  })

  it('refuses an account that does not exist or is erased, and is not recorded then', async () => {
    const erased = await guildhall.register()
    await deletionIsDue(guildhall, erased)
    expect(await erase(guildhall, erased)).toBe(true)
    for (const id of [unknownUser, erased.id]) {
      expectRefusal(await ban(id), 404, 'UNKNOWN_USER')
      expectRefusal(await lift(id), 404, 'UNKNOWN_USER')
      const own = (await entriesAbout(guildhall, { id })).filter(({ adminId }) => adminId === root.id)
      expect(own).toStrictEqual([])
    }
  })

  it('is refused without the ACL and with a wrong body, before the account is looked for', async () => {
    const other = await administrator(guildhall, 'admin:authenticate', 'user:update:flags')
    for (const act of [ban, lift]) expectRefusal(await act(unknownUser, undefined, other.token), 403, 'MISSING_ACL')
    for (const duration_hours of [undefined, null, -1, 8761, 1.5, 'x'])
      expectRefusal(await ban(unknownUser, { duration_hours }), 400, 'INVALID_FORM_BODY')
    const [reason, tooLong] = ['r'.repeat(512), field('reason', 'STRING_LENGTH_INVALID')]
    expectFields(await ban(unknownUser, { duration_hours: 1, reason: `${reason}r` }), tooLong)
    expectRefusal(await ban(unknownUser, { duration_hours: 1, reason }), 404, 'UNKNOWN_USER')
    for (const notify_user of ['yes', 1])
      for (const act of [ban, lift])
        expectRefusal(await act(unknownUser, { duration_hours: 1, notify_user }), 400, 'INVALID_FORM_BODY')
    expectFields(
      await lift(unknownUser, { public_reason: `${reason}r` }),
      field('public_reason', 'STRING_LENGTH_INVALID'),
    )
    expectRefusal(await ban('ada'), 400, 'INVALID_FORM_BODY')
  })
})

describe('Lift ban', () => {
  it('lets the holder sign in again; earlier sessions stay over', async () => {
    bodyOf(await ban(ada.id))
    expect(await userIn(lift(ada.id, {}))).toMatchObject({ id: ada.id, flags: '0', temp_banned_until: null })
    expect(await me(ada.token)).toBe(401)
    expect(await me(String(bodyOf(await login(ada))['token']))).toBe(200)
  })

  it('mails the public reason, if there is one, and never the reason of the header', async () => {
    bodyOf(await ban(ada.id, { duration_hours: 1, notify_user: false }))
    const headers = { 'x-audit-log-reason': 'Eve lied' }
    const body = { public_reason: 'A mistake of ours' }
    const path = `/v1/admin/users/${ada.id}/ban`
    bodyOf(await guildhall.request('DELETE', path, { token: root.token, body, headers }))
    const { text } = await guildhall.mailTo(ada.email, 1)
    expect(text).toContain('A mistake of ours')
    expect(text).not.toContain('Eve')
    expect(await lastAbout(ada)).toMatchObject({
      action: 'unban',
      targetType: 'user',
      metadata: { notify_user: 'true', notification_sent: 'false' },
      personalMetadata: { public_reason: 'A mistake of ours' },
    })
  })

  it('mails the end of a permanent ban too, and takes no body', async () => {
    bodyOf(await ban(ada.id, { duration_hours: 0 }))
    bodyOf(await lift(ada.id))
    expect((await guildhall.mailTo(ada.email, 1)).text).not.toMatch(/reason|null/)
    expect((await lastAbout(ada))?.metadata).toStrictEqual({ notify_user: 'true', notification_sent: 'false' })
  })

  it('mails nobody where nobody was banned, or the ban is over, or the account is deleted', async () => {
    const [over, deleted, silent] = [await guildhall.register(), await guildhall.register(), await guildhall.register()]
    await banOver(guildhall, over)
    for (const { id } of [deleted, silent]) bodyOf(await ban(id, { duration_hours: 1, notify_user: false }))
    bodyOf(await ask('PATCH', deleted.id, 'flags', { add_flags: [accountFlags.DELETED.toString()] }))
    for (const account of [ada, over, deleted, silent]) {
      bodyOf(await lift(account.id, { notify_user: account !== silent }))
      expect(await mailsTo(account.email)).toBe(0)
      expect((await lastAbout(account))?.metadata['notification_sent']).toBe('false')
    }
  })

  it('clears DISABLED, whoever set it, and leaves the other flags', async () => {
    bodyOf(
      await guildhall.request('POST', '/v1/users/@me/disable', { token: ada.token, body: { password: ada.password } }),
    )
    expect(await user(ada.id)).toMatchObject({ flags: disabled, temp_banned_until: null })
    bodyOf(await ask('PATCH', ada.id, 'flags', { add_flags: ['1'] }))
    expect(await userIn(lift(ada.id, {}))).toMatchObject({ flags: '1' })
    bodyOf(await ask('PATCH', ada.id, 'flags', { add_flags: [disabled] }))
    expect(await userIn(lift(ada.id, {}))).toMatchObject({ flags: '1' })
  })

  it('mails once, however many lift the ban at the same moment', async () => {
    bodyOf(await ban(ada.id, { duration_hours: 1, notify_user: false }))
    await Promise.all(Array.from({ length: 6 }, () => lift(ada.id)))
    expect(await mailsTo(ada.email)).toBe(1)
  })
})

describe('DISABLED set or cleared by hand', () => {
  it('is no ban: signing in clears it', async () => {
    bodyOf(await ask('PATCH', ada.id, 'flags', { add_flags: [disabled] }))
    expect(await user(ada.id)).toMatchObject({ flags: disabled, temp_banned_until: null })
    bodyOf(await login(ada))
    expect(await user(ada.id)).toMatchObject({ flags: '0' })
  })

  it('lifts no ban, and the flags are shown as they are stored', async () => {
    bodyOf(await ban(ada.id))
    expect(await userIn(ask('PATCH', ada.id, 'flags', { remove_flags: [disabled] }))).toMatchObject({
      flags: '0',
      temp_banned_until: expect.any(String),
    })
    expectRefusal(await login(ada), 403, 'ACCOUNT_SUSPENDED_TEMPORARILY')
  })
})
