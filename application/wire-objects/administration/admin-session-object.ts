import { z } from 'zod'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { SessionRecord } from '../../ports/queries/session-queries.ts'
import { redacted, type AdminUserView, type NetworkFacts } from './admin-user-object.ts'
import { timestampOutput, nullableText } from '../scalars.ts'
import { objectOf, wireObject, type ObjectOf } from '../declaration.ts'

export const adminSessionSchema = wireObject('AdminUserSession', {
  session_id_hash: z.string(),
  created_at: timestampOutput,
  approx_last_used_at: timestampOutput,
  client_ip: z.string(),
  client_ip_reverse: nullableText,
  client_os: nullableText,
  client_platform: nullableText,
  client_location: nullableText,
  deleted_at: timestampOutput.nullable(),
})

export type AdminSessionObject = ObjectOf<typeof adminSessionSchema>

export interface AdminSessionParts extends SessionRecord {
  readonly lastUsedAt: Timestamp
  /** Null while the session lives. */
  readonly endedAt: Timestamp | null
  /** What look-ups say of the address: nothing where the address is not shown. */
  readonly network: NetworkFacts
  /** What its user agent tells; null if there was none. */
  readonly client: { readonly os: string | null; readonly platform: string | null } | null
}

/** A session as administrators see it. An address that is not known any more is an empty text. */
export function adminSessionObject(session: AdminSessionParts, view: Pick<AdminUserView, 'ip'>): AdminSessionObject {
  return objectOf(adminSessionSchema, {
    session_id_hash: session.tokenHash,
    created_at: session.startedAt,
    approx_last_used_at: session.lastUsedAt,
    client_ip: view.ip ? (session.ip ?? '') : redacted,
    client_ip_reverse: session.network.hostName,
    client_os: session.client?.os ?? null,
    client_platform: session.client?.platform ?? null,
    client_location: session.network.location,
    deleted_at: session.endedAt,
  })
}
