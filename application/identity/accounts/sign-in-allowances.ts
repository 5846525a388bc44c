import { rejectWith } from '../../commands/refused.js'
import type { Allowance, Rate } from '../../ports/allowances.js'
import type { Ports } from '../../ports.js'
import { networkOf, oneClient } from '../../../domain/network/network-of.js'

const minute_s = 60
const hour_s = 60 * minute_s

/** How often somebody may try to sign in or register (reference identity 1.9.1). */
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
 * Charges a login, whether or not there is the address or the tag that `key` names, and the password is right. Gives the brake
 * that strangers have pulled for `key`, which only a known device passes; refuses with RATE_LIMITED who tries too often from one
 * client.
 */
export async function chargeLogin(needs: Needs, key: string, ip: string): Promise<PulledBrake | undefined> {
  const allowance = await needs.allowances.take('login of address', key, rates['login of address'])
  if (!allowance.allowed) return allowance
  await charge(needs, 'login from client', networkOf(ip, oneClient))
  return undefined
}

/** Too many have tried to sign in under one name. */
export type PulledBrake = Extract<Allowance, { readonly allowed: false }>

/**
 * Charges a login from a device that the account knows, behind the brake that strangers have pulled. It has a brake of its own, so
 * that nobody guesses by way of it. Refuses with RATE_LIMITED.
 */
export async function chargeKnownDevice(needs: Needs, key: string, device: string, ip: string): Promise<void> {
  await charge(needs, 'login from known device', `${key} ${device}`)
  await charge(needs, 'login from client', networkOf(ip, oneClient))
}

/** Turns away who meets a brake. */
export function refuseByBrake({ retryAfterSeconds }: PulledBrake): never {
  return rejectWith('RATE_LIMITED', { global: false, retry_after: retryAfterSeconds })
}

/** Charges a registration; one without an address has none to charge. Refuses with RATE_LIMITED. */
export async function chargeRegistration(needs: Needs, addressHash: string | null, ip: string): Promise<void> {
  if (addressHash !== null) await charge(needs, 'registration of address', addressHash)
  await charge(needs, 'registration from client', networkOf(ip, oneClient))
  await charge(needs, 'registration from network', networkOf(ip, { v4: 24, v6: 48 }))
}

async function charge({ allowances }: Needs, name: keyof typeof rates, key: string): Promise<void> {
  const allowance = await allowances.take(name, key, rates[name])
  if (!allowance.allowed) refuseByBrake(allowance)
}
