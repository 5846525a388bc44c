import { networkOf, oneClient } from '../../../domain/network/network-of.ts'
import { rejectWith } from '../../commands/refused.ts'
import type { Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'

const minute_s = 60

/** How often mails may be requested. */
const rates = {
  'verification mails of address': { requests: 3, seconds: 15 * minute_s },
  'recovery from client': { requests: 20, seconds: 30 * minute_s },
  'recovery of address': { requests: 5, seconds: 30 * minute_s },
} as const satisfies Readonly<Record<string, Rate>>

type Needs = Pick<Ports, 'allowances'>

/** Charges a verification mail to an address. Refuses with RATE_LIMITED. */
export async function chargeVerificationMail(needs: Needs, addressHash: string): Promise<void> {
  await charge(needs, 'verification mails of address', addressHash)
}

/** Charges a request for a new password, whether or not the address or tag of `key` exists. Refuses with RATE_LIMITED. */
export async function chargeRecovery(needs: Needs, key: string, ip: string): Promise<void> {
  await charge(needs, 'recovery from client', networkOf(ip, oneClient))
  await charge(needs, 'recovery of address', key)
}

async function charge({ allowances }: Needs, name: keyof typeof rates, key: string): Promise<void> {
  const allowance = await allowances.take(name, key, rates[name])
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
}
