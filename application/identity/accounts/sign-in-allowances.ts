import { rejectWith } from '../../commands/refused.ts'
import type { Allowance, Rate } from '../../ports/allowances.ts'
import type { Ports } from '../../ports.ts'
import { networkOf, oneClient } from '../../../domain/network/network-of.ts'

const minute_s = 60
const hour_s = 60 * minute_s

/** How often somebody may try to sign in or to register: by name, by address, by client or by network. */
const rates = {
  'login of address': { requests: 5, seconds: 15 * minute_s },
  'login from known device': { requests: 5, seconds: 15 * minute_s },
  'login from client': { requests: 10, seconds: 30 * minute_s },
  'registration of address': { requests: 3, seconds: 15 * minute_s },
  'registration from client': { requests: 3, seconds: hour_s },
  'registration from network': { requests: 15, seconds: hour_s },
} as const satisfies Readonly<Record<string, Rate>>

type Needs = Pick<Ports, 'allowances'>

/**
 * Charges a login, whether or not the address or tag of `key` exists and the password is right. Gives the pulled brake if there
 * were too many tries for `key`; only a known device passes it. Refuses with RATE_LIMITED after too many tries from one client.
 */
export async function chargeLogin(needs: Needs, key: string, ip: string): Promise<PulledBrake | undefined> {
  const allowance = await needs.allowances.take('login of address', key, rates['login of address'])
  if (!allowance.allowed) return allowance
  await charge(needs, 'login from client', networkOf(ip, oneClient))
  return undefined
}

/** There were too many sign-ins under one name. */
export type PulledBrake = Extract<Allowance, { readonly allowed: false }>

/**
 * Charges a login from a known device while the brake is pulled. Known devices have their own allowance, so nobody can use them
 * to guess. Refuses with RATE_LIMITED.
 */
export async function chargeKnownDevice(needs: Needs, key: string, device: string, ip: string): Promise<void> {
  await charge(needs, 'login from known device', `${key} ${device}`)
  await charge(needs, 'login from client', networkOf(ip, oneClient))
}

/** Refuses a sign-in while the brake is pulled. */
export function refuseByBrake({ retryAfterSeconds }: PulledBrake): never {
  return rejectWith('RATE_LIMITED', { global: false, retry_after: retryAfterSeconds })
}

/** Charges a registration: by its address, if it has one, and by its client and network. Refuses with RATE_LIMITED. */
export async function chargeRegistration(needs: Needs, addressHash: string | null, ip: string): Promise<void> {
  if (addressHash !== null) await charge(needs, 'registration of address', addressHash)
  await charge(needs, 'registration from client', networkOf(ip, oneClient))
  await charge(needs, 'registration from network', networkOf(ip, { v4: 24, v6: 48 }))
}

async function charge({ allowances }: Needs, name: keyof typeof rates, key: string): Promise<void> {
  const allowance = await allowances.take(name, key, rates[name])
  if (!allowance.allowed) refuseByBrake(allowance)
}
