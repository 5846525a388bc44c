import { msOf, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { clientInfo, type ClientInfo } from './client-info.ts'
import { withLastUses } from './last-uses.ts'
import { maskedIp } from './masked-ip.ts'

/** A session as its account sees it. */
export interface AuthSession {
  /** base64url SHA-256 of its token. */
  readonly id_hash: string
  readonly client_info: ClientInfo | null
  readonly masked_ip: string | null
  /** Accurate to some minutes. */
  readonly approx_last_used_at: Timestamp
  /** Always false, even for the session of the caller: clients know their own. */
  readonly current: false
}

/**
 * The live sessions of the caller's account, latest activity first. With more than 1000, only the 1000 that began last.
 * See rules/credentials#sessions.
 */
export function listOwnSessions({ queries, sessionActivity }: Pick<Ports, 'queries' | 'sessionActivity'>) {
  return async ({ account }: Caller): Promise<readonly AuthSession[]> => {
    const sessions = await withLastUses({ sessionActivity }, await queries.sessions.ofAccount(account.id))
    return sessions
      .map(({ tokenHash, ip, userAgent, lastUsedAt }): AuthSession => ({
        id_hash: tokenHash,
        client_info: clientInfo(userAgent),
        masked_ip: maskedIp(ip),
        approx_last_used_at: lastUsedAt,
        current: false,
      }))
      .toSorted((one, other) => msOf(other.approx_last_used_at) - msOf(one.approx_last_used_at))
  }
}
