import { networkOf } from '../../../domain/network/network-of.ts'

/**
 * The address where a session began, shortened so that it names a network but no subscriber: `192.0.2.x`, `2001:db8:1::x`. Null
 * if it is not an address.
 */
export function maskedIp(ip: string | null): string | null {
  if (ip === null) return null
  const [network = ''] = networkOf(ip, { v4: 24, v6: 48 }).split('/')
  if (/^[0-9]{1,3}(?:\.[0-9]{1,3}){2}$/.test(network)) return `${network}.x`
  return /^[0-9a-f:]+::$/.test(network) ? `${network}x` : null
}
