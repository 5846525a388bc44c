import { rejectWith } from '../commands/refused.js'
import type { Rate } from '../ports/allowances.js'
import type { Ports } from '../ports.js'
import { networkOf, oneClient } from '../../domain/network/network-of.js'

const minute_s = 60
const hour_s = 60 * minute_s

/** How often somebody may try to sign in or register (reference identity 1.9.1). */
const rates = {
  'login of address': { requests: 5, seconds: 15 * minute_s },
  'login from client': { requests: 10, seconds: 30 * minute_s },
  'registration of address': { requests: 3, seconds: 15 * minute_s },
  'registration from client': { requests: 3, seconds: hour_s },
  'registration from network': { requests: 15, seconds: hour_s },
} as const satisfies Readonly<Record<string, Rate>>

type Needs = Pick<Ports, 'allowances'>

/**
 * Charges a login, whether or not there is the address or the tag that `key` names, and the password is right. Refuses with
 * RATE_LIMITED.
 */
export async function chargeLogin(needs: Needs, key: string, ip: string): Promise<void> {
  await charge(needs, 'login of address', key)
  await charge(needs, 'login from client', networkOf(ip, oneClient))
}

/** Charges a registration; one without an address has none to charge. Refuses with RATE_LIMITED. */
export async function chargeRegistration(needs: Needs, addressHash: string | null, ip: string): Promise<void> {
  if (addressHash !== null) await charge(needs, 'registration of address', addressHash)
  await charge(needs, 'registration from client', networkOf(ip, oneClient))
  await charge(needs, 'registration from network', networkOf(ip, { v4: 24, v6: 48 }))
}

async function charge({ allowances }: Needs, name: keyof typeof rates, key: string): Promise<void> {
  const allowance = await allowances.take(name, key, rates[name])
  if (!allowance.allowed) rejectWith('RATE_LIMITED', { global: false, retry_after: allowance.retryAfterSeconds })
}
