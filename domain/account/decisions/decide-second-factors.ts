import { accept, refuse, type Decision, type Decisions } from '../../kernel/decider.ts'
import { field } from '../../kernel/refusal.ts'
import type {
  BackupCodeProof,
  ChoosePasskeys,
  DisableTotp,
  EnableTotp,
  IssueBackupCodes,
  ProveSecondFactor,
  RegisterWebAuthnCredential,
  RemoveWebAuthnCredential,
  RenameWebAuthnCredential,
  SecondFactorProof,
  TotpProof,
  WebAuthnProof,
  SecondFactorCommand,
} from '../second-factor-commands.ts'
import type { AccountEvent } from '../events.ts'
import { webAuthnCredentials_max, type Account } from '../state.ts'

/** How commands about second factors are decided. */
export const secondFactorDecisions: Decisions<Account, SecondFactorCommand, AccountEvent> = {
  EnableTotp: enableTotp,
  DisableTotp: disableTotp,
  IssueBackupCodes: issueBackupCodes,
  ProveSecondFactor: proveSecondFactor,
  RegisterWebAuthnCredential: registerCredential,
  RenameWebAuthnCredential: renameCredential,
  RemoveWebAuthnCredential: removeCredential,
  ChoosePasskeys: choosePasskeys,
  DisableSecondFactors: disableSecondFactors,
}

/** The refusal's name reads inverted: it means that TOTP is on already. */
function enableTotp(account: Account, { secret, step, now, backupCodes }: EnableTotp): Decision<AccountEvent> {
  if (account.secondFactors.totpSecret !== null) return refuse('TWO_FA_NOT_ENABLED')
  const { id: accountId } = account
  return accept(
    { type: 'TotpEnabled', data: { accountId, secret, enabledAt: now } },
    { type: 'TotpStepSpent', data: { accountId, step } },
    { type: 'BackupCodesIssued', data: { accountId, codes: backupCodes } },
  )
}

/** Refuses with TWO_FACTOR_REQUIRED if it is off, and a used code with INVALID_CODE on `code`. */
function disableTotp(account: Account, { proof }: DisableTotp): Decision<AccountEvent> {
  if (account.secondFactors.totpSecret === null) return refuse('TWO_FACTOR_REQUIRED')
  const spent = spend(account, proof)
  if (!spent) return refuse('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
  return accept(spent, { type: 'TotpDisabled', data: { accountId: account.id } })
}

/** Only an account with a second factor has backup codes: TWO_FACTOR_REQUIRED. */
function issueBackupCodes(account: Account, { codes }: IssueBackupCodes): Decision<AccountEvent> {
  const { id: accountId, secondFactors } = account
  if (secondFactors.totpSecret === null && secondFactors.webAuthnCredentials.length === 0)
    return refuse('TWO_FACTOR_REQUIRED')
  if (isWhatIsHeld(secondFactors.backupCodes, codes)) return accept()
  return accept(
    { type: 'BackupCodesRevoked', data: { accountId } },
    { type: 'BackupCodesIssued', data: { accountId, codes } },
  )
}

/** Codes are random, so the same codes mean the same command. */
function isWhatIsHeld(held: Account['secondFactors']['backupCodes'], codes: readonly string[]): boolean {
  return held.length === codes.length && held.every(({ code }, index) => code === codes[index])
}

/** A step, a code or a counter works once. A used one is INVALID_CODE on `code`, even in a race. */
function proveSecondFactor(account: Account, { proof }: ProveSecondFactor): Decision<AccountEvent> {
  const spent = spend(account, proof)
  return spent ? accept(spent) : refuse('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
}

/**
 * Refuses with WEBAUTHN_CREDENTIAL_LIMIT_REACHED beyond `webAuthnCredentials_max`, and with INVALID_WEBAUTHN_CREDENTIAL for one
 * that the account has already.
 */
function registerCredential(account: Account, command: RegisterWebAuthnCredential): Decision<AccountEvent> {
  const { credentialId, publicKey, counter, transports, name, now } = command
  const { webAuthnCredentials: held } = account.secondFactors
  if (held.some(({ id }) => id === credentialId)) return refuse('INVALID_WEBAUTHN_CREDENTIAL')
  if (held.length >= webAuthnCredentials_max) return refuse('WEBAUTHN_CREDENTIAL_LIMIT_REACHED')
  const credential = { credentialId, publicKey, counter, transports, name }
  return accept({
    type: 'WebAuthnCredentialRegistered',
    data: { accountId: account.id, ...credential, registeredAt: now },
  })
}

/** Refuses with UNKNOWN_WEBAUTHN_CREDENTIAL for a credential that the account does not have. */
function renameCredential(account: Account, command: RenameWebAuthnCredential): Decision<AccountEvent> {
  const { credentialId, name } = command
  const held = credentialOf(account, credentialId)
  if (!held) return refuse('UNKNOWN_WEBAUTHN_CREDENTIAL')
  if (held.name === name) return accept()
  return accept({ type: 'WebAuthnCredentialRenamed', data: { accountId: account.id, credentialId, name } })
}

/** The same. Removing the last credential also turns off passkeys as a second factor. */
function removeCredential(account: Account, { credentialId }: RemoveWebAuthnCredential): Decision<AccountEvent> {
  if (!credentialOf(account, credentialId)) return refuse('UNKNOWN_WEBAUTHN_CREDENTIAL')
  return accept(...removals(account, [credentialId]))
}

/** The events that remove credentials and, with the last one, turn off passkeys as a second factor. */
export function removals(
  { id: accountId, secondFactors }: Account,
  credentialIds: readonly string[],
): readonly AccountEvent[] {
  const { usesPasskeys, webAuthnCredentials } = secondFactors
  const endsChoice = usesPasskeys && credentialIds.length === webAuthnCredentials.length
  return [
    ...credentialIds.map(
      (credentialId) => ({ type: 'WebAuthnCredentialRemoved', data: { accountId, credentialId } }) as const,
    ),
    ...(endsChoice ? [{ type: 'PasskeysChosenAsSecondFactor', data: { accountId, chosen: false } } as const] : []),
  ]
}

/** Refuses with NO_PASSKEYS_REGISTERED if there is none. */
function choosePasskeys(account: Account, { chosen }: ChoosePasskeys): Decision<AccountEvent> {
  const { usesPasskeys, webAuthnCredentials } = account.secondFactors
  if (usesPasskeys === chosen) return accept()
  if (chosen && webAuthnCredentials.length === 0) return refuse('NO_PASSKEYS_REGISTERED')
  return accept({ type: 'PasskeysChosenAsSecondFactor', data: { accountId: account.id, chosen } })
}

/** Turns off TOTP and passkeys as second factors, and revokes the backup codes. Passkeys stay registered. */
function disableSecondFactors({ id: accountId, secondFactors }: Account): Decision<AccountEvent> {
  const { totpSecret, backupCodes, usesPasskeys } = secondFactors
  const hasTotp = totpSecret !== null
  return accept<AccountEvent>(
    ...(hasTotp ? [{ type: 'TotpDisabled', data: { accountId } } as const] : []),
    // Turning TOTP off revokes them too.
    ...(!hasTotp && backupCodes.length > 0 ? [{ type: 'BackupCodesRevoked', data: { accountId } } as const] : []),
    ...(usesPasskeys ? [{ type: 'PasskeysChosenAsSecondFactor', data: { accountId, chosen: false } } as const] : []),
  )
}

/** The event that uses up a proof; undefined for a used or invalid one. */
function spend(account: Account, proof: SecondFactorProof): AccountEvent | undefined {
  switch (proof.by) {
    case 'totp':
      return spendStep(account, proof)
    case 'backup_code':
      return spendBackupCode(account, proof)
    case 'webauthn':
      return useCredential(account, proof)
  }
}

/** The stored steps reach further back than a code's allowed clock skew. */
function spendStep({ id: accountId, secondFactors }: Account, { step }: TotpProof): AccountEvent | undefined {
  const { totpSecret, spentTotpSteps } = secondFactors
  if (totpSecret === null || spentTotpSteps.includes(step)) return undefined
  return { type: 'TotpStepSpent', data: { accountId, step } }
}

function spendBackupCode(
  { id: accountId, secondFactors }: Account,
  { index }: BackupCodeProof,
): AccountEvent | undefined {
  const held = secondFactors.backupCodes[index]
  if (!held || held.consumed) return undefined
  return { type: 'BackupCodeConsumed', data: { accountId, index } }
}

function useCredential(account: Account, { credentialId, counter, now }: WebAuthnProof): AccountEvent | undefined {
  const held = credentialOf(account, credentialId)
  if (!held) return undefined
  const countsNothing = held.counter === 0 && counter === 0
  if (!countsNothing && counter <= held.counter) return undefined
  return { type: 'WebAuthnCredentialUsed', data: { accountId: account.id, credentialId, counter, usedAt: now } }
}

function credentialOf({ secondFactors }: Account, credentialId: string) {
  return secondFactors.webAuthnCredentials.find(({ id }) => id === credentialId)
}
