import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { login } from '../../../../application/identity/accounts/login.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import { choosePasskeys } from '../../../../application/identity/passkeys/change-passkeys.ts'
import {
  completeMfaByPasskey,
  mfaPasskeyOptions,
} from '../../../../application/identity/passkeys/complete-mfa-by-passkey.ts'
import { redeemPasskeyBridge, startPasskeyBridge } from '../../../../application/identity/passkeys/passkey-bridge.ts'
import {
  passkeyRegistrationOptions,
  registerPasskey,
} from '../../../../application/identity/passkeys/register-passkey.ts'
import {
  discoverablePasskeyOptions,
  signInByPasskey,
} from '../../../../application/identity/passkeys/sign-in-by-passkey.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { softwareAuthenticator, type SoftwareAuthenticator } from '../../../support/software-authenticator.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import type { WorldOptions } from '../../support/world-options.ts'

const origin = 'http://guildhall.test'
const fiveMinutes_ms = 5 * 60 * 1000

interface Stage {
  readonly on: World
  readonly ada: AccountId
  readonly authenticator: SoftwareAuthenticator
}

async function register(on: World, id: AccountId, authenticator: SoftwareAuthenticator, wait_ms = 0): Promise<void> {
  const options = await passkeyRegistrationOptions(on.ports)(await on.as(id))
  on.wait(wait_ms)
  const response = authenticator.create(options)
  const made = { response, challenge: options.challenge, name: 'Engine' }
  await registerPasskey(on.ports)(await on.as(id), made)
  // The read models have it from here on, as for a caller that waits for the answer.
  await on.as(id)
}

async function stage(options: WorldOptions = {}): Promise<Stage> {
  const on = world(options)
  const ada = await on.newcomer('Ada')
  const authenticator = softwareAuthenticator({ origin })
  await register(on, ada, authenticator)
  return { on, ada, authenticator }
}

async function signIn({ on, authenticator }: Stage, wait_ms = 0) {
  const options = await discoverablePasskeyOptions(on.ports)()
  on.wait(wait_ms)
  const assertion = { response: authenticator.get(options), challenge: options.challenge }
  return signInByPasskey(on.ports)(on.requester(), assertion)
}

/** The ticket of a sign-in that asks for a passkey. */
async function ticketOf({ on, ada }: Stage): Promise<string> {
  await choosePasskeys(on.ports)(await on.as(ada), true)
  const wishes = { email: 'Ada@example.com', password: 'a password', inviteCode: null }
  const answer = await login(on.ports)(on.requester(), wishes)
  if (!('ticket' in answer)) throw new Error('No second factor was asked for')
  return answer.ticket
}

async function complete({ on, authenticator }: Stage, ticket: string, wait_ms = 0) {
  const options = await mfaPasskeyOptions(on.ports)(ticket)
  on.wait(wait_ms)
  const response = authenticator.get(options)
  return completeMfaByPasskey(on.ports)(on.requester(), { response, challenge: options.challenge, ticket })
}

describe('a challenge', () => {
  it('is valid for five minutes', async () => {
    const there = await stage()
    expect(await signIn(there, fiveMinutes_ms - 1)).toHaveProperty('token')
    expect(await codeOf(signIn(there, fiveMinutes_ms))).toBe('PASSKEY_AUTHENTICATION_FAILED')
    const another = softwareAuthenticator({ origin })
    const late = register(there.on, there.ada, another, fiveMinutes_ms)
    expect(await codeOf(late)).toBe('INVALID_WEBAUTHN_CREDENTIAL')
    await register(there.on, there.ada, another, fiveMinutes_ms - 1)
  })

  it('ends with its MFA ticket', async () => {
    const there = await stage()
    const ticket = await ticketOf(there)
    there.on.wait(fiveMinutes_ms - 2)
    expect(await complete(there, ticket, 1)).toHaveProperty('token')
    const other = await ticketOf(there)
    there.on.wait(fiveMinutes_ms - 1)
    expect(await fieldsOf(complete(there, other, 1))).toStrictEqual([field('ticket', 'SESSION_TIMEOUT')])
  })
})

describe('completing a sign-in by a passkey', () => {
  const withSpent = (spent: string): { readonly allowances: Allowances; readonly reset: string[] } => {
    const reset: string[] = []
    return {
      reset,
      allowances: {
        take: async (name) => (name === spent ? { allowed: false, retryAfterSeconds: 1 } : { allowed: true }),
        look: async () => ({ allowed: true }),
        reset: async (name) => void reset.push(name),
      },
    }
  }

  it('gets the answer for a wrong passkey once the tries of the account are used up, right or not', async () => {
    const there = await stage(withSpent('MFA completions of account'))
    const ticket = await ticketOf(there)
    expect(await fieldsOf(complete(there, ticket))).toStrictEqual([field('ticket', 'INVALID_CODE')])
    expect(await fieldsOf(complete(there, ticket))).toStrictEqual([field('ticket', 'INVALID_CODE')])
  })

  it('destroys the ticket once its tries are used up', async () => {
    const there = await stage(withSpent('MFA completions of ticket'))
    const ticket = await ticketOf(there)
    expect(await fieldsOf(complete(there, ticket))).toStrictEqual([field('ticket', 'INVALID_CODE')])
    expect(await fieldsOf(complete(there, ticket))).toStrictEqual([field('ticket', 'SESSION_TIMEOUT')])
  })

  it('restores all tries after a right one', async () => {
    const spent = withSpent('none')
    const there = await stage(spent)
    await complete(there, await ticketOf(there))
    expect(spent.reset).toContain('MFA completions of account')
  })

  it('has nothing to ask for if the account has no passkey', async () => {
    const on = world()
    const grace = await on.newcomer('Grace')
    const { context } = await on.as(grace)
    const totp = { type: 'EnableTotp', secret: 'JBSWY3DPEHPK3PXP', step: 1, now: on.now, backupCodes: [] } as const
    await on.ports.aggregates.account.execute(grace, totp, context)
    const wishes = { email: 'Grace@example.com', password: 'a password', inviteCode: null }
    const answer = await login(on.ports)(on.requester(), wishes)
    if (!('ticket' in answer)) throw new Error('No second factor was asked for')
    expect(await codeOf(mfaPasskeyOptions(on.ports)(answer.ticket))).toBe('NO_PASSKEYS_REGISTERED')
  })

  it('fails if the passkey was removed meanwhile', async () => {
    const there = await stage()
    const ticket = await ticketOf(there)
    const { on, ada, authenticator } = there
    const { context } = await on.as(ada)
    const removal = { type: 'RemoveWebAuthnCredential', credentialId: authenticator.credentialId } as const
    await on.ports.aggregates.account.execute(ada, removal, context)
    // The account's second factors have changed, so the ticket is invalid.
    expect(await fieldsOf(complete(there, ticket))).toStrictEqual([field('ticket', 'SESSION_TIMEOUT')])
  })
})

describe('a passkey bridge', () => {
  const verifier = 'v'.repeat(43)
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')

  async function start({ on, authenticator }: Stage): Promise<string> {
    const options = await discoverablePasskeyOptions(on.ports)()
    const assertion = { response: authenticator.get(options), challenge: options.challenge }
    return (await startPasskeyBridge(on.ports)(on.requester(), { ...assertion, codeChallenge })).ticket
  }
  const redeem = ({ on }: Stage, ticket: string, codeVerifier = verifier) =>
    redeemPasskeyBridge(on.ports)(on.requester(), { ticket, codeVerifier })
  const timedOut = [field('ticket', 'SESSION_TIMEOUT')]

  it('carries a sign-in to the client that began it, once', async () => {
    const there = await stage()
    const ticket = await start(there)
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => redeem(there, ticket)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await redeem(there, await start(there))).toMatchObject({ user_id: there.ada })
  })

  it('lasts a minute', async () => {
    const there = await stage()
    const [early, late] = [await start(there), await start(there)]
    there.on.wait(59_999)
    expect(await redeem(there, early)).toHaveProperty('token')
    there.on.wait(1)
    expect(await fieldsOf(redeem(there, late))).toStrictEqual(timedOut)
  })

  it('is useless to somebody who has only its ticket, and afterwards to everybody', async () => {
    const there = await stage()
    const ticket = await start(there)
    expect(await fieldsOf(redeem(there, ticket, 'w'.repeat(43)))).toStrictEqual(timedOut)
    expect(await fieldsOf(redeem(there, ticket))).toStrictEqual(timedOut)
  })

  it("ends when the account's second factors change", async () => {
    const there = await stage()
    const { on, ada } = there
    const ticket = await start(there)
    const change = { type: 'ChangePassword', passwordHash: 'another', except: null, now: on.now } as const
    await on.ports.aggregates.account.execute(ada, change, (await on.as(ada)).context)
    expect(await fieldsOf(redeem(there, ticket))).toStrictEqual(timedOut)
  })
})

describe('signing in by a passkey alone', () => {
  it('restores an account that its holder disabled or scheduled for deletion', async () => {
    const there = await stage()
    const { on, ada } = there
    const { context } = await on.as(ada)
    await on.ports.aggregates.account.execute(ada, { type: 'DisableAccount' }, context)
    await on.ports.aggregates.account.execute(ada, { type: 'ScheduleSelfDeletion', dueAt: on.now }, context)
    expect(await signIn(there)).toMatchObject({ user_id: ada })
    const { state } = await on.ports.aggregates.account.load(ada)
    expect(state).toMatchObject({ flags: '0', deletion: null })
  })

  it('is not for bots', async () => {
    const there = await stage()
    there.on.setAccount(there.ada, { bot: true })
    expect(await codeOf(signIn(there))).toBe('BOT_USER_AUTH_SESSION_CREATION_DENIED')
  })

  it('finds the account that registered a credential first, if another one got it too', async () => {
    const there = await stage()
    const { on, ada, authenticator } = there
    const thief = await on.newcomer('Thief')
    const { context } = await on.as(thief)
    const own = softwareAuthenticator({ origin, credentialId: Buffer.from(authenticator.credentialId, 'base64url') })
    await expect(register(on, thief, own)).rejects.toThrow('INVALID_WEBAUTHN_CREDENTIAL')
    // As if both had registered it at the same moment.
    const credential = { credentialId: authenticator.credentialId, publicKey: 'cose', counter: 0, transports: [] }
    const command = { type: 'RegisterWebAuthnCredential', ...credential, name: 'Mine', now: on.now } as const
    await on.ports.aggregates.account.execute(thief, command, context)
    await on.as(thief)
    expect(await signIn(there)).toMatchObject({ user_id: ada })
  })

  it('accepts one of several uses of the same counter at once', async () => {
    const there = await stage()
    const { on, authenticator } = there
    const tries = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const options = await discoverablePasskeyOptions(on.ports)()
        return { response: authenticator.get(options, { counter: 7 }), challenge: options.challenge }
      }),
    )
    const outcomes = await Promise.allSettled(tries.map((each) => signInByPasskey(on.ports)(on.requester(), each)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })
})

describe('the passkeys of an instance', () => {
  it('are bound to the host name of its public URL, and requested only by its origin', async () => {
    const on = world({ instance: { publicUrl: 'https://chat.example.org:8443/base' } })
    const ada = await on.newcomer('Ada')
    const options = await passkeyRegistrationOptions(on.ports)(await on.as(ada))
    expect(options.rp).toStrictEqual({ id: 'chat.example.org', name: 'guildhall' })
    await register(on, ada, softwareAuthenticator({ origin: 'https://chat.example.org:8443' }))
    const elsewhere = softwareAuthenticator({ origin: 'https://chat.example.org' })
    expect(await codeOf(register(on, ada, elsewhere))).toBe('INVALID_WEBAUTHN_CREDENTIAL')
  })
})
