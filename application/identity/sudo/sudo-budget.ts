import type { AccountId } from '../../../domain/ids/ids.js'
import { rejectWith } from '../../commands/refused.js'
import type { Rate } from '../../ports/allowances.js'
import type { Ports } from '../../ports.js'

/** All sudo operations have one budget of proofs an account, charged before the check (supplement, Errors, limits, order). */
const rate: Rate = { requests: 10, seconds: 15 * 60 }
const name = 'sudo proofs of account'

/** Passwords that are hashed for sudo mode, right ones too: an account has one bucket for them, whatever it is in sudo mode for. */
const passwordRate: Rate = { requests: 30, seconds: 60 }
const passwordName = 'sudo passwords of account'

/** Charges one proof. Says whether it may count: where it may not, the answer is as if it were wrong. */
export async function chargeSudo({ allowances }: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<boolean> {
  const { allowed } = await allowances.take(name, accountId, rate)
  return allowed
}

/**
 * Charges one proof by password, and its hash. Says whether it may count, as `chargeSudo` does: no hash is due where it may not.
 * Refuses with RATE_LIMITED an account that has not spent its budget of wrong proofs, and asks for too many hashes.
 */
export async function chargePasswordProof(ports: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<boolean> {
  const hashing = await ports.allowances.take(passwordName, accountId, passwordRate)
  if (hashing.allowed) return chargeSudo(ports, accountId)
  if (!(await ports.allowances.look(name, accountId, rate)).allowed) return false
  return rejectWith('RATE_LIMITED', { global: false, retry_after: hashing.retryAfterSeconds })
}

/** Whoever gave a right proof has a whole budget again (reference identity 1.9.2). */
export async function restoreSudo({ allowances }: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<void> {
  await allowances.reset(name, accountId)
}
