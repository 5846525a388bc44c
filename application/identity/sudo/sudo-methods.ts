import { hasSecondFactor, type SecondFactors } from '../../../domain/account/state.ts'
import { ownAccountState } from '../accounts/own-account-state.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'

/** The means of proof of an account in sudo mode, besides its password. */
export interface SudoMethodsObject {
  readonly totp: boolean
  readonly webauthn: boolean
  readonly backup_codes: boolean
  readonly has_mfa: boolean
}

export function sudoMethodsObject(secondFactors: SecondFactors): SudoMethodsObject {
  const { totpSecret, webAuthnCredentials, backupCodes } = secondFactors
  return {
    totp: totpSecret !== null,
    webauthn: webAuthnCredentials.length > 0,
    backup_codes: backupCodes.some(({ consumed }) => !consumed),
    has_mfa: hasSecondFactor(secondFactors),
  }
}

/** The caller's means of proof. */
export function listSudoMethods(ports: Pick<Ports, 'aggregates'>) {
  return async (caller: Caller): Promise<SudoMethodsObject> =>
    sudoMethodsObject((await ownAccountState(ports, caller)).secondFactors)
}
