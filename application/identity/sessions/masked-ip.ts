import { networkOf } from '../../../domain/network/network-of.js'

/**
 * Where a session began, with enough left out that it names a network and no subscriber: `192.0.2.x`, `2001:db8:1::x`. Null
 * for what is no address.
 */
export function maskedIp(ip: string | null): string | null {
  if (ip === null) return null
  const [network = ''] = networkOf(ip, { v4: 24, v6: 48 }).split('/')
  if (/^[0-9]{1,3}(?:\.[0-9]{1,3}){2}$/.test(network)) return `${network}.x`
  return /^[0-9a-f:]+::$/.test(network) ? `${network}x` : null
}
