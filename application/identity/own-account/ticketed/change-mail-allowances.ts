import type { AccountId } from '../../../../domain/ids/ids.ts'
import { rejectWith } from '../../../commands/refused.ts'
import type { Rate } from '../../../ports/allowances.ts'
import type { Ports } from '../../../ports.ts'

/** How often an account may ask for mails with codes. */
const rates = {
  'codes to present address': { requests: 3, seconds: 15 * 60 },
  'codes to new address': { requests: 5, seconds: 15 * 60 },
  'password changes': { requests: 3, seconds: 15 * 60 },
  'password change resends': { requests: 3, seconds: 15 * 60 },
} as const satisfies Readonly<Record<string, Rate>>

/** Charges one mail. Refuses with RATE_LIMITED. */
export async function chargeMail(
  { allowances }: Pick<Ports, 'allowances'>,
  name: keyof typeof rates,
  account: AccountId,
): Promise<void> {
  const allowance = await allowances.take(`${name} of account`, account, rates[name])
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
}
