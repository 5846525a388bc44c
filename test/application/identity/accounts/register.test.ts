import { describe, expect, it } from 'vitest'
import { register, type Registration } from '../../../../application/identity/accounts/registering/register.ts'
import type { AuthToken } from '../../../../application/identity/accounts/start-session.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import { accountId } from '../../../../domain/ids/ids.ts'
import { snowflake } from '../../../../domain/ids/snowflake.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { takeAllDiscriminators } from '../../support/full-username.ts'
import { codeOf, fieldsOf, refusalOf } from '../../support/refusals.ts'
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

const ada: Registration = { ...nothing, email: 'ada@example.com', username: 'Ada', password: 'a password' }

async function registered(on: World, wishes: Partial<Registration> = {}): Promise<AuthToken> {
  const answer = await register(on.ports)(on.requester(), { ...nothing, ...wishes })
  if ('registration_pending_approval' in answer) throw new Error('It waits for approval')
  return answer
}

const typesOf = async (on: World): Promise<readonly string[]> => (await on.events()).map(({ type }) => type)

describe('registering', () => {
  it('claims the address, then the tag, then registers, then signs in', async () => {
    const on = world()
    const answer = await registered(on, ada)
    expect(await typesOf(on)).toStrictEqual([
      'EmailAddressClaimed',
      'HandleClaimed',
      'AccountIdentityFixed',
      'AccountRegistered',
      'IpAddressAuthorized',
      'SessionStarted',
    ])
    expect(answer).toMatchObject({ user_id: answer.user.id, user: { username: 'Ada', global_name: null, flags: 0 } })
    expect(answer.token).toMatch(/^gld_[A-Za-z0-9]{36}$/)
    expect(answer.user.discriminator).toMatch(/^(?!0000)\d{4}$/)
    const account = await on.ports.queries.accounts.find(answer.user_id)
    expect(account).toMatchObject({ email: 'ada@example.com', emailVerified: true, hasPassword: true, locale: 'en-US' })
  })

  it('begins no session if somebody has adopted the account since, also where it is repeated', async () => {
    const on = world()
    const { commandId } = on.requester().context
    const ids = Array.from({ length: 8 }, () => on.requester().context.newId())
    const again = (mayRepeat: boolean) => {
      const rest = [...ids]
      let drawn = 0
      const newId = () => rest.shift() ?? on.requester().context.newId()
      const randomBytes = (count: number) => Uint8Array.from({ length: count }, () => (drawn += 37) % 248)
      return on.requester({ commandId, mayRepeat, newId, randomBytes })
    }
    on.dieBefore('SessionStarted')
    await expect(register(on.ports)(again(false), ada)).rejects.toThrow(Died)
    on.restart()
    const created = (await on.events()).find(({ type }) => type === 'AccountRegistered')
    const id = accountId(snowflake(String(Object(created?.data)['accountId'])))
    const change = { type: 'ChangePassword', passwordHash: '$holder', except: null, now: on.now } as const
    await on.ports.aggregates.account.execute(id, change, on.requester().context)
    expect(await codeOf(register(on.ports)(again(true), ada))).toBe('UNAUTHORIZED')
    expect(await typesOf(on)).not.toContain('SessionStarted')
  })

  it('fixes how accounts are identified, the first time', async () => {
    const on = world()
    await registered(on, ada)
    const { instancePolicies } = on.ports
    expect((await instancePolicies.standing()).identityIsFixed).toBe(true)
    await on.newcomer('Grace')
    expect((await typesOf(on)).filter((type) => type === 'AccountIdentityFixed')).toHaveLength(1)
    const change = instancePolicies.change({ accountIdentity: { signIn: 'username' } }, on.requester().context)
    await expect(change).rejects.toMatchObject({ refusal: { code: 'INSTANCE_POLICY_TRANSITION_NOT_ALLOWED' } })
  })

  it('makes the account the actor of its own registration', async () => {
    const on = world()
    const { user_id: id } = await registered(on, ada)
    for (const { metadata } of await on.events()) expect(metadata.actor).toStrictEqual({ kind: 'account', id })
  })

  it('stores no token, and no password', async () => {
    const on = world()
    const { token } = await registered(on, ada)
    const written = JSON.stringify(await on.events(), (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    expect(written).not.toContain(token)
    expect(written).not.toContain('"a password"')
  })

  it('creates an unclaimed account from an empty body, and needs no date of birth', async () => {
    const on = world()
    const { user_id: id, user } = await registered(on)
    expect(user.username).toMatch(/^user_[a-z0-9]{10}$/)
    expect(await on.ports.queries.accounts.find(id)).toMatchObject({
      email: null,
      emailVerified: false,
      hasPassword: false,
    })
  })

  it('derives a username from the display name, and generates one if that yields none', async () => {
    const on = world()
    expect((await registered(on, { globalName: 'Ådä  Lovelace!' })).user).toMatchObject({
      username: 'Ada_Lovelace',
      global_name: 'Ådä  Lovelace!',
    })
    for (const globalName of ['🎈', 'guildhall', '愛']) {
      expect((await registered(on, { globalName })).user.username).toMatch(/^user_/)
    }
  })

  it('gives each of many namesakes a tag of its own', async () => {
    const on = world({ lag_ms: 2 })
    const answers = await Promise.all(Array.from({ length: 50 }, () => registered(on, { username: 'ada' })))
    expect(new Set(answers.map(({ user }) => user.discriminator)).size).toBe(50)
  })

  it('gives one of many who want one address at once the account, and the others nothing', async () => {
    const on = world({ lag_ms: 2 })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        registered(on, ada).then(
          () => 'registered',
          (error: Error) => error.message,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'registered')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'INVALID_FORM_BODY')).toHaveLength(19)
    expect((await typesOf(on)).filter((type) => type === 'HandleClaimed')).toHaveLength(1)
  })

  it('joins the guild of an invite that was sent along, and ignores one that admits nobody', async () => {
    const on = world()
    const owner = await on.newcomer()
    const { id, code } = await on.guildOf(owner)
    const { user_id: joined } = await registered(on, { inviteCode: ` ${code} ` })
    expect(await on.ports.queries.members.find(id, joined)).toBeDefined()
    for (const inviteCode of ['nobodys1', '', ' ']) {
      const { user_id: other } = await registered(on, { inviteCode })
      expect(await on.ports.queries.members.guildCountOf(other)).toBe(0)
    }
  })

  it('returns the same account, with the same token, when the command is repeated', async () => {
    const on = world()
    const { commandId } = on.requester().context
    const ids = Array.from({ length: 8 }, () => on.requester().context.newId())
    const again = (mayRepeat: boolean) => {
      const rest = [...ids]
      let drawn = 0
      return on.requester({
        commandId,
        mayRepeat,
        newId: () => rest.shift() ?? on.requester().context.newId(),
        randomBytes: (count) => Uint8Array.from({ length: count }, () => (drawn += 37) % 248),
      })
    }
    const first = await register(on.ports)(again(false), ada)
    const before = await typesOf(on)
    on.restart()
    expect(await register(on.ports)(again(true), ada)).toStrictEqual(first)
    expect(await typesOf(on)).toStrictEqual(before)
  })
})

describe('a registration is refused', () => {
  const nobody = (options?: WorldOptions) => world(options)

  it('for an address that is in use, in any case, and releases nothing of its holder', async () => {
    const on = nobody()
    await registered(on, ada)
    const before = await typesOf(on)
    expect(await fieldsOf(registered(on, ada))).toStrictEqual([field('email', 'EMAIL_ALREADY_IN_USE')])
    expect(await typesOf(on)).toStrictEqual(before)
  })

  it.each([
    ['', 'USERNAME_LENGTH_INVALID'],
    ['a'.repeat(33), 'USERNAME_LENGTH_INVALID'],
    ['a b', 'USERNAME_INVALID_CHARACTERS'],
    ['Everyone', 'USERNAME_RESERVED_VALUE'],
    ['my_GuildHall', 'USERNAME_CANNOT_CONTAIN_RESERVED_TERMS'],
  ] as const)('for the username "%s" with %s', async (username, code) => {
    const on = nobody()
    expect(await fieldsOf(registered(on, { username }))).toStrictEqual([field('username', code)])
    expect(await typesOf(on)).toStrictEqual([])
  })

  it('when no discriminator of the username is left, and releases the address again', async () => {
    const on = nobody()
    await takeAllDiscriminators(on, 'ada')
    expect(await fieldsOf(registered(on, ada))).toStrictEqual([field('username', 'TOO_MANY_USERS_WITH_THIS_USERNAME')])
    expect((await typesOf(on)).slice(-2)).toStrictEqual(['EmailAddressClaimed', 'EmailAddressReleased'])
    expect((await registered(on, { globalName: 'Ada' })).user.username).toMatch(/^user_/)
  })

  it('below the age of 13, which is reached on the birthday', async () => {
    const on = nobody()
    const tooYoung = fieldsOf(registered(on, { dateOfBirth: '2013-05-02' }))
    expect(await tooYoung).toStrictEqual([field('date_of_birth', 'MUST_BE_MINIMUM_AGE')])
    expect(await registered(on, { dateOfBirth: '2013-05-01' })).toHaveProperty('token')
  })

  it('without consent, only on a hosted instance', async () => {
    const hosted = nobody({ instance: { hosted: true } })
    expect(await fieldsOf(registered(hosted))).toStrictEqual([field('consent', 'MUST_AGREE_TO_TOS_AND_PRIVACY_POLICY')])
    expect(await registered(hosted, { consent: true })).toHaveProperty('token')
    expect(await registered(nobody())).toHaveProperty('token')
  })

  it('for an unknown registration URL', async () => {
    expect(await codeOf(registered(nobody(), { registrationUrlCode: 'x' }))).toBe('REGISTRATION_URL_INVALID')
  })

  it('beyond its allowances: by the address, the client, and the network, none of which sees the address itself', async () => {
    const charged: string[] = []
    const allowances: Allowances = {
      look: async () => ({ allowed: true }),
      take: async (name, key, { requests, seconds }) => {
        charged.push(`${name}: ${key} ${requests}/${seconds}`)
        return name === 'registration from network' ? { allowed: false, retryAfterSeconds: 12.5 } : { allowed: true }
      },
      reset: async () => undefined,
    }
    const on = nobody({ allowances })
    const refusal = await refusalOf(registered(on, ada))
    expect(refusal).toStrictEqual({ code: 'RATE_LIMITED', fields: [], details: { global: false, retry_after: 12.5 } })
    expect(charged).toStrictEqual([
      `registration of address: ${on.ports.addressHash('ada@example.com')} 3/900`,
      'registration from client: 192.0.2.1/32 3/3600',
      'registration from network: 192.0.2/24 15/3600',
    ])
    expect(await typesOf(on)).toStrictEqual([])
  })
})
