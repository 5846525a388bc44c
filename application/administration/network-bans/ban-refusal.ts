import type { Refusal } from '../../../domain/kernel/refusal.ts'
import type { NetworkBanRecord } from '../../ports/queries/network-ban-queries.ts'

/** The refusal that a banned client gets. `appealEmail` is empty if the instance has no address. */
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

/** The canonical spelling of an IPv6 address (RFC 5952), as in URLs. */
function normalisedAddress(address: string): string {
  const url = `http://[${address}]`
  return address.includes(':') && URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address
}
