import { describe, expect, it } from 'vitest'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import { finishUnfinished } from '../../../../application/processes/finish-unfinished.ts'
import type { OpenIdProvider, ProviderIdentity } from '../../../../application/ports/openid-provider.ts'
import {
  completeSignOn,
  type CompletedSignOn,
} from '../../../../application/identity/single-sign-on/complete-sign-on.ts'
import { startSignOn } from '../../../../application/identity/single-sign-on/start-sign-on.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { parsed } from '../../../../domain/kernel/parsed.ts'
import { takeAllDiscriminators } from '../../support/full-username.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import type { WorldOptions } from '../../support/world-options.ts'

const issuer = 'https://id.example.com'
const ada: ProviderIdentity = {
  issuer,
  subject: 'ada',
  email: 'ada@example.com',
  emailVerified: true,
  name: 'Ada Lovelace',
  preferredUsername: 'ada',
}

/** A provider that uses the code as the person's subject, and its people. */
function providerOf(...people: readonly ProviderIdentity[]): OpenIdProvider {
  return {
    authorizationUrl: async () => parsed(`${issuer}/authorize`),
    redeem: async (_, { code }) => parsed(people.find(({ subject }) => subject === code) ?? ada),
  }
}

const singleSignOn = { ...freshPolicy.singleSignOn, enabled: true, issuer, clientId: 'guildhall' }

function worldWith(people: readonly ProviderIdentity[] = [ada], options: WorldOptions = {}): World {
  return world({ openIdProvider: providerOf(...people), ...options, policy: { singleSignOn, ...options.policy } })
}

async function signOn(on: World, code = 'ada', requester = on.requester()): Promise<CompletedSignOn> {
  const { state } = await startSignOn(on.ports)(on.requester(), { redirectTo: null, redirectUri: null })
  return completeSignOn(on.ports)(requester, { code, state })
}

const typesOf = async (on: World): Promise<readonly string[]> => (await on.events()).map(({ type }) => type)

describe('signing in with a provider for the first time', () => {
  it('claims identity, address and tag, registers, and links in the same append', async () => {
    const on = worldWith()
    const { user_id: id } = await signOn(on)
    expect(await typesOf(on)).toStrictEqual([
      'SingleSignOnIdentityClaimed',
      'EmailAddressClaimed',
      'HandleClaimed',
      'AccountIdentityFixed',
      'AccountRegistered',
      'SingleSignOnLinked',
      'SessionStarted',
    ])
    expect((await on.events()).every(({ metadata }) => Reflect.get(metadata.actor, 'id') === id)).toBe(true)
  })

  it('writes neither the subject nor the address into the name of a stream', async () => {
    const on = worldWith([{ ...ada, subject: 'subject-of-ada' }])
    await signOn(on, 'subject-of-ada')
    for (const { stream } of await on.events()) expect(stream).not.toMatch(/subject|example/)
  })

  it('creates one account for twenty sign-ins of one person at once', async () => {
    const on = worldWith([ada], { lag_ms: 2 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => signOn(on)))
    expect(new Set(answers.map(({ user_id: id }) => id)).size).toBe(1)
    const types = await typesOf(on)
    expect(types.filter((type) => type === 'AccountRegistered')).toHaveLength(1)
    expect(types.filter((type) => type === 'SingleSignOnLinked')).toHaveLength(1)
  })

  it('refuses one that is overtaken by a change of the credentials: its state works no more', async () => {
    const on = worldWith()
    const { user_id: id } = await signOn(on)
    const { accounts } = on.ports.queries
    const find: typeof accounts.find = async (wanted) => {
      const passwordHash = `hash ${on.requester().context.newId()}`
      const change = { type: 'ChangePassword', passwordHash, except: null, now: on.now } as const
      await on.ports.aggregates.account.execute(id, change, on.requester().context)
      return accounts.find(wanted)
    }
    const { state } = await startSignOn(on.ports)(on.requester(), { redirectTo: null, redirectUri: null })
    const ports = { ...on.ports, queries: { ...on.ports.queries, accounts: { ...accounts, find } } }
    const late = completeSignOn(ports)(on.requester(), { code: 'ada', state })
    expect(await fieldsOf(late)).toStrictEqual([field('state', 'INVALID_OR_EXPIRED_SSO_STATE')])
  })

  it('links one account once when twenty sign-ins adopt it at once', async () => {
    const on = worldWith([{ ...ada, email: 'known@example.com' }], { lag_ms: 2 })
    const known = await on.newcomer('known')
    const answers = await Promise.all(Array.from({ length: 20 }, () => signOn(on)))
    expect(answers.map(({ user_id: id }) => id)).toStrictEqual(answers.map(() => known))
    expect((await typesOf(on)).filter((type) => type === 'SingleSignOnLinked')).toHaveLength(1)
  })

  it('gives one of two identities that want one address at once the account', async () => {
    const on = worldWith([ada, { ...ada, subject: 'twin' }], { lag_ms: 2 })
    const codes = await Promise.all(['ada', 'twin'].map((code) => signOn(on, code).then(() => 'in', codeOfError)))
    expect(codes.filter((code) => code === 'in')).toHaveLength(1)
    expect((await typesOf(on)).filter((type) => type === 'AccountRegistered')).toHaveLength(1)
  })

  it('returns the same account when the command is repeated', async () => {
    const on = worldWith()
    const { commandId } = on.requester().context
    const ids = Array.from({ length: 8 }, () => on.requester().context.newId())
    const again = (mayRepeat: boolean) => {
      const rest = [...ids]
      const newId = () => rest.shift() ?? on.requester().context.newId()
      return on.requester({ commandId, mayRepeat, newId, randomBytes: (count) => new Uint8Array(count).fill(7) })
    }
    const first = await signOn(on, 'ada', again(false))
    const before = await typesOf(on)
    expect(await signOn(on, 'ada', again(true))).toStrictEqual(first)
    expect(await typesOf(on)).toStrictEqual(before)
  })
})

describe('a first sign-in whose process died', () => {
  async function finish(on: World) {
    on.restart()
    await on.ports.readModels.reached(0n)
    on.wait(60_000)
    const olderThan = on.now
    on.wait(1)
    return finishUnfinished(on.ports)(olderThan, on.now)
  }

  it.each(['EmailAddressClaimed', 'HandleClaimed', 'AccountRegistered'])(
    'before %s does not block the person',
    async (type) => {
      const on = worldWith()
      on.dieBefore(type)
      await expect(signOn(on)).rejects.toThrow(type)
      expect((await finish(on)).failures).toStrictEqual([])
      expect((await typesOf(on)).filter((each) => each === 'SingleSignOnIdentityReleased')).toHaveLength(1)
      expect(await signOn(on)).toMatchObject({ user: { username: 'ada' } })
    },
  )

  it('between claiming the identity and linking a known account releases the identity', async () => {
    const on = worldWith([{ ...ada, email: 'known@example.com' }])
    const known = await on.newcomer('known')
    on.dieBefore('SingleSignOnLinked')
    await expect(signOn(on)).rejects.toThrow('SingleSignOnLinked')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await signOn(on)).toMatchObject({ user_id: known })
  })

  it('makes the next one a CONFLICT until it is finished', async () => {
    const on = worldWith()
    on.dieBefore('EmailAddressClaimed')
    await expect(signOn(on)).rejects.toThrow('EmailAddressClaimed')
    on.restart()
    expect(await codeOf(signOn(on))).toBe('CONFLICT')
  })
})

describe('a sign-in that is refused leaves nothing behind', () => {
  it('if the account of the address is linked to another identity', async () => {
    const on = worldWith([ada, { ...ada, subject: 'another' }])
    await signOn(on)
    const before = await typesOf(on)
    expect(await fieldsOf(signOn(on, 'another'))).toStrictEqual([field('code', 'SSO_IDENTITY_MISMATCH')])
    expect((await typesOf(on)).slice(before.length)).toStrictEqual([
      'SingleSignOnIdentityClaimed',
      'SingleSignOnIdentityReleased',
    ])
  })

  it("if no discriminator of the person's possible names is left", async () => {
    const on = worldWith([{ ...ada, name: null }])
    await takeAllDiscriminators(on, 'ada')
    expect(await fieldsOf(signOn(on))).toStrictEqual([field('code', 'SSO_UNABLE_TO_ALLOCATE_DISCRIMINATOR')])
    expect((await typesOf(on)).slice(-4)).toStrictEqual([
      'SingleSignOnIdentityClaimed',
      'EmailAddressClaimed',
      'EmailAddressReleased',
      'SingleSignOnIdentityReleased',
    ])
  })

  it("if the account is a bot's", async () => {
    const on = worldWith()
    const { user_id: id } = await signOn(on)
    on.setAccount(id, { bot: true })
    expect(await codeOf(signOn(on))).toBe('BOT_USER_AUTH_SESSION_CREATION_DENIED')
  })

  it('if the instance creates no accounts', async () => {
    const on = worldWith([ada], { policy: { singleSignOn: { ...singleSignOn, autoProvision: false } } })
    expect(await codeOf(signOn(on))).toBe('SSO_REQUIRED')
    expect(await typesOf(on)).toStrictEqual([])
  })
})

describe('on an instance where people sign in by username', () => {
  const accountIdentity = { signIn: 'username', tagStyle: 'none' } as const

  it('an account has no address, and a name of its own where its name is taken', async () => {
    const on = worldWith([ada, { ...ada, subject: 'twin' }], { policy: { accountIdentity } })
    const [first, second] = [await signOn(on), await signOn(on, 'twin')]
    expect(first.user).toMatchObject({ username: 'ada', discriminator: '0000' })
    expect(second.user).toMatchObject({ username: 'Ada_Lovelace', discriminator: '0000' })
    expect(await typesOf(on)).not.toContain('EmailAddressClaimed')
    expect((await signOn(on)).user_id).toBe(first.user_id)
  })
})

describe('a state', () => {
  it('lives ten minutes', async () => {
    const on = worldWith()
    const begin = () => startSignOn(on.ports)(on.requester(), { redirectTo: null, redirectUri: null })
    const [early, late] = [await begin(), await begin()]
    const finish = ({ state }: { readonly state: string }) =>
      completeSignOn(on.ports)(on.requester(), { code: 'ada', state })
    on.wait(599_000)
    expect(await finish(early)).toHaveProperty('token')
    on.wait(1000)
    expect(await fieldsOf(finish(late))).toStrictEqual([field('state', 'INVALID_OR_EXPIRED_SSO_STATE')])
  })
})

function codeOfError(error: Error): string {
  return error.message
}
