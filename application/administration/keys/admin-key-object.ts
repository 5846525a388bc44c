import { isAdminAcl, type AdminAcl } from '../../../domain/admin/acls.ts'
import type { AdminKeyId } from '../../../domain/ids/ids.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import type { AdminKeyRecord } from '../../ports/queries/admin-key-queries.ts'
import type { SessionActivity } from '../../ports/session-activity.ts'
import { activityName } from './admin-key.ts'

/** An Admin key as its maker sees it. */
export interface AdminKeyObject {
  readonly key_id: AdminKeyId
  readonly name: string
  readonly acls: readonly AdminAcl[]
  readonly created_by_user_id: AdminKeyRecord['accountId']
  readonly created_at: Timestamp
  /** Accurate to some minutes. */
  readonly last_used_at: Timestamp | null
  readonly expires_at: Timestamp | null
}

/** The objects of keys, with the time of their last use. */
export async function adminKeyObjects(
  { sessionActivity }: { readonly sessionActivity: Pick<SessionActivity, 'lastUsed'> },
  keys: readonly AdminKeyRecord[],
): Promise<readonly AdminKeyObject[]> {
  const used = await sessionActivity.lastUsed(keys.map(({ keyId }) => activityName(keyId)))
  return keys.map((key) => ({
    key_id: key.keyId,
    name: key.name,
    acls: key.acls.filter(isAdminAcl),
    created_by_user_id: key.accountId,
    created_at: key.createdAt,
    last_used_at: used.get(activityName(key.keyId)) ?? null,
    expires_at: key.expiresAt,
  }))
}
