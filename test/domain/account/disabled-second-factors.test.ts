import { describe, expect, it } from 'vitest'
import { account } from '../../../domain/account/account.ts'
import type { AccountEvent } from '../../../domain/account/events.ts'
import { signInFactors } from '../../../domain/account/state.ts'
import { fold } from '../../../domain/kernel/decider.ts'
import { given } from '../../../domain/testing/given-when-then.ts'
import { histories } from '../../../domain/testing/histories.ts'
import { property } from '../../support/property.ts'
import { accountCommands } from '../../../domain/testing/commands/account-arbitraries.ts'
import { ada, start } from '../../../domain/testing/people.ts'
import { registered, signedIn } from './account-story.ts'

const disable = { type: 'DisableSecondFactors' } as const
const totpEnabled: AccountEvent = { type: 'TotpEnabled', data: { accountId: ada, secret: 'JBSW', enabledAt: start } }
const totpDisabled: AccountEvent = { type: 'TotpDisabled', data: { accountId: ada } }
const issued: AccountEvent = { type: 'BackupCodesIssued', data: { accountId: ada, codes: ['ab12-cd34'] } }
const revoked: AccountEvent = { type: 'BackupCodesRevoked', data: { accountId: ada } }
const key = { credentialId: 'k1', publicKey: 'cose', counter: 3, transports: ['usb'], name: 'Engine' }
const keyAdded: AccountEvent = {
  type: 'WebAuthnCredentialRegistered',
  data: { accountId: ada, ...key, registeredAt: start },
}
const chosen = (isChosen: boolean): AccountEvent => ({
  type: 'PasskeysChosenAsSecondFactor',
  data: { accountId: ada, chosen: isChosen },
})

describe('second factors that an administrator turns off', () => {
  const passkeys = [registered, keyAdded, issued]

  it('are TOTP with its backup codes, and passkeys where they were chosen', () => {
    given(account, [...passkeys, totpEnabled, issued, chosen(true)])
      .when(disable)
      .then(totpDisabled, chosen(false))
    given(account, [registered, totpEnabled, issued]).when(disable).then(totpDisabled)
    given(account, [...passkeys, chosen(true)])
      .when(disable)
      .then(revoked, chosen(false))
    given(account, passkeys).when(disable).then(revoked)
    given(account, [registered, keyAdded]).when(disable).changesNothing()
  })

  it('leave the passkeys themselves, and sessions', () => {
    const after = fold(account, [...passkeys, signedIn('h1'), totpEnabled, chosen(true), totpDisabled, chosen(false)])
    expect(after).toMatchObject({
      sessions: ['h1'],
      secondFactors: { totpSecret: null, backupCodes: [], usesPasskeys: false, webAuthnCredentials: [{ id: 'k1' }] },
    })
  })

  it('are those of an account that somebody holds', () => {
    given(account, []).when(disable).refuses('UNKNOWN_USER')
    const erasing = { accountId: ada, username: 'ada', addressHash: null, identityHashes: [], startedAt: start }
    given(account, [registered, { type: 'AccountErasureStarted', data: erasing }])
      .when(disable)
      .refuses('UNKNOWN_USER')
  })

  property('are asked for no more, and no code of theirs is left', histories(account, accountCommands), ({ steps }) => {
    for (const { command, before, after } of steps) {
      if (command.type !== 'DisableSecondFactors' || after.status !== 'registered') continue
      expect(signInFactors(after.secondFactors)).toStrictEqual([])
      expect(after.secondFactors.backupCodes).toStrictEqual([])
      const held = before.status === 'registered' ? before.secondFactors.webAuthnCredentials : []
      expect(after.secondFactors.webAuthnCredentials).toStrictEqual(held)
    }
  })
})
