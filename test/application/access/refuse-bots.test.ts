import { describe, expect, it } from 'vitest'
import { login } from '../../../application/identity/accounts/login.ts'
import { forgotPassword } from '../../../application/identity/recovery/forgot-password.ts'
import {
  resetPasswordTicket,
  revertEmailTicket,
  verifyEmailTicket,
} from '../../../application/identity/recovery/mailed-tokens.ts'
import { resetPassword } from '../../../application/identity/recovery/reset-password.ts'
import { revertEmailAddress } from '../../../application/identity/recovery/revert-email-address.ts'
import { verifyEmailAddress } from '../../../application/identity/recovery/verify-email-address.ts'
import { completeMfa } from '../../../application/identity/second-factors/mfa-completion.ts'
import { mfaTicket } from '../../../application/identity/second-factors/mfa-ticket.ts'
import { codeOf } from '../support/refusals.ts'
import { world } from '../support/world.ts'

const denied = 'BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED'
const email = 'Ada@example.com'
const password = 'a password'

/** An account that was turned into a bot: it has an address and a password from before. */
async function withBot() {
  const on = world()
  const id = await on.newcomer('Ada')
  await on.ports.readModels.reached(0n)
  on.setAccount(id, { bot: true })
  const sessions = async () => (await on.events()).filter(({ type }) => type === 'SessionStarted').length
  return { on, id, sessions, before: await sessions() }
}

describe('an authentication operation that resolves a bot from its body or token', () => {
  it('refuses to log it in, even with the right password', async () => {
    const { on, sessions, before } = await withBot()
    const credentials = { email, password, inviteCode: null }
    expect(await codeOf(login(on.ports)(on.requester(), credentials))).toBe(denied)
    const wrong = { ...credentials, password: 'another password' }
    expect(await codeOf(login(on.ports)(on.requester(), wrong))).toBe('INVALID_FORM_BODY')
    expect(await sessions()).toBe(before)
  })

  it('refuses to recover its password', async () => {
    const { on, id, sessions, before } = await withBot()
    expect(await codeOf(forgotPassword(on.ports)(on.requester(), email))).toBe(denied)
    expect(on.letters).toStrictEqual([])
    const addressHash = on.ports.addressHash(email)
    const token = await on.ports.tickets.issue(resetPasswordTicket, { accountId: id, addressHash }, 60, id)
    const wishes = { token, password: 'a new password' }
    expect(await codeOf(resetPassword(on.ports)(on.requester(), wishes))).toBe(denied)
    expect(await sessions()).toBe(before)
  })

  it('refuses to verify its address, to revert a change of it, and to complete a sign-in', async () => {
    const { on, id, sessions, before } = await withBot()
    const { tickets } = on.ports
    const addressHash = on.ports.addressHash(email)
    const verifying = await tickets.issue(verifyEmailTicket, { accountId: id, addressHash }, 60, id)
    expect(await codeOf(verifyEmailAddress(on.ports)(on.requester(), verifying))).toBe(denied)
    const change = { accountId: id, email: 'before@example.com', changedAt: on.now }
    const moved = { email: 'later@example.com', from: email, verified: true, now: on.now } as const
    const { context } = on.requester()
    await on.ports.aggregates.account.execute(id, { type: 'ChangeEmailAddress', ...moved }, context)
    const token = await tickets.issue(revertEmailTicket, change, 60, id)
    expect(await codeOf(revertEmailAddress(on.ports)(on.requester(), { token, password: 'a new password' }))).toBe(
      denied,
    )
    const ticket = await tickets.issue(mfaTicket, { accountId: id, credentialVersion: 0 }, 60, id)
    expect(await codeOf(completeMfa(on.ports, on.requester(), id, ticket))).toBe(denied)
    expect(await sessions()).toBe(before)
  })
})
