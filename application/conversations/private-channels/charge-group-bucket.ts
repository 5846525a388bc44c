import type { Caller } from '../../caller.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

const rate = { requests: 10, seconds: 3600 }

/** Charges the second bucket of an operation on groups: 10 per hour and account, else 429 RATE_LIMITED. */
export async function chargeGroupBucket(
  { allowances }: Pick<Ports, 'allowances'>,
  { account }: Pick<Caller, 'account'>,
  bucket: 'user:group_dm:create' | 'user:group_dm:recipient:add',
): Promise<void> {
  const allowance = await allowances.take(bucket, account.id, rate)
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
}
