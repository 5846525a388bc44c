import { describe, expect, it } from 'vitest'
import { isPasswordOf } from '../../../../application/identity/accounts/is-password-of.ts'
import { login } from '../../../../application/identity/accounts/login.ts'
import { verifySudo } from '../../../../application/identity/sudo/verify-sudo.ts'
import type { Account } from '../../../../domain/account/state.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { world, type World } from '../../support/world.ts'

/** As a keyboard that does not compose letters types it. */
const typed = 'cafe\u0301 au lait'
const composed = typed.normalize('NFC')
const sudo = { mfaMethod: null, mfaCode: null, webauthnResponse: null, webauthnChallenge: null, proof: null }

/** An account whose password was hashed as it was typed, before passwords were prepared. */
async function accountFromBefore(on: World): Promise<AccountId> {
  const id = await on.newcomer('Ada')
  await changeTo(on, id, `hash of ${typed}`)
  return id
}

async function changeTo(on: World, id: AccountId, passwordHash: string): Promise<void> {
  const { context } = on.requester()
  const change = { type: 'ChangePassword', passwordHash, except: null, now: on.now } as const
  await on.ports.aggregates.account.execute(id, change, context)
}

async function stateOf(on: World, id: AccountId): Promise<Account> {
  const { state } = await on.ports.aggregates.account.load(id)
  if (state.status !== 'registered') throw new Error('The account is gone')
  return state
}

const typesSince = async (on: World, count: number) => (await on.events()).slice(count).map(({ type }) => type)
const logIn = (on: World, password: string) =>
  login(on.ports)(on.requester(), { email: 'Ada@example.com', password, inviteCode: null })

describe('a password that was hashed as it was typed', () => {
  it('signs in as it was typed, which renews its hash, and from then on in any form', async () => {
    const on = world()
    const id = await accountFromBefore(on)
    const before = (await on.events()).length
    expect(await logIn(on, typed)).toHaveProperty('token')
    expect(await typesSince(on, before)).toStrictEqual(['PasswordHashRenewed', 'SessionStarted'])
    expect(await stateOf(on, id)).toMatchObject({ passwordHash: `hash of ${composed}` })
    expect(await logIn(on, composed)).toHaveProperty('token')
    expect(await logIn(on, typed)).toHaveProperty('token')
    expect(await typesSince(on, before + 2)).toStrictEqual(['SessionStarted', 'SessionStarted'])
  })

  it('is renewed in sudo mode too, which ends no session and no proof', async () => {
    const on = world()
    const id = await accountFromBefore(on)
    await logIn(on, typed)
    await changeTo(on, id, `hash of ${typed}`)
    await logIn(on, typed)
    await changeTo(on, id, `hash of ${typed}`)
    const { sessions, credentialVersion } = await stateOf(on, id)
    const before = (await on.events()).length
    await verifySudo(on.ports)(await on.as(id), { ...sudo, password: typed })
    expect(await typesSince(on, before)).toStrictEqual(['PasswordHashRenewed'])
    const passwordHash = `hash of ${composed}`
    expect(await stateOf(on, id)).toMatchObject({ sessions, credentialVersion, passwordHash })
  })

  it('names its account as who renewed it, and keeps no reason of what was asked for', async () => {
    const on = world()
    const id = await accountFromBefore(on)
    const before = (await on.events()).length
    await isPasswordOf(on.ports, await stateOf(on, id), typed, on.requester({ reason: 'An act on somebody else' }))
    const [renewed] = (await on.events()).slice(before)
    expect(renewed).toMatchObject({ type: 'PasswordHashRenewed', metadata: { actor: { kind: 'account', id } } })
    expect(renewed?.metadata).not.toHaveProperty('reason', expect.any(String))
  })

  it('stays right if its hash cannot be renewed now', async () => {
    const on = world()
    const id = await accountFromBefore(on)
    const before = (await on.events()).length
    const passwords = { ...on.ports.passwords, hash: () => Promise.reject(new Error('Too many wait')) }
    const ports = { ...on.ports, passwords, deferred: { run: () => undefined } }
    expect(await isPasswordOf(ports, await stateOf(on, id), typed, on.requester())).toBe(true)
    expect(await typesSince(on, before)).toStrictEqual([])
  })

  it('does not come back if another was set while it was verified', async () => {
    const on = world()
    const id = await accountFromBefore(on)
    const verified = await stateOf(on, id)
    await changeTo(on, id, 'hash of another password')
    expect(await isPasswordOf(on.ports, verified, typed, on.requester())).toBe(true)
    expect(await stateOf(on, id)).toMatchObject({ passwordHash: 'hash of another password' })
  })
})
