import { describe, expect, it } from 'vitest'
import { login } from '../../../../application/identity/accounts/login.ts'
import { register } from '../../../../application/identity/accounts/registering/register.ts'
import { freshPolicy } from '../../../../domain/instance/fresh-policy.ts'
import type { Allowances } from '../../../../application/ports/allowances.ts'
import {
  createRecoveryKit,
  getRecoveryKitStatus,
  revokeRecoveryKit,
} from '../../../../application/identity/recovery/recovery-kit.ts'
import { resetByRecoveryKit } from '../../../../application/identity/recovery/reset-by-recovery-kit.ts'
import { choosePasskeys, removePasskey } from '../../../../application/identity/passkeys/change-passkeys.ts'
import type { Caller } from '../../../../application/caller.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { typesOf } from '../../support/happenings.ts'
import { codeOf, fieldsOf } from '../../support/refusals.ts'
import { world, type World } from '../../support/world.ts'
import type { WorldOptions } from '../../support/world-options.ts'

const nothing = { email: null, globalName: null, dateOfBirth: null, inviteCode: null, registrationUrlCode: null }
const wrong = [field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE')]

async function scene(options: WorldOptions = {}): Promise<{ readonly on: World; readonly id: AccountId }> {
  const accountIdentity = { signIn: 'username', tagStyle: 'none' } as const
  const on = world({ ...options, policy: { accountIdentity: { ...freshPolicy.accountIdentity, ...accountIdentity } } })
  const wishes = { ...nothing, username: 'Ada', password: 'a password', consent: false }
  const { user_id: id } = await register(on.ports)(on.requester(), wishes)
  return { on, id }
}

const kitOf = async (on: World, id: AccountId) => createRecoveryKit(on.ports)(await on.as(id))

const reset = (on: World, recoveryKey: string, username = 'Ada', password = 'another password') =>
  resetByRecoveryKit(on.ports)(on.requester(), { username, recoveryKey, password })

const signIn = (on: World, password: string) =>
  login(on.ports)(on.requester(), { email: null, username: 'Ada', password, inviteCode: null })

describe('making a recovery kit', () => {
  it('shows the key once, and stores a hash of it', async () => {
    const { on, id } = await scene()
    const status = async () => getRecoveryKitStatus(on.ports)(await on.as(id))
    expect(await status()).toStrictEqual({ created_at: null })
    const { recovery_key: key, created_at } = await kitOf(on, id)
    expect(key).toMatch(/^[A-HJ-NP-Z2-9]{5}(?:-[A-HJ-NP-Z2-9]{5}){4}$/)
    expect(created_at).toBe(on.now)
    expect(await status()).toStrictEqual({ created_at: on.now })
    const kept = JSON.stringify((await on.events()).map(({ data }) => data))
    expect(kept).not.toContain(key)
    expect(kept).not.toContain(key.replaceAll('-', ''))
  })

  it('makes the earlier one invalid', async () => {
    const { on, id } = await scene()
    const [first, second] = [await kitOf(on, id), await kitOf(on, id)]
    expect(await fieldsOf(reset(on, first.recovery_key))).toStrictEqual(wrong)
    expect(await reset(on, second.recovery_key)).toHaveProperty('token')
  })
})

describe('a recovery key', () => {
  it('sets a new password, ends every session, begins one, and is used up', async () => {
    const { on, id } = await scene()
    const { recovery_key: key } = await kitOf(on, id)
    await signIn(on, 'a password')
    const before = (await on.events()).length
    expect(await reset(on, key)).toMatchObject({ user_id: id })
    const types = (await on.events()).slice(before).map(({ type }) => type)
    expect(types).toStrictEqual([
      'RecoveryKitUsed',
      'PasswordChanged',
      'SessionEnded',
      'SessionEnded',
      'SessionStarted',
    ])
    expect(await signIn(on, 'another password')).toHaveProperty('token')
    expect(await codeOf(signIn(on, 'a password'))).toBe('INVALID_FORM_BODY')
    expect(await fieldsOf(reset(on, key))).toStrictEqual(wrong)
  })

  it('is read in any spelling', async () => {
    const { on, id } = await scene()
    const { recovery_key: key } = await kitOf(on, id)
    expect(await reset(on, ` ${key.toLowerCase().replaceAll('-', ' ')} `, 'ada')).toHaveProperty('token')
  })

  it('gives the account to one of many who send it at once', async () => {
    const { on, id } = await scene({ lag_ms: 2 })
    const { recovery_key: key } = await kitOf(on, id)
    const outcomes = await Promise.all(
      Array.from({ length: 16 }, (_, number) =>
        reset(on, key, 'Ada', `password ${number}`).then(
          () => 'reset',
          () => 'refused',
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'reset')).toHaveLength(1)
    expect((await typesOf(on)).filter((type) => type === 'RecoveryKitUsed')).toHaveLength(1)
  })

  it('is invalid once revoked', async () => {
    const { on, id } = await scene()
    const { recovery_key: key } = await kitOf(on, id)
    await revokeRecoveryKit(on.ports)(await on.as(id))
    expect(await fieldsOf(reset(on, key))).toStrictEqual(wrong)
  })

  it('stays if the session has ended that wants to revoke it', async () => {
    const on = world()
    const id = await on.newcomer('Ada')
    await kitOf(on, id)
    const late = await on.as(id)
    await on.ports.aggregates.account.execute(id, { type: 'EndAllSessions' }, on.requester().context)
    const session = { kind: 'session', tokenHash: 'ended' } as const
    expect(await codeOf(revokeRecoveryKit(on.ports)({ ...late, credential: session }))).toBe('UNAUTHORIZED')
    const caller: Caller = { ...late, credential: session }
    expect(await codeOf(choosePasskeys(on.ports)(caller, false))).toBe('UNAUTHORIZED')
    expect(await codeOf(removePasskey(on.ports)(caller, 'k'))).toBe('UNAUTHORIZED')
  })

  it('asks for the second factor if the account has one', async () => {
    const { on, id } = await scene()
    const { recovery_key: key } = await kitOf(on, id)
    const totp = { type: 'EnableTotp', secret: 'JBSWY3DPEHPK3PXP', step: 1, now: on.now, backupCodes: [] } as const
    await on.ports.aggregates.account.execute(id, totp, on.requester().context)
    expect(await reset(on, key)).toMatchObject({ mfa: true, allowed_methods: ['totp'] })
  })

  it('is refused alike for an unknown account, one without a kit, and a wrong key; nothing changes', async () => {
    const { on, id } = await scene()
    expect(await fieldsOf(reset(on, 'ABCDE-FGHJK-LMNPQ-RSTUV-WXYZ2'))).toStrictEqual(wrong)
    const { recovery_key: key } = await kitOf(on, id)
    const before = await typesOf(on)
    const tries = [reset(on, key, 'nobody'), reset(on, key, 'a b'), reset(on, 'ABCDE'), reset(on, '-')]
    for (const tried of tries) expect(await fieldsOf(tried)).toStrictEqual(wrong)
    expect(await fieldsOf(reset(on, key, 'Ada', 'password1'))).toStrictEqual([
      field('password', 'PASSWORD_IS_TOO_COMMON'),
    ])
    expect(await typesOf(on)).toStrictEqual(before)
    expect(await reset(on, key)).toHaveProperty('token')
  })

  it('is charged before it is checked, to the name and the client', async () => {
    const charged: string[] = []
    const allowances: Allowances = {
      look: async () => ({ allowed: true }),
      take: async (name, key, { requests, seconds }) => {
        charged.push(`${name}: ${key} ${requests}/${seconds}`)
        return name === 'recovery of address' ? { allowed: false, retryAfterSeconds: 1 } : { allowed: true }
      },
      reset: async () => undefined,
    }
    const { on, id } = await scene({ allowances })
    const { recovery_key: key } = await kitOf(on, id)
    expect(await codeOf(reset(on, key, 'ADA'))).toBe('RATE_LIMITED')
    expect(charged.slice(-2)).toStrictEqual([
      'recovery from client: 192.0.2.1/32 20/1800',
      'recovery of address: ada#0 5/1800',
    ])
  })
})
