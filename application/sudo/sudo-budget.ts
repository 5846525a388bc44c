import type { AccountId } from '../../domain/ids/ids.js'
import type { Rate } from '../ports/allowances.js'
import type { Ports } from '../ports.js'

/** All sudo operations have one budget of proofs an account, charged before the check (supplement, Errors, limits, order). */
const rate: Rate = { requests: 10, seconds: 15 * 60 }
const name = 'sudo proofs of account'

/** Charges one proof. Says whether it may count: where it may not, the answer is as if it were wrong. */
export async function chargeSudo({ allowances }: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<boolean> {
  const { allowed } = await allowances.take(name, accountId, rate)
  return allowed
}

/** Whoever gave a right proof has a whole budget again (reference identity 1.9.2). */
export async function restoreSudo({ allowances }: Pick<Ports, 'allowances'>, accountId: AccountId): Promise<void> {
  await allowances.reset(name, accountId)
}
