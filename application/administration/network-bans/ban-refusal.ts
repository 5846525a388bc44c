import type { Refusal } from '../../../domain/kernel/refusal.js'
import type { NetworkBanRecord } from '../../ports/queries/network-ban-queries.js'

/** What a banned client is told (reference identity 1.6). `appealEmail` is empty where the instance has no address. */
export function banRefusal({ expiresAt }: NetworkBanRecord, address: string, appealEmail: string): Refusal {
  const isPermanent = expiresAt === null
  return {
    code: isPermanent ? 'GLOBAL_IP_BANNED' : 'GLOBAL_IP_TEMPORARILY_BANNED',
    fields: [],
    details: {
      ip_address: normalisedAddress(address),
      appeal_email: appealEmail,
      appeals_supported: isPermanent && appealEmail !== '',
      ban_kind: isPermanent ? 'permanent' : 'temporary_24h',
      expires_at: expiresAt,
    },
  }
}

/** The one way in which an IPv6 address is written (RFC 5952), as URLs have it. */
function normalisedAddress(address: string): string {
  const url = `http://[${address}]`
  return address.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address
}
