import type { BySession } from './by-session.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { WebAuthnCredentialRegistered } from './events.ts'

/** Commands that change or use second factors. */
export type SecondFactorCommand =
  | EnableTotp
  | DisableTotp
  | IssueBackupCodes
  | ProveSecondFactor
  | RegisterWebAuthnCredential
  | RenameWebAuthnCredential
  | RemoveWebAuthnCredential
  | ChoosePasskeys
  | DisableSecondFactors

/** `step` is the step of the code that proved that the authenticator has the secret. */
export interface EnableTotp extends BySession {
  readonly type: 'EnableTotp'
  readonly secret: string
  readonly step: number
  readonly now: Timestamp
  /** New codes, in addition to the existing ones. */
  readonly backupCodes: readonly string[]
}

export interface DisableTotp extends BySession {
  readonly type: 'DisableTotp'
  readonly proof: TotpProof | BackupCodeProof
}

/** Replaces all backup codes. */
export interface IssueBackupCodes extends BySession {
  readonly type: 'IssueBackupCodes'
  readonly codes: readonly string[]
}

/** Uses up a valid proof: each works once. */
export interface ProveSecondFactor {
  readonly type: 'ProveSecondFactor'
  readonly proof: SecondFactorProof
}

export type SecondFactorProof = TotpProof | BackupCodeProof | WebAuthnProof

/** An authenticator's code, by its 30 s step. */
export interface TotpProof {
  readonly by: 'totp'
  readonly step: number
}

/** A backup code, by its index. */
export interface BackupCodeProof {
  readonly by: 'backup_code'
  readonly index: number
}

/** An assertion with a valid signature. */
export interface WebAuthnProof {
  readonly by: 'webauthn'
  readonly credentialId: string
  /** The authenticator's counter. It must grow, unless the authenticator does not count. */
  readonly counter: number
  readonly now: Timestamp
}

export interface RegisterWebAuthnCredential
  extends BySession, Omit<WebAuthnCredentialRegistered, 'accountId' | 'name' | 'registeredAt'> {
  readonly type: 'RegisterWebAuthnCredential'
  readonly name: string
  readonly now: Timestamp
}

export interface RenameWebAuthnCredential {
  readonly type: 'RenameWebAuthnCredential'
  readonly credentialId: string
  readonly name: string
}

export interface RemoveWebAuthnCredential extends BySession {
  readonly type: 'RemoveWebAuthnCredential'
  readonly credentialId: string
}

export interface ChoosePasskeys extends BySession {
  readonly type: 'ChoosePasskeys'
  readonly chosen: boolean
}

/** An administrator turns off everything that signing in asks for after the password. */
export interface DisableSecondFactors {
  readonly type: 'DisableSecondFactors'
}
