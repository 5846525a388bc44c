import { describe, expect, it } from 'vitest'
import { login } from '../../../../application/identity/accounts/login.ts'
import { register, type Registration } from '../../../../application/identity/accounts/registering/register.ts'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import { resetPasswordTicket } from '../../../../application/identity/recovery/mailed-tokens.ts'
import { resetPassword } from '../../../../application/identity/recovery/reset-password.ts'
import {
  decideRegistration,
  listPendingRegistrations,
} from '../../../../application/identity/registrations/pending-registrations.ts'
import {
  createRegistrationUrl,
  revokeRegistrationUrl,
  type RegistrationUrlWishes,
} from '../../../../application/identity/registrations/registration-urls.ts'
import type { RegistrationPolicy } from '../../../../domain/instance/policy.ts'
import { registrationUrlId, type AccountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../../domain/kernel/timestamp.ts'
import { typesOf } from '../../support/happenings.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { Died, world, type World } from '../../support/world.ts'
import type { WorldOptions } from '../../support/world-options.ts'

const nothing: Registration = {
  email: null,
  username: null,
  globalName: null,
  password: null,
  dateOfBirth: null,
  consent: false,
  inviteCode: null,
  registrationUrlCode: null,
}
const ada = { email: 'ada@example.com', username: 'Ada', password: 'a password' }

const withMode = (registration: Partial<RegistrationPolicy>, rest: WorldOptions = {}): World =>
  world({ ...rest, policy: { registration: { ...freshPolicy.registration, ...registration }, ...rest.policy } })

const sent = (on: World, wishes: Partial<Registration>) => register(on.ports)(on.requester(), { ...nothing, ...wishes })

const signIn = (on: World) =>
  login(on.ports)(on.requester(), { email: ada.email, password: ada.password, inviteCode: null })

async function made(on: World, wishes: Partial<RegistrationUrlWishes> = {}) {
  const open = { label: null, expiresAt: null, maxUses: null, approvalRequired: false }
  const url = await createRegistrationUrl(on.ports)(on.requester().context, { ...open, ...wishes })
  await on.ports.readModels.reached(0n)
  return url
}

async function usesOf(on: World, id: string): Promise<number> {
  const { state } = await on.ports.aggregates.registrationUrl.load(id)
  return state.status === 'created' ? state.useCount : 0
}

/** Addresses, tags and uses that were claimed and not released, other than those of accounts. */
async function claimedInVain(on: World): Promise<readonly string[]> {
  const types = await typesOf(on)
  const count = (type: string): number => types.filter((each) => each === type).length
  const accounts = count('AccountRegistered')
  return [
    ['EmailAddressClaimed', 'EmailAddressReleased'],
    ['HandleClaimed', 'HandleReleased'],
    ['RegistrationUrlUsed', 'RegistrationUrlUseReturned'],
  ].flatMap(([claim = '', release = '']) => (count(claim) - count(release) > accounts ? [claim] : []))
}

describe('on a closed instance', () => {
  it('nobody registers: REGISTRATION_CLOSED, and nothing happens', async () => {
    const on = withMode({ mode: 'closed' })
    expect(await codeOf(sent(on, ada))).toBe('REGISTRATION_CLOSED')
    expect(await typesOf(on)).toStrictEqual([])
  })

  it('a registration URL admits people, and says itself whether they must wait', async () => {
    const on = withMode({ mode: 'closed', urlsEnabled: true })
    const { code } = await made(on)
    expect(await sent(on, { ...ada, registrationUrlCode: code })).toHaveProperty('token')
    const waiting = await made(on, { approvalRequired: true })
    expect(await sent(on, { registrationUrlCode: waiting.code })).toHaveProperty('registration_pending_approval', true)
  })
})

describe('on an instance that approves', () => {
  it('an account waits: it gets no session and no membership, and the answer has only its id', async () => {
    const on = withMode({ mode: 'approval' })
    const owner = (await sent(on, { email: 'owner@example.com', password: 'a password' })).user_id
    await decideRegistration(on.ports)(on.requester().context, owner, 'approved')
    const { id, code } = await on.guildOf(owner)
    const answer = await sent(on, { ...ada, inviteCode: code })
    expect(answer).toStrictEqual({ registration_pending_approval: true, user_id: answer.user_id })
    expect(await typesOf(on)).not.toContain('SessionStarted')
    expect(await on.ports.queries.members.find(id, answer.user_id)).toBeUndefined()
  })

  it('signing in to it, only with the right password, shows that it waits or was rejected', async () => {
    const on = withMode({ mode: 'approval' })
    const { user_id: id } = await sent(on, ada)
    expect(await codeOf(signIn(on))).toBe('REGISTRATION_PENDING_APPROVAL')
    const wrong = login(on.ports)(on.requester(), { email: ada.email, password: 'another one', inviteCode: null })
    expect(await codeOf(wrong)).toBe('INVALID_FORM_BODY')
    await decideRegistration(on.ports)(on.requester().context, id, 'rejected')
    expect(await codeOf(signIn(on))).toBe('REGISTRATION_REJECTED')
    await decideRegistration(on.ports)(on.requester().context, id, 'approved')
    expect(await signIn(on)).toHaveProperty('token')
  })

  it('a reset of its password is refused as well, and uses up nothing', async () => {
    const on = withMode({ mode: 'approval' })
    const { user_id: accountId } = await sent(on, ada)
    const addressHash = on.ports.addressHash(ada.email)
    const token = await on.ports.tickets.issue(resetPasswordTicket, { accountId, addressHash }, 60, accountId)
    const before = await typesOf(on)
    const reset = () => resetPassword(on.ports)(on.requester(), { token, password: 'another password' })
    expect(await codeOf(reset())).toBe('REGISTRATION_PENDING_APPROVAL')
    expect(await typesOf(on)).toStrictEqual(before)
    await decideRegistration(on.ports)(on.requester().context, accountId, 'approved')
    expect(await reset()).toHaveProperty('token')
  })

  it('a waiting account is listed until it is decided', async () => {
    const on = withMode({ mode: 'approval' })
    const { user_id: id } = await sent(on, ada)
    const listed = async () => {
      await on.ports.readModels.reached(0n)
      return (await listPendingRegistrations(on.ports)()).map(({ user_id }) => user_id)
    }
    expect(await listed()).toStrictEqual([id])
    await decideRegistration(on.ports)(on.requester().context, id, 'approved')
    expect(await listed()).toStrictEqual([])
  })

  it('no decision is made about an unknown account, and no approved account is rejected', async () => {
    const on = withMode({})
    const decide = (id: AccountId) => decideRegistration(on.ports)(on.requester().context, id, 'rejected')
    expect(await codeOf(decide((await sent(on, ada)).user_id))).toBe('CONFLICT')
    expect(await codeOf(decide('1' as AccountId))).toBe('UNKNOWN_USER')
  })
})

describe('a registration URL', () => {
  it('stores no code', async () => {
    const on = withMode({ urlsEnabled: true })
    const { code, url } = await made(on)
    expect(code).toMatch(/^[A-Za-z0-9]{32}$/)
    expect(url).toBe(`http://guildhall.test/register#code=${code}`)
    const [event] = await on.events()
    expect(JSON.stringify(event?.data)).not.toContain(code)
  })

  it('is REGISTRATION_URL_INVALID alike: unknown, revoked, expired, used up, and where none are accepted', async () => {
    const on = withMode({ mode: 'closed', urlsEnabled: true })
    const refusedBy = (registrationUrlCode: string) => codeOf(sent(on, { ...ada, registrationUrlCode }))
    const revoked = await made(on)
    await revokeRegistrationUrl(on.ports)(
      on.requester().context,
      registrationUrlId(snowflake(revoked.registration_url.id)),
    )
    const expired = await made(on, { expiresAt: secondsAfter(on.now, 60) })
    const usedUp = await made(on, { maxUses: 1 })
    await sent(on, { registrationUrlCode: usedUp.code })
    on.wait(60_000)
    const before = await typesOf(on)
    for (const code of ['nobodys', revoked.code, expired.code, usedUp.code])
      expect(await refusedBy(code)).toBe('REGISTRATION_URL_INVALID')
    expect(await typesOf(on)).toStrictEqual(before)
    const off = withMode({ urlsEnabled: false })
    expect(await codeOf(sent(off, { ...ada, registrationUrlCode: (await made(off)).code }))).toBe(
      'REGISTRATION_URL_INVALID',
    )
  })

  it('can be revoked again, or without existing, with no effect', async () => {
    const on = withMode({})
    await revokeRegistrationUrl(on.ports)(on.requester().context, registrationUrlId(on.requester().context.newId()))
    expect(await typesOf(on)).toStrictEqual([])
  })

  it('admits exactly max_uses of 64 who come at once, and the others leave nothing behind', async () => {
    const on = withMode({ mode: 'closed', urlsEnabled: true }, { lag_ms: 2 })
    const { code, registration_url: url } = await made(on, { maxUses: 10 })
    const outcomes = await Promise.all(
      Array.from({ length: 64 }, (_, number) =>
        sent(on, { email: `a${number}@example.com`, username: 'ada', registrationUrlCode: code }).then(
          () => 'registered',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'registered')).toHaveLength(10)
    expect(outcomes.filter((outcome) => outcome === 'REGISTRATION_URL_INVALID')).toHaveLength(54)
    expect(await usesOf(on, url.id)).toBe(10)
    expect(await claimedInVain(on)).toStrictEqual([])
  })

  it('gets its use back if the registration is refused later', async () => {
    const on = withMode({ urlsEnabled: true })
    await sent(on, ada)
    const { code, registration_url: url } = await made(on, { maxUses: 1 })
    const again = sent(on, { ...ada, registrationUrlCode: code })
    expect(await fieldsOf(again)).toStrictEqual([field('email', 'EMAIL_ALREADY_IN_USE')])
    expect(await usesOf(on, url.id)).toBe(0)
    expect(await claimedInVain(on)).toStrictEqual([])
    expect(await sent(on, { registrationUrlCode: code })).toHaveProperty('token')
  })

  it('gets its use back if the process dies in between, unless the account exists', async () => {
    const on = withMode({ urlsEnabled: true })
    const { code, registration_url: url } = await made(on, { maxUses: 2 })
    on.dieBefore('AccountRegistered')
    await expect(sent(on, { ...ada, registrationUrlCode: code })).rejects.toThrow(Died)
    on.restart()
    on.dieBefore('SessionStarted')
    await expect(sent(on, { registrationUrlCode: code })).rejects.toThrow(Died)
    on.restart()
    expect(await usesOf(on, url.id)).toBe(2)
    await on.ports.readModels.reached(0n)
    on.wait(1)
    const { failures } = await finishUnfinished(on.ports)(on.now, on.now)
    expect(failures).toStrictEqual([])
    expect(await usesOf(on, url.id)).toBe(1)
    expect(await claimedInVain(on)).toStrictEqual([])
  })

  it('is the same registration when the command is repeated, also for the last use', async () => {
    const on = withMode({ urlsEnabled: true })
    const { code, registration_url: url } = await made(on, { maxUses: 1 })
    const { commandId } = on.requester().context
    const ids = Array.from({ length: 8 }, () => on.requester().context.newId())
    const again = (mayRepeat: boolean) => {
      const rest = [...ids]
      let drawn = 0
      const newId = () => rest.shift() ?? on.requester().context.newId()
      const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => (drawn += 37) % 248)
      return on.requester({ commandId, mayRepeat, newId, randomBytes })
    }
    const wishes = { ...nothing, ...ada, registrationUrlCode: code }
    const first = await register(on.ports)(again(false), wishes)
    on.restart()
    expect(await register(on.ports)(again(true), wishes)).toStrictEqual(first)
    expect(await usesOf(on, url.id)).toBe(1)
  })
})

describe('the answers of a new account', () => {
  it('include a date of birth if one is collected, which must be old enough', async () => {
    const on = withMode({ collectDateOfBirth: true })
    expect(await fieldsOf(sent(on, ada))).toStrictEqual([field('date_of_birth', 'INVALID_DATE_OF_BIRTH_FORMAT')])
    expect(await typesOf(on)).toStrictEqual([])
    expect(await sent(on, { ...ada, dateOfBirth: '1990-12-10' })).toHaveProperty('token')
  })

  it.each(['termsUrl', 'privacyUrl'] as const)(
    'include consent if there is a %s, and it is recorded',
    async (document) => {
      const legal = { ...freshPolicy.legal, [document]: 'https://example.com/' }
      const on = withMode({}, { policy: { legal } })
      const refused = fieldsOf(sent(on, ada))
      expect(await refused).toStrictEqual([field('consent', 'MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY')])
      const { user_id: id } = await sent(on, { ...ada, consent: true })
      expect((await on.ports.aggregates.account.load(id)).state).toMatchObject({ termsAcceptedAt: on.now })
    },
  )

  it('agree to nothing if there is nothing to agree to', async () => {
    const on = withMode({})
    const { user_id: id } = await sent(on, { ...ada, consent: true })
    expect((await on.ports.aggregates.account.load(id)).state).toMatchObject({ termsAcceptedAt: null })
  })
})
