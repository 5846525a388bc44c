import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { SecondFactorProof } from '../../../domain/account/second-factor-commands.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import {
  hasSecondFactor,
  noSecondFactors,
  signInFactors,
  webAuthnCredentials_max,
} from '../../../domain/account/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { secondsAfter } from '../../../domain/kernel/timestamp.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { registered, signedIn } from './account-story.ts'

const secret = 'JBSWY3DPEHPK3PXP'
const codes = ['ab12-cd34', 'ef56-gh78']
const later = secondsAfter(start, 60)

const totpEnabled: AccountEvent = { type: 'TotpEnabled', data: { accountId: ada, secret, enabledAt: start } }
const totpDisabled: AccountEvent = { type: 'TotpDisabled', data: { accountId: ada } }
const stepSpent = (step: number): AccountEvent => ({ type: 'TotpStepSpent', data: { accountId: ada, step } })
const issued = (...given_: readonly string[]): AccountEvent => ({
  type: 'BackupCodesIssued',
  data: { accountId: ada, codes: given_ },
})
const revoked: AccountEvent = { type: 'BackupCodesRevoked', data: { accountId: ada } }
const consumed = (index: number): AccountEvent => ({ type: 'BackupCodeConsumed', data: { accountId: ada, index } })
const passkey = { publicKey: 'cose', counter: 3, transports: ['usb'], name: 'Engine' }
const keyAdded = (credentialId: string, counter = 3): AccountEvent => ({
  type: 'WebAuthnCredentialRegistered',
  data: { accountId: ada, credentialId, ...passkey, counter, registeredAt: start },
})
const keyUsed = (credentialId: string, counter: number): AccountEvent => ({
  type: 'WebAuthnCredentialUsed',
  data: { accountId: ada, credentialId, counter, usedAt: later },
})
const keyRemoved = (credentialId: string): AccountEvent => ({
  type: 'WebAuthnCredentialRemoved',
  data: { accountId: ada, credentialId },
})
const chosen = (isChosen: boolean): AccountEvent => ({
  type: 'PasskeysChosenAsSecondFactor',
  data: { accountId: ada, chosen: isChosen },
})

const enable = (step: number) => ({ type: 'EnableTotp', secret, step, now: start, backupCodes: codes }) as const
const prove = (proof: SecondFactorProof) => ({ type: 'ProveSecondFactor', proof }) as const
const code = (step: number) => ({ by: 'totp', step }) as const
const backup = (index: number) => ({ by: 'backup_code', index }) as const
const assertion = (credentialId: string, counter: number) =>
  ({ by: 'webauthn', credentialId, counter, now: later }) as const
const addKey = (credentialId: string) =>
  ({ type: 'RegisterWebAuthnCredential', credentialId, ...passkey, now: start }) as const
const invalidCode = field('code', 'INVALID_CODE')

describe('TOTP', () => {
  const enabled = [registered, totpEnabled, stepSpent(10), issued(...codes)]

  it('is enabled with new backup codes, and the code that proved the secret is spent', () => {
    given(account, [registered])
      .when(enable(10))
      .then(...([totpEnabled, stepSpent(10), issued(...codes)] as const))
  })

  it('keeps the backup codes that were there', () => {
    const state = fold(account, [registered, keyAdded('k'), issued('old1-old1'), totpEnabled, issued(...codes)])
    expect(state).toMatchObject({ secondFactors: { backupCodes: [{ code: 'old1-old1' }, ...codes.map(asHeld)] } })
  })

  it('is not enabled twice', () => {
    given(account, enabled).when(enable(11)).refuses('TWO_FA_NOT_ENABLED')
  })

  it('takes each step once, also one that is older than the last', () => {
    given(account, enabled)
      .when(prove(code(11)))
      .then(stepSpent(11))
    given(account, enabled)
      .when(prove(code(9)))
      .then(stepSpent(9))
    given(account, [...enabled, stepSpent(11)])
      .when(prove(code(10)))
      .refuses('INVALID_FORM_BODY', invalidCode)
  })

  it('is disabled by a code of either kind, which is spent, and takes the backup codes with it', () => {
    const disable = (proof: ReturnType<typeof code | typeof backup>) => ({ type: 'DisableTotp', proof }) as const
    given(account, enabled)
      .when(disable(code(11)))
      .then(stepSpent(11), totpDisabled)
    given(account, enabled)
      .when(disable(backup(1)))
      .then(consumed(1), totpDisabled)
    given(account, enabled)
      .when(disable(code(10)))
      .refuses('INVALID_FORM_BODY', invalidCode)
    given(account, [registered])
      .when(disable(code(11)))
      .refuses('TWO_FACTOR_REQUIRED')
    expect(fold(account, [...enabled, totpDisabled])).toMatchObject({ secondFactors: noSecondFactors })
  })

  it('proves nothing while it is off', () => {
    given(account, [registered])
      .when(prove(code(1)))
      .refuses('INVALID_FORM_BODY', invalidCode)
  })

  it('is gone with the key of the account', () => {
    const erased: AccountEvent = { type: 'TotpEnabled', data: { accountId: ada, secret: null, enabledAt: start } }
    const unreadable: AccountEvent = { type: 'BackupCodesIssued', data: { accountId: ada, codes: null } }
    expect(fold(account, [registered, erased, unreadable])).toMatchObject({
      secondFactors: { totpSecret: null, backupCodes: [] },
    })
  })
})

describe('a backup code', () => {
  const held = [registered, totpEnabled, issued(...codes)]

  it('serves once', () => {
    given(account, held)
      .when(prove(backup(0)))
      .then(consumed(0))
    given(account, [...held, consumed(0)])
      .when(prove(backup(0)))
      .refuses('INVALID_FORM_BODY', invalidCode)
    given(account, [...held, consumed(0)])
      .when(prove(backup(1)))
      .then(consumed(1))
    given(account, held)
      .when(prove(backup(2)))
      .refuses('INVALID_FORM_BODY', invalidCode)
  })

  it('is replaced with all others, if the account has a second factor', () => {
    const issue = { type: 'IssueBackupCodes', codes: ['new1-new1'] } as const
    given(account, held).when(issue).then(revoked, issued('new1-new1'))
    given(account, [registered, keyAdded('k')])
      .when(issue)
      .then(revoked, issued('new1-new1'))
    given(account, [registered]).when(issue).refuses('TWO_FACTOR_REQUIRED')
  })
})

describe('a passkey', () => {
  it('is added to those that the account has, each once, up to the limit', () => {
    given(account, [registered]).when(addKey('k1')).then(keyAdded('k1'))
    given(account, [registered, keyAdded('k1')])
      .when(addKey('k1'))
      .refuses('INVALID_WEBAUTHN_CREDENTIAL')
    const all = Array.from({ length: webAuthnCredentials_max }, (_none, index) => keyAdded(`k${index}`))
    given(account, [registered, ...all])
      .when(addKey('one more'))
      .refuses('WEBAUTHN_CREDENTIAL_LIMIT_REACHED')
  })

  it('is used with a counter that grows, unless it counts nothing', () => {
    const held = [registered, keyAdded('k1')]
    given(account, held)
      .when(prove(assertion('k1', 4)))
      .then(keyUsed('k1', 4))
    given(account, held)
      .when(prove(assertion('k1', 3)))
      .refuses('INVALID_FORM_BODY', invalidCode)
    given(account, held)
      .when(prove(assertion('k1', 0)))
      .refuses('INVALID_FORM_BODY', invalidCode)
    given(account, held)
      .when(prove(assertion('k2', 9)))
      .refuses('INVALID_FORM_BODY', invalidCode)
    given(account, [registered, keyAdded('k0', 0)])
      .when(prove(assertion('k0', 0)))
      .then(keyUsed('k0', 0))
  })

  it('is renamed and removed by its holder', () => {
    const rename = (credentialId: string, name: string) =>
      ({ type: 'RenameWebAuthnCredential', credentialId, name }) as const
    const remove = (credentialId: string) => ({ type: 'RemoveWebAuthnCredential', credentialId }) as const
    const held = [registered, keyAdded('k1')]
    given(account, held)
      .when(rename('k1', 'Loom'))
      .then({ type: 'WebAuthnCredentialRenamed', data: { accountId: ada, credentialId: 'k1', name: 'Loom' } })
    given(account, held).when(rename('k1', 'Engine')).changesNothing()
    given(account, held).when(rename('k2', 'Loom')).refuses('UNKNOWN_WEBAUTHN_CREDENTIAL')
    given(account, held).when(remove('k1')).then(keyRemoved('k1'))
    given(account, held).when(remove('k2')).refuses('UNKNOWN_WEBAUTHN_CREDENTIAL')
  })

  it('is asked for when signing in only by choice, and the choice goes with the last one', () => {
    const choose = (isChosen: boolean) => ({ type: 'ChoosePasskeys', chosen: isChosen }) as const
    given(account, [registered]).when(choose(true)).refuses('NO_PASSKEYS_REGISTERED')
    given(account, [registered, keyAdded('k1')])
      .when(choose(true))
      .then(chosen(true))
    given(account, [registered, keyAdded('k1'), chosen(true)])
      .when(choose(true))
      .changesNothing()
    given(account, [registered, keyAdded('k1'), chosen(true)])
      .when(choose(false))
      .then(chosen(false))
    const remove = { type: 'RemoveWebAuthnCredential', credentialId: 'k1' } as const
    given(account, [registered, keyAdded('k1'), keyAdded('k2'), chosen(true)])
      .when(remove)
      .then(keyRemoved('k1'))
    given(account, [registered, keyAdded('k1'), chosen(true)])
      .when(remove)
      .then(keyRemoved('k1'), chosen(false))
    const state = fold(account, [registered, keyAdded('k1'), chosen(true), keyRemoved('k1'), keyAdded('k2')])
    expect(state).toMatchObject({ secondFactors: { usesPasskeys: false } })
  })
})

describe('the second factors that are asked for', () => {
  const factorsAfter = (...events: readonly AccountEvent[]) => {
    const state = fold(account, [registered, ...events])
    if (state.status !== 'registered') throw new Error('Ada is not registered')
    return { signIn: signInFactors(state.secondFactors), sudo: hasSecondFactor(state.secondFactors) }
  }

  it('are TOTP, and passkeys if they were chosen; for sudo mode every passkey counts', () => {
    expect(factorsAfter()).toStrictEqual({ signIn: [], sudo: false })
    expect(factorsAfter(totpEnabled)).toStrictEqual({ signIn: ['totp'], sudo: true })
    expect(factorsAfter(keyAdded('k'))).toStrictEqual({ signIn: [], sudo: true })
    expect(factorsAfter(keyAdded('k'), chosen(true))).toStrictEqual({ signIn: ['webauthn'], sudo: true })
    expect(factorsAfter(totpEnabled, keyAdded('k'), chosen(true)).signIn).toStrictEqual(['totp', 'webauthn'])
  })
})

describe('in whatever happens to second factors', () => {
  property('no step and no backup code is ever accepted twice', histories(account, accountCommands), ({ events }) => {
    let spent = new Set<string>()
    for (const { type, data } of events) {
      // Another secret, or other codes, start again.
      if (type === 'TotpEnabled' || type === 'TotpDisabled' || type === 'BackupCodesRevoked') spent = new Set()
      if (type !== 'TotpStepSpent' && type !== 'BackupCodeConsumed') continue
      const proof = type === 'TotpStepSpent' ? `step ${data.step}` : `code ${data.index}`
      expect(spent).not.toContain(proof)
      spent = recent(spent, proof)
    }
  })

  property('proofs of earlier credentials are told apart', histories(account, accountCommands), ({ steps }) => {
    for (const { before, after, events } of steps) {
      if (before.status !== 'registered' || after.status !== 'registered') continue
      const isNew = events.some(({ type }) => newCredentials.includes(type))
      expect(after.credentialVersion > before.credentialVersion).toBe(isNew)
    }
  })

  it('ends no session of the present holder', () => {
    expect(fold(account, [registered, signedIn('h1'), totpEnabled, stepSpent(1)])).toMatchObject({ sessions: ['h1'] })
  })
})

const newCredentials: readonly string[] = ['PasswordChanged', 'TotpDisabled', 'WebAuthnCredentialRemoved']
/** The number of used steps that are kept: those that could still be right. */
const keptSteps = 4

function recent(spent: ReadonlySet<string>, proof: string): Set<string> {
  const all = [...spent, proof]
  const steps = all.filter((one) => one.startsWith('step')).slice(-keptSteps)
  return new Set([...all.filter((one) => one.startsWith('code')), ...steps])
}

function asHeld(held: string) {
  return { code: held, consumed: false }
}
