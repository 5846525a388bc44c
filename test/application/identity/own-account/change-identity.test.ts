import { describe, expect, it } from 'vitest'
import type { AccountPatch } from '../../../../application/identity/own-account/account-patch.ts'
import { changeOwnAccount } from '../../../../application/identity/own-account/change-own-account.ts'
import { applyEmailChange } from '../../../../application/identity/own-account/ticketed/apply-email-change.ts'
import { emailTokenTicket } from '../../../../application/identity/own-account/ticketed/email-change-ticket.ts'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import { revertEmailAddress } from '../../../../application/identity/recovery/revert-email-address.ts'
import type { Rate } from '../../../../application/ports/allowances.ts'
import { revertEmailTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

const requestLife_ms = 60_000
const proved = () => Promise.resolve()

async function change(on: World, account: AccountId, patch: Partial<AccountPatch>) {
  return changeOwnAccount(on.ports)(await on.as(account), { password: null, ...patch }, proved)
}

/** What the timer does some time after the process died. */
async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

/** The usernames of which an account holds a discriminator. */
async function heldBy(on: World, account: AccountId, ...usernames: readonly string[]): Promise<readonly string[]> {
  const held = []
  for (const username of usernames) {
    const { state } = await on.ports.aggregates.handle.load(username)
    if (state.status === 'claimed' && state.held.some(([, holder]) => holder === account)) held.push(username)
  }
  return held
}

/** The addresses that an account holds. */
async function addressesOf(on: World, account: AccountId, ...emails: readonly string[]): Promise<readonly string[]> {
  const held = []
  for (const email of emails) {
    const { state } = await on.ports.aggregates.emailAddress.load(on.ports.addressHash(email))
    if (state.status === 'held' && state.accountId === account) held.push(email)
  }
  return held
}

async function emailToken(on: World, accountId: AccountId, email: string, from: string | null): Promise<string> {
  const token = { accountId, email, from, expiresAt: secondsAfter(on.now, 1800) }
  return on.ports.tickets.issue(emailTokenTicket, token, 3600, accountId)
}

describe('a change of the tag whose process died', () => {
  it.each(['TagChanged', 'HandleReleased'])('leaves the account with one tag, its own: before %s', async (step) => {
    const on = world()
    const ada = await on.newcomer('Ada')
    on.dieBefore(step)
    await expect(change(on, ada, { username: 'Countess' })).rejects.toThrow(step)
    expect(await heldBy(on, ada, 'ada', 'countess')).toStrictEqual(['ada', 'countess'])
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    const own = step === 'TagChanged' ? 'ada' : 'countess'
    expect(await heldBy(on, ada, 'ada', 'countess')).toStrictEqual([own])
    expect((await on.as(ada)).account.username.toLowerCase()).toBe(own)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it.each(['TagChanged', 'HandleReleased'])('leaves it with one discriminator, its own: before %s', async (step) => {
    const on = world({ limits: { feature_custom_discriminator: 1 } })
    const ada = await on.newcomer('Ada')
    const { discriminator: before } = (await on.as(ada)).account
    const wish = before === 1815 ? 1816 : 1815
    on.dieBefore(step)
    await expect(change(on, ada, { discriminator: wish })).rejects.toThrow(step)
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    const own = step === 'TagChanged' ? before : wish
    const { state } = await on.ports.aggregates.handle.load('ada')
    expect(state).toMatchObject({ held: [[own, ada]] })
    expect((await on.as(ada)).account.discriminator).toBe(own)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it('blocks later changes of the claimed names until they are released', async () => {
    const on = world()
    const ada = await on.newcomer('Ada')
    on.dieBefore('TagChanged')
    await expect(change(on, ada, { username: 'Countess' })).rejects.toThrow('TagChanged')
    on.restart()
    expect(await codeOf(change(on, ada, { username: 'Countess' }))).toBe('CONFLICT')
    await finish(on)
    expect(await change(on, ada, { username: 'Countess' })).toMatchObject({ username: 'Countess' })
  })

  it('leaves nothing to finish if the process did not die', async () => {
    const on = world()
    const ada = await on.newcomer('Ada')
    await change(on, ada, { username: 'Countess' })
    await change(on, ada, { username: 'ada' })
    expect(await heldBy(on, ada, 'ada', 'countess')).toStrictEqual(['ada'])
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })
})

describe('a change of the address whose process died', () => {
  it.each(['EmailAddressChanged', 'EmailAddressReleased'])(
    'leaves the account with one, its own: before %s',
    async (step) => {
      const on = world()
      const ada = await on.newcomer('Ada')
      const token = await emailToken(on, ada, 'new@example.com', 'Ada@example.com')
      on.dieBefore(step)
      await expect(applyEmailChange(on.ports)(await on.as(ada), token)).rejects.toThrow(step)
      const both = ['Ada@example.com', 'new@example.com']
      expect(await addressesOf(on, ada, ...both)).toStrictEqual(both)
      expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
      const own = step === 'EmailAddressChanged' ? 'Ada@example.com' : 'new@example.com'
      expect(await addressesOf(on, ada, ...both)).toStrictEqual([own])
      expect((await on.as(ada)).account.email).toBe(own)
      expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    },
  )

  it('leaves nothing to finish if the process did not die, or if the change was reverted', async () => {
    const on = world()
    const ada = await on.newcomer('Ada')
    const before = 'Ada@example.com'
    const token = await emailToken(on, ada, 'new@example.com', before)
    const caller = await on.as(ada)
    await applyEmailChange(on.ports)(caller, token)
    const payload = { accountId: ada, email: before, changedAt: caller.context.now }
    const revert = await on.ports.tickets.issue(revertEmailTicket, payload, 60, ada)
    on.wait(1)
    await revertEmailAddress(on.ports)(on.requester(), { token: revert, password: 'a new password' })
    expect(await addressesOf(on, ada, before, 'new@example.com')).toStrictEqual([before])
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })

  it.each(['EmailAddressChanged', 'EmailAddressReleased'])('is also finished by a revert: before %s', async (step) => {
    const on = world()
    const ada = await on.newcomer('Ada')
    const before = 'Ada@example.com'
    const caller = await on.as(ada)
    await applyEmailChange(on.ports)(caller, await emailToken(on, ada, 'new@example.com', before))
    const payload = { accountId: ada, email: before, changedAt: caller.context.now }
    const revert = await on.ports.tickets.issue(revertEmailTicket, payload, 60, ada)
    on.wait(1)
    on.dieBefore(step)
    const reverted = revertEmailAddress(on.ports)(on.requester(), { token: revert, password: 'a new password' })
    await expect(reverted).rejects.toThrow(step)
    await finish(on)
    expect(await addressesOf(on, ada, before, 'new@example.com')).toHaveLength(1)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
  })
})

describe('the old address', () => {
  it('gets a mail with which the change can be reverted, if it was verified', async () => {
    const on = world()
    const ada = await on.newcomer('Ada')
    const token = await emailToken(on, ada, 'new@example.com', 'Ada@example.com')
    await applyEmailChange(on.ports)(await on.as(ada), token)
    expect(on.letters.map(({ template, to }) => [template, to])).toStrictEqual([['email_revert', 'Ada@example.com']])
  })

  it('gets it once where the process dies between the change and the mail, or between the mail and the release', async () => {
    const mailed = (on: World) => on.letters.filter(({ template }) => template === 'email_revert').map(({ to }) => to)
    for (const death of ['the mail', 'EmailAddressReleased']) {
      const on = world()
      const ada = await on.newcomer('Ada')
      const token = await emailToken(on, ada, 'new@example.com', 'Ada@example.com')
      const { mail } = on.ports
      const dying = { ...mail, send: () => Promise.reject(new Error('died before the mail')) }
      if (death === 'EmailAddressReleased') on.dieBefore(death)
      const ports = death === 'the mail' ? { ...on.ports, mail: dying } : on.ports
      await expect(applyEmailChange(ports)(await on.as(ada), token)).rejects.toThrow(death)
      expect(mailed(on)).toHaveLength(death === 'the mail' ? 0 : 1)
      expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
      expect(mailed(on)).toStrictEqual(['Ada@example.com'])
      expect(await addressesOf(on, ada, 'Ada@example.com', 'new@example.com')).toStrictEqual(['new@example.com'])
    }
  })

  it("gets none where it was never verified, since it may be a stranger's", async () => {
    const on = world({ canSendMail: true })
    const ada = await on.newcomer('Ada')
    const token = await emailToken(on, ada, 'new@example.com', 'Ada@example.com')
    await applyEmailChange(on.ports)(await on.as(ada), token)
    expect(on.letters.map(({ template }) => template)).toStrictEqual(['email_verification'])
    expect((await on.as(ada)).account).toMatchObject({ email: 'new@example.com', emailVerified: true })
  })
})

describe('a token of a new address', () => {
  it('is valid for 30 minutes, and while the account has the address that it was created under', async () => {
    const on = world()
    const ada = await on.newcomer('Ada')
    const before = 'Ada@example.com'
    const apply = async (token: string) => applyEmailChange(on.ports)(await on.as(ada), token)
    const late = await emailToken(on, ada, 'new@example.com', before)
    on.wait(1800 * 1000)
    expect(await fieldsOf(apply(late))).toStrictEqual([field('email_token', 'EMAIL_TOKEN_EXPIRED')])
    const other = await emailToken(on, ada, 'other@example.com', before)
    await apply(await emailToken(on, ada, 'new@example.com', before))
    expect(await fieldsOf(apply(other))).toStrictEqual([field('email_token', 'INVALID_EMAIL_TOKEN')])
  })
})

describe('the allowances of changes', () => {
  it.each([
    ['bio', 'BIO_CHANGED_TOO_MANY_TIMES'],
    ['pronouns', 'PRONOUNS_CHANGED_TOO_MANY_TIMES'],
    ['accent_color', 'ACCENT_COLOR_CHANGED_TOO_MANY_TIMES'],
  ] as const)('are charged for a different %s, 25 in 30 minutes', async (part, code) => {
    const asked: (readonly [string, Rate])[] = []
    let allowed = true
    const on = world({
      allowances: {
        take: async (name, _, rate) => {
          if (name.includes('changes')) asked.push([name, rate])
          return allowed ? { allowed: true } : { allowed: false, retryAfterSeconds: 1 }
        },
        look: async () => ({ allowed: true }),
        reset: async () => undefined,
      },
    })
    const ada = await on.newcomer()
    const value = part === 'accent_color' ? 7 : 'something'
    await change(on, ada, { [part]: value })
    await change(on, ada, { [part]: value })
    expect(asked).toStrictEqual([[`${part} changes of account`, { requests: 25, seconds: 1800 }]])
    allowed = false
    expect(await fieldsOf(change(on, ada, { [part]: null }))).toStrictEqual([field(part, code)])
    expect(await change(on, ada, { [part]: value })).toMatchObject({ [part]: value })
  })
})
