import type { Timestamp } from '../../kernel/timestamp.ts'
import { forgetting } from './authorized-networks.ts'
import { removals } from './decide-second-factors.ts'
import { endAccess } from './end-access.ts'
import type { AccountEvent } from '../events.ts'
import type { Account, HeldSingleSignOn } from '../state.ts'

interface Taking {
  readonly act: 'takeBack' | 'adopt'
  /** The new password; null for none from now on. */
  readonly passwordHash: string | null
  /** Which identities at providers still sign in. */
  readonly keeps: (link: HeldSingleSignOn) => boolean
  readonly now: Timestamp
}

/**
 * The events by which somebody else may have had an account and has it no longer: whatever they know, hold or gave away stops working.
 * That is the password, the recovery kit, second factors, authorised networks, identities at providers, and what `endAccess` ends.
 */
export function takenFromOthers(account: Account, { act, passwordHash, keeps, now }: Taking): readonly AccountEvent[] {
  const { id: accountId, messageDeletion, recoveryKit, secondFactors } = account
  const { totpSecret, backupCodes, webAuthnCredentials } = secondFactors
  return [
    // Even where there was no password before: it voids what was proved under the earlier credentials.
    { type: 'PasswordChanged', data: { accountId, passwordHash, changedAt: now } },
    ...(recoveryKit === null ? [] : [{ type: 'RecoveryKitRevoked', data: { accountId } } as const]),
    ...(totpSecret === null ? [] : [{ type: 'TotpDisabled', data: { accountId } } as const]),
    ...(backupCodes.length === 0 ? [] : [{ type: 'BackupCodesRevoked', data: { accountId } } as const]),
    ...removals(
      account,
      webAuthnCredentials.map(({ id }) => id),
    ),
    ...forgetting(account),
    ...unlinkings(account, keeps, now),
    // What somebody else has set going does not go on: it would delete the holder's messages.
    ...(messageDeletion === null ? [] : [{ type: 'MessageDeletionWithdrawn', data: { accountId } } as const]),
    ...endAccess(account, act, now),
  ]
}

function unlinkings(
  { id: accountId, singleSignOn }: Account,
  keeps: Taking['keeps'],
  unlinkedAt: Timestamp,
): readonly AccountEvent[] {
  const othersStay = singleSignOn.some(keeps)
  return singleSignOn
    .filter((link) => !keeps(link))
    .map(({ issuer, identityHash }) => ({
      type: 'SingleSignOnUnlinked',
      data: { accountId, issuer, identityHash, unlinkedAt, othersStay },
    }))
}
