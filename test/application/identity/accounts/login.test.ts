import { describe, expect, it } from 'vitest'
import { getCurrentUser } from '../../../../application/identity/accounts/current-user.ts'
import { login } from '../../../../application/identity/accounts/login.ts'
import { logout } from '../../../../application/identity/accounts/logout.ts'
import type { AuthToken } from '../../../../application/identity/accounts/start-session.ts'
import { sessionTokenHash } from '../../../../application/identity/tokens/session-token.ts'
import type { Caller } from '../../../../application/caller.ts'
import type { Asker } from '../../../../application/ports/asker.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import { accountFlags } from '../../../../domain/account/flags.ts'
import { applicationId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'

const both = [field('email', 'INVALID_EMAIL_OR_PASSWORD'), field('password', 'INVALID_EMAIL_OR_PASSWORD')]

const signIn = (on: World, email: string, password: string, inviteCode: string | null = null) =>
  login(on.ports)(on.requester(), { email, password, inviteCode })

async function signedIn(on: World, email: string): Promise<AuthToken> {
  const answer = await signIn(on, email, 'a password')
  if ('mfa' in answer) throw new Error('A second factor was asked for')
  return answer
}

describe('logging in', () => {
  it('begins another session of the account', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    const answer = await signedIn(on, 'Ada@example.com')
    expect(answer).toMatchObject({ user_id: id, user: { username: 'Ada' } })
    expect(await on.ports.queries.accounts.bySession(sessionTokenHash(answer.token))).toMatchObject({ id })
  })

  it('refuses a wrong password, an unknown address and an account without a password alike, and hashes each time', async () => {
    const on = world()
    await on.newcomer('Ada')
    const verified: (string | null)[] = []
    const passwords = {
      ...on.ports.passwords,
      verify: async (password: string, hash: string | null, asker: Asker) => {
        verified.push(hash)
        return on.ports.passwords.verify(password, hash, asker)
      },
    }
    const ports = { ...on.ports, passwords }
    const tries = [
      { email: 'Ada@example.com', password: 'another password', inviteCode: null },
      { email: 'nobody@example.com', password: 'a password', inviteCode: null },
    ]
    for (const given of tries) expect(await fieldsOf(login(ports)(on.requester(), given))).toStrictEqual(both)
    expect(verified).toStrictEqual(['hash of a password', null])
  })

  it('charges the address and the client before it checks either, and stops when they are used up', async () => {
    const charged: string[] = []
    const allowances: Allowances = {
      look: async () => ({ allowed: true }),
      take: async (name, _, { requests, seconds }) => {
        charged.push(`${name} ${requests}/${seconds}`)
        return charged.length > 2 ? { allowed: false, retryAfterSeconds: 1 } : { allowed: true }
      },
      reset: async () => undefined,
    }
    const on = world({ allowances })
    expect(await codeOf(signIn(on, 'nobody@example.com', 'a password'))).toBe('INVALID_FORM_BODY')
    expect(charged).toStrictEqual(['login of address 5/900', 'login from client 10/1800'])
    expect(await codeOf(signIn(on, 'nobody@example.com', 'a password'))).toBe('RATE_LIMITED')
  })

  it('refuses a sign-in that is overtaken by a new password like a wrong one, at the brake, too', async () => {
    let isPulled = false
    const on = world({
      allowances: {
        look: async () => ({ allowed: true }),
        take: async (name) =>
          isPulled && name === 'login of address' ? { allowed: false, retryAfterSeconds: 1 } : { allowed: true },
        reset: async () => undefined,
      },
    })
    const id = await on.newcomer('Ada')
    const overtaken = async () => {
      const verify = async () => {
        const passwordHash = `hash ${on.requester().context.newId()}`
        const change = { type: 'ChangePassword', passwordHash, except: null, now: on.now } as const
        await on.ports.aggregates.account.execute(id, change, on.requester().context)
        return 'right' as const
      }
      const ports = { ...on.ports, passwords: { ...on.ports.passwords, verify } }
      return login(ports)(on.requester(), { email: 'Ada@example.com', password: 'a password', inviteCode: null })
    }
    expect(await fieldsOf(overtaken())).toStrictEqual(both)
    isPulled = true
    expect(await codeOf(overtaken())).toBe('RATE_LIMITED')
  })

  it('accepts an invite that was sent along, but does not fail if that fails', async () => {
    const on = world()
    const owner = await on.newcomer()
    const { id, code } = await on.guildOf(owner)
    const brian = await on.newcomer('Brian')
    expect(await signIn(on, 'Brian@example.com', 'a password', 'nobodys1')).toHaveProperty('token')
    await signIn(on, 'Brian@example.com', 'a password', code)
    expect(await on.ports.queries.members.find(id, brian)).toBeDefined()
  })
})

describe('logging out', () => {
  it('ends only the session that the request was made with', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    const [first, second] = [await signedIn(on, 'Ada@example.com'), await signedIn(on, 'Ada@example.com')]
    const caller: Caller = {
      ...(await on.as(id)),
      credential: { kind: 'session', tokenHash: sessionTokenHash(first.token) },
    }
    await logout(on.ports)(caller)
    await on.ports.readModels.reached(0n)
    expect(await on.ports.queries.accounts.bySession(sessionTokenHash(first.token))).toBeUndefined()
    expect(await on.ports.queries.accounts.bySession(sessionTokenHash(second.token))).toMatchObject({ id })
  })

  it('changes nothing for a bot', async () => {
    const on = world()
    const id = await on.newcomer()
    on.setAccount(id, { bot: true })
    const before = (await on.events()).length
    await logout(on.ports)(await on.as(id))
    expect(await on.events()).toHaveLength(before)
  })
})

describe('the current user', () => {
  it('is the whole account for a session, with what its age allows', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    on.setAccount(id, { dateOfBirth: '2008-05-01', acls: ['*'], flags: accountFlags.STAFF.toString() })
    const user = await getCurrentUser()(await on.as(id))
    expect(user).toMatchObject({
      id,
      email: 'Ada@example.com',
      verified: true,
      acls: ['*'],
      is_staff: true,
      nsfw_allowed: true,
    })
    on.setAccount(id, { dateOfBirth: '2008-05-02' })
    expect((await getCurrentUser()(await on.as(id))).nsfw_allowed).toBe(false)
  })

  it('says that an operator has verified its age, only if so', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    on.setAccount(id, { dateOfBirth: null })
    expect(await getCurrentUser()(await on.as(id))).not.toHaveProperty('age_verified_adult')
    on.setAccount(id, { flags: accountFlags.AGE_VERIFIED_ADULT.toString() })
    expect(await getCurrentUser()(await on.as(id))).toMatchObject({ age_verified_adult: true, nsfw_allowed: true })
  })

  it('is reduced for an application, which sees the address only with the scope email', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    on.setAccount(id, { dateOfBirth: '2000-01-01', acls: ['*'] })
    const caller = await on.as(id)
    const bearer = (...scopes: readonly string[]): Caller => ({
      ...caller,
      credential: {
        kind: 'bearer',
        applicationId: applicationId(id),
        scopes: new Set(scopes),
        isAdminApplication: false,
        expiresAt: on.now,
      },
    })
    expect(await getCurrentUser()(bearer('identify'))).toMatchObject({
      username: 'Ada',
      email: null,
      acls: [],
      nsfw_allowed: false,
    })
    expect((await getCurrentUser()(bearer('identify', 'email'))).email).toBe('Ada@example.com')
  })
})
