import { describe, expect, it } from 'vitest'
import { login } from '../../../../application/identity/accounts/login.ts'
import { register, type Registration } from '../../../../application/identity/accounts/registering/register.ts'
import type { AuthToken } from '../../../../application/identity/accounts/start-session.ts'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { changeOwnAccount } from '../../../../application/identity/own-account/change-own-account.ts'
import { checkTag } from '../../../../application/identity/own-account/read-users.ts'
import type { Asker } from '../../../../application/ports/asker.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import type { AccountIdentityPolicy } from '../../../../domain/instance/policy.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { typesOf } from '../../support/happenings.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
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

const instanceOf = (accountIdentity: Partial<AccountIdentityPolicy>, options: WorldOptions = {}): World =>
  world({ ...options, policy: { accountIdentity: { ...freshPolicy.accountIdentity, ...accountIdentity } } })

const alone = (options?: WorldOptions): World => instanceOf({ signIn: 'username', tagStyle: 'none' }, options)

async function registered(on: World, wishes: Partial<Registration>): Promise<AuthToken> {
  const answer = await register(on.ports)(on.requester(), { ...nothing, password: 'a password', ...wishes })
  if (!('token' in answer)) throw new Error('It waits for approval')
  return answer
}

const signIn = (on: World, username: string | null, password = 'a password') =>
  login(on.ports)(on.requester(), { email: null, username, password, inviteCode: null })

const both = [field('username', 'INVALID_EMAIL_OR_PASSWORD'), field('password', 'INVALID_EMAIL_OR_PASSWORD')]

describe('where people sign in by username', () => {
  it('an account has no address, and may do everything that elsewhere needs a verified one', async () => {
    const on = alone()
    const { user_id: id } = await registered(on, { username: 'Ada' })
    expect(await on.ports.queries.accounts.find(id)).toMatchObject({ email: null, emailVerified: true })
  })

  it('an address is refused with EMAIL_UNAVAILABLE_ON_INSTANCE, and nothing happens', async () => {
    const on = alone()
    expect(await codeOf(registered(on, { username: 'Ada', email: 'ada@example.com' }))).toBe(
      'EMAIL_UNAVAILABLE_ON_INSTANCE',
    )
    expect(await typesOf(on)).toStrictEqual([])
  })

  it('the username signs in, in any case and with or without its discriminator', async () => {
    const on = alone()
    const { user_id: id } = await registered(on, { username: 'Ada' })
    for (const name of ['Ada', 'ada', ' ADA ', 'ada#0', 'Ada#0000'])
      expect(await signIn(on, name)).toMatchObject({ user_id: id })
  })

  it('a wrong name, a wrong password and an invalid name are refused alike, after the same work', async () => {
    const on = alone()
    await registered(on, { username: 'Ada' })
    await registered(on, { username: 'Grace', password: null })
    const verified: (string | null)[] = []
    const verify = async (password: string, hash: string | null, asker: Asker) => {
      verified.push(hash)
      return on.ports.passwords.verify(password, hash, asker)
    }
    const ports = { ...on.ports, passwords: { ...on.ports.passwords, verify } }
    const wrong = { email: null, password: 'another password', inviteCode: null }
    for (const username of ['Ada', 'nobody', 'Ada#1815', 'a b', 'everyone', 'Grace', 'ada@example.com'])
      expect(await fieldsOf(login(ports)(on.requester(), { ...wrong, username }))).toStrictEqual(both)
    expect(verified).toStrictEqual(['hash of a password', null, null, null, null, null, null])
  })

  it('the name must be sent, and an address is none', async () => {
    const on = alone()
    expect(await fieldsOf(signIn(on, null))).toStrictEqual([field('username', 'INVALID_FORMAT')])
    const byEmail = { email: 'ada@example.com', username: null, password: 'a password', inviteCode: null }
    expect(await fieldsOf(login(on.ports)(on.requester(), byEmail))).toStrictEqual([
      field('username', 'INVALID_FORMAT'),
    ])
    const mail = world()
    expect(await fieldsOf(signIn(mail, 'Ada'))).toStrictEqual([field('email', 'INVALID_FORMAT')])
  })

  it('tries are charged to the name, however it is written', async () => {
    const charged: string[] = []
    const allowances: Allowances = {
      look: async () => ({ allowed: true }),
      take: async (name, key) => (charged.push(`${name}: ${key}`), { allowed: true }),
      reset: async () => undefined,
    }
    const on = alone({ allowances })
    for (const name of ['Ada', 'ADA#0000']) await fieldsOf(signIn(on, name))
    expect(charged.filter((each) => each.startsWith('login of'))).toStrictEqual([
      'login of address: ada#0',
      'login of address: ada#0',
    ])
  })

  it('with discriminators the whole tag signs in, and the username alone does not', async () => {
    const on = instanceOf({ signIn: 'username', tagStyle: 'discriminator' })
    const { user_id: id, user } = await registered(on, { username: 'Ada' })
    await registered(on, { username: 'Ada' })
    expect(await signIn(on, `ada#${user.discriminator}`)).toMatchObject({ user_id: id })
    expect(await fieldsOf(signIn(on, 'Ada'))).toStrictEqual(both)
  })
})

describe('where usernames alone are unique', () => {
  it('everybody has 0000', async () => {
    const on = alone()
    expect((await registered(on, { username: 'Ada' })).user.discriminator).toBe('0000')
    expect((await registered(on, { globalName: 'Grace' })).user).toMatchObject({
      username: 'Grace',
      discriminator: '0000',
    })
  })

  it('a username that somebody has, in any case, is USERNAME_ALREADY_TAKEN', async () => {
    const on = alone()
    await registered(on, { username: 'Ada' })
    const before = await typesOf(on)
    expect(await fieldsOf(registered(on, { username: 'aDA' }))).toStrictEqual([
      field('username', 'USERNAME_ALREADY_TAKEN'),
    ])
    expect(await typesOf(on)).toStrictEqual(before)
  })

  it('one of 20 who want one name at once gets it, and the others leave nothing behind', async () => {
    const on = instanceOf({ tagStyle: 'none' }, { lag_ms: 2 })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, number) =>
        registered(on, { username: 'ada', email: `a${number}@example.com` }).then(
          () => 'registered',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'registered')).toHaveLength(1)
    const types = await typesOf(on)
    const count = (type: string) => types.filter((each) => each === type).length
    expect(count('HandleClaimed')).toBe(1)
    expect(count('EmailAddressClaimed') - count('EmailAddressReleased')).toBe(1)
  })

  it('a free name is generated if another is taken', async () => {
    const on = alone()
    await registered(on, { username: 'Grace' })
    expect((await registered(on, { globalName: 'Grace' })).user.username).toMatch(/^user_/)
  })

  const change = async (on: World, id: AuthToken['user_id'], patch: object) =>
    changeOwnAccount(on.ports)(await on.as(id), { password: null, ...patch }, async () => undefined)

  it('a new name is accepted if it is free, and releases the old one', async () => {
    const on = alone()
    const { user_id: ada } = await registered(on, { username: 'Ada' })
    await registered(on, { username: 'Grace' })
    expect(await fieldsOf(change(on, ada, { username: 'GRACE' }))).toStrictEqual([
      field('username', 'USERNAME_ALREADY_TAKEN'),
    ])
    expect(await change(on, ada, { username: 'Countess', discriminator: 0 })).toMatchObject({
      username: 'Countess',
      discriminator: '0000',
    })
    expect(await registered(on, { username: 'Ada' })).toHaveProperty('token')
  })

  it('a discriminator other than 0 is DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE', async () => {
    const on = alone()
    const { user_id: ada } = await registered(on, { username: 'Ada' })
    const refused = [field('discriminator', 'DISCRIMINATOR_NOT_SUPPORTED_ON_INSTANCE')]
    for (const patch of [{ discriminator: 1815 }, { username: 'Countess', discriminator: 1 }])
      expect(await fieldsOf(change(on, ada, patch))).toStrictEqual(refused)
    expect(await change(on, ada, { discriminator: 0 })).toMatchObject({ username: 'Ada' })
    const check = checkTag(on.ports)
    expect(await fieldsOf(check(await on.as(ada), { username: 'Ada', discriminator: 1 }))).toStrictEqual(refused)
  })

  it('a name is taken if another account has it', async () => {
    const on = alone()
    const { user_id: ada } = await registered(on, { username: 'Ada' })
    await registered(on, { username: 'Grace' })
    const taken = async (username: string) => checkTag(on.ports)(await on.as(ada), { username, discriminator: 0 })
    expect(await taken('GRACE')).toStrictEqual({ taken: true })
    expect(await taken('Ada')).toStrictEqual({ taken: false })
    expect(await taken('Linus')).toStrictEqual({ taken: false })
  })

  it('an address can neither be set nor be applied', async () => {
    const on = alone()
    const { user_id: ada } = await registered(on, { username: 'Ada' })
    for (const patch of [{ email: 'ada@example.com' }, { email_token: 'x' }])
      expect(await codeOf(change(on, ada, patch))).toBe('EMAIL_UNAVAILABLE_ON_INSTANCE')
  })
})
