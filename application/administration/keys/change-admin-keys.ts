import type { AdminAcl } from '../../../domain/admin/acls.ts'
import type { AdminKeyChanges } from '../../../domain/admin-key/events.ts'
import { adminKeyId, type AdminKeyId } from '../../../domain/ids/ids.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { inAclQueue } from '../../access/acl-queue.ts'
import { requireGrantable } from '../acls/require-grantable.ts'
import { ownAccountState } from '../../identity/accounts/own-account-state.ts'
import type { Caller } from '../../caller.ts'
import type { Ports } from '../../ports.ts'
import { tellHolder } from '../../identity/mail/tell-holder.ts'
import { activityName, adminKeyHash, newAdminKey } from './admin-key.ts'
import type { AdminKeyObject } from './admin-key-object.ts'
import { objectOf, ownKey } from './read-admin-keys.ts'

type Needs = Pick<Ports, 'aggregates' | 'locks' | 'mail' | 'queries' | 'readModels' | 'sessionActivity'>

export interface AdminKeyWishes {
  readonly name: string
  /** 1-365; null for never. */
  readonly expiresIn_days: number | null
  readonly acls: readonly AdminAcl[]
}

/** A new key. Its text is shown only here. */
export interface NewAdminKeyObject {
  readonly key_id: AdminKeyId
  readonly key: string
  readonly name: string
  readonly created_at: Timestamp
  readonly expires_at: Timestamp | null
  readonly acls: readonly AdminAcl[]
}

const manage = 'admin_api_key:manage'
const day_s = 86_400

/**
 * Creates a key that acts for the caller's account, and mails the account's holder. Refuses with MISSING_ACL for an ACL
 * that the acting credential lacks. See rules/administration#admin-keys.
 */
export function createAdminKey(ports: Needs) {
  return async (caller: Caller, { name, expiresIn_days: days, acls }: AdminKeyWishes): Promise<NewAdminKeyObject> => {
    const { account, context } = caller
    const keyId = adminKeyId(context.newId())
    const key = newAdminKey(keyId, context)
    const expiresAt = days === null ? null : secondsAfter(context.now, days * day_s)
    const held = [...new Set(acls)]
    await inAclQueue(ports, async () => {
      await requireGrantable(ports, caller, held, manage)
      const { id: accountId, delegationVersion } = account
      const command = { keyId, accountId, name, keyHash: adminKeyHash(key), acls: held, expiresAt, delegationVersion }
      await ports.aggregates.adminKey.execute(
        keyId,
        { type: 'CreateAdminKey', ...command, now: context.now },
        context,
        'initial',
      )
    })
    const own = await ownAccountState(ports, caller)
    await tellHolder(ports, own, context, (facts) => ({ template: 'admin_key_created', values: { ...facts, name } }))
    return { key_id: keyId, key, name, created_at: context.now, expires_at: expiresAt, acls: held }
  }
}

/**
 * Changes a key's name, its ACLs, both or neither. Refuses with ADMIN_API_KEY_NOT_FOUND unless the caller's account made the key,
 * then with MISSING_ACL.
 */
export function changeAdminKey(ports: Needs) {
  return async (caller: Caller, id: AdminKeyId, changes: AdminKeyChanges): Promise<AdminKeyObject> => {
    const { context } = caller
    await ownKey(ports, caller, id)
    const command = { type: 'ChangeAdminKey', changes, now: context.now } as const
    const execute = async (): Promise<void> => void (await ports.aggregates.adminKey.execute(id, command, context))
    const { acls } = changes
    await (acls === undefined
      ? execute()
      : inAclQueue(ports, async () => {
          await requireGrantable(ports, caller, acls, manage)
          await execute()
        }))
    await ports.readModels.reached(context.written)
    return objectOf(ports, await ownKey(ports, caller, id))
  }
}

/**
 * Deletes a key, which is invalid from then on. Refuses with ADMIN_API_KEY_NOT_FOUND unless the caller's account made the key.
 */
export function deleteAdminKey(ports: Needs) {
  return async (caller: Caller, id: AdminKeyId): Promise<void> => {
    const { context } = caller
    await ownKey(ports, caller, id)
    // Runs in the queue, so that a grant by the key itself is either finished before or refused after.
    await inAclQueue(ports, () =>
      ports.aggregates.adminKey.execute(id, { type: 'DeleteAdminKey', now: context.now }, context),
    )
    ports.sessionActivity.forget(activityName(id))
  }
}
