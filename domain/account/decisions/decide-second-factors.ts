import { accept, refuse, type Decision } from '../../kernel/decider.js'
import { field } from '../../kernel/refusal.js'
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
} from '../second-factor-commands.js'
import type { AccountEvent } from '../events.js'
import { webAuthnCredentials_max, type Account } from '../state.js'

/** What becomes of a command about what the account proves itself by besides its password. */
export function decideSecondFactors(account: Account, command: SecondFactorCommand): Decision<AccountEvent> {
  switch (command.type) {
    case 'EnableTotp':
      return enableTotp(account, command)
    case 'DisableTotp':
      return disableTotp(account, command)
    case 'IssueBackupCodes':
      return issueBackupCodes(account, command)
    case 'ProveSecondFactor':
      return proveSecondFactor(account, command)
    case 'RegisterWebAuthnCredential':
      return registerCredential(account, command)
    case 'RenameWebAuthnCredential':
      return renameCredential(account, command)
    case 'RemoveWebAuthnCredential':
      return removeCredential(account, command)
    case 'ChoosePasskeys':
      return choosePasskeys(account, command)
  }
}

/** The name of the refusal reads inverted: it says that TOTP is on already (reference identity 11.2). */
function enableTotp(account: Account, { secret, step, now, backupCodes }: EnableTotp): Decision<AccountEvent> {
  if (account.secondFactors.totpSecret !== null) return refuse('TWO_FA_NOT_ENABLED')
  const { id: accountId } = account
  return accept(
    { type: 'TotpEnabled', data: { accountId, secret, enabledAt: now } },
    { type: 'TotpStepSpent', data: { accountId, step } },
    { type: 'BackupCodesIssued', data: { accountId, codes: backupCodes } },
  )
}

/** TWO_FACTOR_REQUIRED where it is off. A code that was used before is INVALID_CODE on `code`. */
function disableTotp(account: Account, { proof }: DisableTotp): Decision<AccountEvent> {
  if (account.secondFactors.totpSecret === null) return refuse('TWO_FACTOR_REQUIRED')
  const spent = spend(account, proof)
  if (!spent) return refuse('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
  return accept(spent, { type: 'TotpDisabled', data: { accountId: account.id } })
}

/** Codes are for who has a second factor: TWO_FACTOR_REQUIRED. */
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

/** Codes are drawn by chance: the same ones again are the same command again. */
function isWhatIsHeld(held: Account['secondFactors']['backupCodes'], codes: readonly string[]): boolean {
  return held.length === codes.length && held.every(({ code }, index) => code === codes[index])
}

/** A step, a code or a counter serves once: what was spent before is INVALID_CODE on `code`, also in a race. */
function proveSecondFactor(account: Account, { proof }: ProveSecondFactor): Decision<AccountEvent> {
  const spent = spend(account, proof)
  return spent ? accept(spent) : refuse('INVALID_FORM_BODY', field('code', 'INVALID_CODE'))
}

/** WEBAUTHN_CREDENTIAL_LIMIT_REACHED beyond `webAuthnCredentials_max`; INVALID_WEBAUTHN_CREDENTIAL for one that is there. */
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

/** UNKNOWN_WEBAUTHN_CREDENTIAL for one that the account does not have. */
function renameCredential(account: Account, command: RenameWebAuthnCredential): Decision<AccountEvent> {
  const { credentialId, name } = command
  const held = credentialOf(account, credentialId)
  if (!held) return refuse('UNKNOWN_WEBAUTHN_CREDENTIAL')
  if (held.name === name) return accept()
  return accept({ type: 'WebAuthnCredentialRenamed', data: { accountId: account.id, credentialId, name } })
}

/** The same. With the last credential goes the choice of passkeys as a second factor. */
function removeCredential(account: Account, { credentialId }: RemoveWebAuthnCredential): Decision<AccountEvent> {
  if (!credentialOf(account, credentialId)) return refuse('UNKNOWN_WEBAUTHN_CREDENTIAL')
  return accept(...removals(account, [credentialId]))
}

/** The events by which credentials go, and the choice of passkeys with the last of them. */
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

/** NO_PASSKEYS_REGISTERED where there is none to choose. */
function choosePasskeys(account: Account, { chosen }: ChoosePasskeys): Decision<AccountEvent> {
  const { usesPasskeys, webAuthnCredentials } = account.secondFactors
  if (usesPasskeys === chosen) return accept()
  if (chosen && webAuthnCredentials.length === 0) return refuse('NO_PASSKEYS_REGISTERED')
  return accept({ type: 'PasskeysChosenAsSecondFactor', data: { accountId: account.id, chosen } })
}

/** The event by which a proof is spent; undefined for one that serves no more. */
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

/** The accepted steps that are kept reach further back than the skew that a code may have. */
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
