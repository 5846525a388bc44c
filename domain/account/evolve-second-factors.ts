import type { AccountEvent, WebAuthnCredentialRegistered } from './events.ts'
import type { SecondFactors, WebAuthnCredential } from './state.ts'

type SecondFactorEvent = Extract<
  AccountEvent,
  {
    readonly type:
      | 'TotpEnabled'
      | 'TotpDisabled'
      | 'TotpStepSpent'
      | 'BackupCodesIssued'
      | 'BackupCodesRevoked'
      | 'BackupCodeConsumed'
      | 'WebAuthnCredentialRegistered'
      | 'WebAuthnCredentialRenamed'
      | 'WebAuthnCredentialUsed'
      | 'WebAuthnCredentialRemoved'
      | 'PasskeysChosenAsSecondFactor'
  }
>

/** A code is valid for three steps: the current one, and one of clock skew each way. One more is kept for clocks that differ. */
const spentSteps_max = 4

/** The second factors after an event. */
export function evolveSecondFactors(factors: SecondFactors, event: SecondFactorEvent): SecondFactors {
  const { backupCodes, webAuthnCredentials } = factors
  switch (event.type) {
    case 'TotpEnabled':
      return { ...factors, totpSecret: event.data.secret, spentTotpSteps: [] }
    case 'TotpDisabled':
      return { ...factors, totpSecret: null, spentTotpSteps: [], backupCodes: [] }
    case 'TotpStepSpent':
      return { ...factors, spentTotpSteps: [...factors.spentTotpSteps, event.data.step].slice(-spentSteps_max) }
    case 'BackupCodesIssued':
      return { ...factors, backupCodes: [...backupCodes, ...(event.data.codes ?? []).map(unused)] }
    case 'BackupCodesRevoked':
      return { ...factors, backupCodes: [] }
    case 'BackupCodeConsumed':
      return { ...factors, backupCodes: backupCodes.map((held, index) => consumedAt(held, index, event.data.index)) }
    case 'WebAuthnCredentialRegistered':
      return {
        ...factors,
        webAuthnCredentials: [...others(webAuthnCredentials, event.data.credentialId), credential(event.data)],
      }
    case 'WebAuthnCredentialRenamed':
      return {
        ...factors,
        webAuthnCredentials: changed(webAuthnCredentials, event.data, { name: event.data.name ?? '' }),
      }
    case 'WebAuthnCredentialUsed': {
      const { counter, usedAt: lastUsedAt } = event.data
      return { ...factors, webAuthnCredentials: changed(webAuthnCredentials, event.data, { counter, lastUsedAt }) }
    }
    case 'WebAuthnCredentialRemoved': {
      const left = others(webAuthnCredentials, event.data.credentialId)
      return { ...factors, webAuthnCredentials: left, usesPasskeys: factors.usesPasskeys && left.length > 0 }
    }
    case 'PasskeysChosenAsSecondFactor':
      return { ...factors, usesPasskeys: event.data.chosen }
  }
}

const unused = (code: string) => ({ code, consumed: false })

function consumedAt(held: SecondFactors['backupCodes'][number], index: number, consumed: number) {
  return index === consumed ? { ...held, consumed: true } : held
}

function credential(data: WebAuthnCredentialRegistered): WebAuthnCredential {
  const { credentialId: id, publicKey, counter, transports, name, registeredAt } = data
  return { id, publicKey, counter, transports, name: name ?? '', registeredAt, lastUsedAt: null }
}

function others(held: readonly WebAuthnCredential[], credentialId: string): readonly WebAuthnCredential[] {
  return held.filter(({ id }) => id !== credentialId)
}

function changed(
  held: readonly WebAuthnCredential[],
  { credentialId }: { readonly credentialId: string },
  changes: Partial<WebAuthnCredential>,
): readonly WebAuthnCredential[] {
  return held.map((one) => (one.id === credentialId ? { ...one, ...changes } : one))
}
