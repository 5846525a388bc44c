import { createHash, timingSafeEqual } from 'node:crypto'
import type { BackupCodeProof, TotpProof } from '../../../domain/account/second-factor-commands.ts'
import type { Account, SecondFactors } from '../../../domain/account/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { CommandContext } from '../../commands/command-context.ts'
import { Refused } from '../../commands/refused.ts'
import type { Totp } from '../../ports/totp.ts'
import type { Ports } from '../../ports.ts'

/** Uses up an authenticator's code or a backup code. Says whether it was valid. */
export async function proveByCode(
  { aggregates, totp }: Pick<Ports, 'aggregates' | 'totp'>,
  { id, secondFactors }: Account,
  code: string,
  context: CommandContext,
): Promise<boolean> {
  const proof = proofByCode(totp, secondFactors, code, context.now)
  if (!proof) return false
  try {
    await aggregates.account.execute(id, { type: 'ProveSecondFactor', proof }, context)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/**
 * What a code proves: the step of an authenticator's code, or the index of an unused backup code. Undefined for a wrong one. The
 * account decides whether it still counts, and accepts each once. Every code is compared with all backup codes, even after a
 * match, so that the time reveals nothing.
 */
export function proofByCode(
  totp: Totp,
  { totpSecret, backupCodes }: SecondFactors,
  code: string,
  now: Timestamp,
): TotpProof | BackupCodeProof | undefined {
  const step = totpSecret === null ? undefined : totp.stepOf(totpSecret, code, now)
  const given = digestOf(code)
  const matches = backupCodes.map((held) => !held.consumed && timingSafeEqual(digestOf(held.code), given))
  if (step !== undefined) return { by: 'totp', step }
  const index = matches.indexOf(true)
  return index === -1 ? undefined : { by: 'backup_code', index }
}

/** Codes are compared by letters and digits only, case-insensitive. */
function digestOf(code: string): Buffer {
  return createHash('sha256')
    .update(code.toLowerCase().replace(/[^a-z0-9]/g, ''))
    .digest()
}
