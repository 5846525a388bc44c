import type { Timestamp } from '../kernel/timestamp.js'
import type { WebAuthnCredentialRegistered } from './events.js'

/** What changes, or uses, what an account proves itself by besides its password. */
export type SecondFactorCommand =
  | EnableTotp
  | DisableTotp
  | IssueBackupCodes
  | ProveSecondFactor
  | RegisterWebAuthnCredential
  | RenameWebAuthnCredential
  | RemoveWebAuthnCredential
  | ChoosePasskeys

/** `step` is that of the code that proved that the authenticator has the secret. */
export interface EnableTotp {
  readonly type: 'EnableTotp'
  readonly secret: string
  readonly step: number
  readonly now: Timestamp
  /** New ones, beside those that the account has. */
  readonly backupCodes: readonly string[]
}

export interface DisableTotp {
  readonly type: 'DisableTotp'
  readonly proof: TotpProof | BackupCodeProof
}

/** Replaces all backup codes. */
export interface IssueBackupCodes {
  readonly type: 'IssueBackupCodes'
  readonly codes: readonly string[]
}

/** Spends a proof that was found right: each serves once. */
export interface ProveSecondFactor {
  readonly type: 'ProveSecondFactor'
  readonly proof: SecondFactorProof
}

export type SecondFactorProof = TotpProof | BackupCodeProof | WebAuthnProof

/** A code of the authenticator, by the 30 s step that it is of. */
export interface TotpProof {
  readonly by: 'totp'
  readonly step: number
}

/** One of the backup codes, by its place among them. */
export interface BackupCodeProof {
  readonly by: 'backup_code'
  readonly index: number
}

/** An assertion whose signature was found right. */
export interface WebAuthnProof {
  readonly by: 'webauthn'
  readonly credentialId: string
  /** What the authenticator reports: it has to grow, unless it counts nothing. */
  readonly counter: number
  readonly now: Timestamp
}

export interface RegisterWebAuthnCredential extends Omit<
  WebAuthnCredentialRegistered,
  'accountId' | 'name' | 'registeredAt'
> {
  readonly type: 'RegisterWebAuthnCredential'
  readonly name: string
  readonly now: Timestamp
}

export interface RenameWebAuthnCredential {
  readonly type: 'RenameWebAuthnCredential'
  readonly credentialId: string
  readonly name: string
}

export interface RemoveWebAuthnCredential {
  readonly type: 'RemoveWebAuthnCredential'
  readonly credentialId: string
}

export interface ChoosePasskeys {
  readonly type: 'ChoosePasskeys'
  readonly chosen: boolean
}
