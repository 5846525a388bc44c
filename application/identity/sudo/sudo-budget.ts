import type { AccountId } from '../../../domain/ids/ids.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'

/** All sudo operations of an account share one budget of proofs, charged before the check. */
const rate: Rate = { requests: 10, seconds: 15 * 60 }
const name = 'sudo proofs of account'

/** Passwords hashed for sudo mode, including right ones: an account has one bucket for all its sudo operations. */
const passwordRate: Rate = { requests: 30, seconds: 60 }
const passwordName = 'sudo passwords of account'

/** Charges one proof. False if the proof may not count; then the answer is as for a wrong one. */
export async function chargeSudo({ allowances }: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<boolean> {
  const { allowed } = await allowances.take(name, accountId, rate)
  return allowed
}

/**
 * Charges one proof by password, and its hash. Says whether the proof may count, as `chargeSudo` does; if not, no hash is needed.
 * Refuses with RATE_LIMITED an account that asks for too many hashes while its budget of wrong proofs is not spent.
 */
export async function chargePasswordProof(ports: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<boolean> {
  const hashing = await ports.allowances.take(passwordName, accountId, passwordRate)
  if (hashing.allowed) return chargeSudo(ports, accountId)
  if (!(await ports.allowances.look(name, accountId, rate)).allowed) return false
  return rejectWith('RATE_LIMITED', { global: false, retry_after: hashing.retryAfterSeconds })
}

/** A right proof restores the whole budget. */
export async function restoreSudo({ allowances }: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<void> {
  await allowances.reset(name, accountId)
}
