import { beforeEach, describe, expect, it } from 'vitest'
import { resetPasswordTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { backupCode, protect, sudoProofOf } from '../../../support/authenticator.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { bodyOf, expectFields, expectRefusal } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'

let ada: TestAccount

const guildhall = await openServer()
beforeEach(async () => {
  ada = await guildhall.register()
})

const me = (token: string) => guildhall.request('GET', '/v1/users/@me', { token })
const patch = ({ token }: { readonly token: string }, body: object) =>
  guildhall.request('PATCH', '/v1/users/@me', { token, body })
const login = ({ email, password }: TestAccount) =>
  guildhall.request('POST', '/v1/auth/login', { body: { email, password } })

/** Registers an account without a password. */
async function unclaimed(body: object = {}): Promise<{ readonly token: string }> {
  return { token: String(bodyOf(await guildhall.request('POST', '/v1/auth/register', { body }))['token']) }
}

describe('Modify current user: the profile', () => {
  it('changes what is sent, needs no sudo mode, and leaves the rest', async () => {
    const changes = {
      global_name: 'Ada Lovelace',
      bio: 'Notes on the Engine',
      pronouns: 'she/her',
      accent_color: 0xff_ff_ff,
      mention_flags: 2,
      premium_badge_hidden: true,
      has_dismissed_premium_onboarding: true,
    }
    const before = bodyOf(await me(ada.token))
    const after = bodyOf(await patch(ada, changes))
    expect(after).toStrictEqual({ ...before, ...changes })
    expect(bodyOf(await me(ada.token))).toStrictEqual(after)
    const cleared = { global_name: null, bio: null, pronouns: null, accent_color: null, mention_flags: 0 }
    const { mention_flags: shown, ...rest } = bodyOf(await patch(ada, cleared))
    expect(shown).toBeUndefined()
    expect(rest).toMatchObject({ global_name: null, bio: null, pronouns: null, accent_color: null })
  })

  it('never shows a dismissed onboarding again, and ignores what only staff may set', async () => {
    await patch(ada, { has_dismissed_premium_onboarding: true })
    const body = { has_dismissed_premium_onboarding: false, has_unread_gift_inventory: true, timezone: 'Europe/Berlin' }
    const after = bodyOf(await patch(ada, body))
    expect(after).toMatchObject({ has_dismissed_premium_onboarding: true, has_unread_gift_inventory: false })
    expect(after).not.toHaveProperty('timezone')
    expectRefusal(await patch(ada, { premium_enabled_override: true }), 403, 'MISSING_ACCESS')
  })

  it('lists everything that is wrong with a body', async () => {
    const answer = await patch(ada, {
      global_name: 'everyone',
      bio: 'b'.repeat(321),
      pronouns: 'p'.repeat(41),
      accent_color: 0x1_00_00_00,
      mention_flags: 3,
      discriminator: '12345',
      new_password: 'short',
      username: null,
    })
    expectFields(
      answer,
      field('global_name', 'GLOBAL_NAME_RESERVED_VALUE'),
      field('bio', 'STRING_LENGTH_INVALID'),
      field('pronouns', 'STRING_LENGTH_INVALID'),
      field('accent_color', 'COLOR_VALUE_TOO_HIGH'),
      field('mention_flags', 'INVALID_FORMAT'),
      field('discriminator', 'DISCRIMINATOR_INVALID_FORMAT'),
      field('new_password', 'PASSWORD_LENGTH_INVALID'),
      field('username', 'INVALID_FORMAT'),
    )
    expectFields(await patch(ada, { accent_color: -1 }), field('accent_color', 'COLOR_VALUE_TOO_LOW'))
    expectFields(await patch(ada, { discriminator: 10_000 }), field('discriminator', 'DISCRIMINATOR_OUT_OF_RANGE'))
  })

  it('limits the bio by the limit of the account', async () => {
    expect((await patch(ada, { bio: 'b'.repeat(160) })).status).toBe(200)
    expectFields(await patch(ada, { bio: 'b'.repeat(161) }), field('bio', 'CONTENT_EXCEEDS_MAX_LENGTH'))
  })

  it('never changes the address', async () => {
    expectFields(await patch(ada, { email: ada.email }), field('email', 'EMAIL_MUST_BE_CHANGED_VIA_TOKEN'))
  })

  it('needs a session', async () => {
    expectRefusal(await guildhall.request('PATCH', '/v1/users/@me', { body: {} }), 401, 'UNAUTHORIZED')
  })
})

describe('Modify current user: an unclaimed account', () => {
  it('may set a password, without sudo mode, and little else', async () => {
    const newcomer = await unclaimed()
    const code = 'UNCLAIMED_ACCOUNTS_CAN_ONLY_SET_EMAIL_VIA_TOKEN'
    expectFields(await patch(newcomer, { bio: 'x', global_name: 'y' }), field('global_name', code))
    expectFields(await patch(newcomer, { email: 'a@example.com', bio: 'x' }), field('email', code))
    expect(bodyOf(await patch(newcomer, { has_dismissed_premium_onboarding: true }))).toMatchObject({
      has_dismissed_premium_onboarding: true,
    })
    expect((await patch(newcomer, { new_password: 'a first password' })).status).toBe(200)
    expectRefusal(await me(newcomer.token), 401, 'UNAUTHORIZED')
  })
})

describe('Modify current user: an address that is not verified', () => {
  it('blocks changes of the profile, but no others', async () => {
    const mailing = await openServer('mailing')
    const { token } = await mailing.register()
    const change = (body: object) => mailing.request('PATCH', '/v1/users/@me', { token, body })
    expectRefusal(await change({ bio: 'x' }), 403, 'PROFILE_EMAIL_VERIFICATION_REQUIRED')
    expect((await change({ mention_flags: 1 })).status).toBe(200)
  })
})

describe('Modify current user: the password', () => {
  const newPassword = 'another password'
  const resetToken = ({ id, email }: TestAccount): Promise<string> => {
    const { tickets, addressHash } = guildhall.ports
    const payload = { accountId: accountId(snowflake(id)), addressHash: addressHash(email) }
    return tickets.issue(resetPasswordTicket, payload, 60, id)
  }
  const validity = async (token: string) => bodyOf(await guildhall.request('GET', `/v1/auth/reset/${token}`))

  it('ends every session and reset token, and is valid for the next login', async () => {
    const other = String(bodyOf(await login(ada))['token'])
    const reset = await resetToken(ada)
    expect(await validity(reset)).toStrictEqual({ valid: true })
    expectRefusal(await patch(ada, { new_password: newPassword }), 403, 'SUDO_MODE_REQUIRED')
    const changed = await patch(ada, { new_password: newPassword, password: ada.password })
    expect(bodyOf(changed)['password_last_changed_at']).toStrictEqual(expect.any(String))
    for (const token of [ada.token, other]) expectRefusal(await me(token), 401, 'UNAUTHORIZED')
    expect(await validity(reset)).toStrictEqual({ valid: false })
    expectFields(
      await login(ada),
      field('email', 'INVALID_EMAIL_OR_PASSWORD'),
      field('password', 'INVALID_EMAIL_OR_PASSWORD'),
    )
    expect((await login({ ...ada, password: newPassword })).status).toBe(200)
    expect((await guildhall.mailTo(ada.email)).text).toContain('password')
  })

  it('is refused if it is too common', async () => {
    expectFields(
      await patch(ada, { new_password: 'password123', password: ada.password }),
      field('new_password', 'PASSWORD_IS_TOO_COMMON'),
    )
  })

  it('requires the present one in addition to a second factor', async () => {
    const grace = await protect(guildhall, await guildhall.register())
    const sudo = (index: number) => ({ mfa_method: 'totp', mfa_code: backupCode(grace, index) })
    const change = { new_password: newPassword }
    expectRefusal(await patch(grace, { ...change, password: grace.password }), 403, 'SUDO_MODE_REQUIRED')
    expectFields(await patch(grace, { ...change, ...sudo(0) }), field('password', 'PASSWORD_NOT_SET'))
    const wrong = { ...change, ...sudo(1), password: 'no such password' }
    expectFields(await patch(grace, wrong), field('password', 'INVALID_PASSWORD'))
    const right = await patch(grace, { ...change, ...sudo(2), password: grace.password })
    expect(right.status).toBe(200)
    // Every success returns a proof, although its session has ended.
    expect(sudoProofOf(right)).not.toBeNull()
  })
})
