import { firstUngrantable, holdsAcl, type AclBound } from '../../../domain/admin/acls.js'
import { isExpired } from '../../../domain/admin-key/state.js'
import { adminKeyId } from '../../../domain/ids/ids.js'
import { snowflake } from '../../../domain/ids/snowflake.js'
import type { Caller } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'

export type AclNeeds = Pick<Ports, 'locks'> & { readonly aggregates: Pick<Ports['aggregates'], 'account' | 'adminKey'> }

/**
 * Runs an act that grants ACLs to an account or a key. All such acts of the instance run one at a time, in whichever process. So
 * nobody grants an ACL that an earlier act took from them.
 */
export async function inAclLine<Result>(
  { locks }: Pick<AclNeeds, 'locks'>,
  act: () => Promise<Result>,
): Promise<Result> {
  const done = await locks.holding('who holds which Admin ACLs', act)
  return done ? done.result : reject('SERVICE_UNAVAILABLE')
}

/**
 * Checks the acting credential against history. Refuses with MISSING_PERMISSIONS if its account is no longer an administrator,
 * and with MISSING_ACL if it lacks one of the ACLs or the one that the operation needs (reference identity 8.1). Call it inside
 * `inAclLine`.
 */
export async function requireGrantable(
  needs: Pick<AclNeeds, 'aggregates'>,
  caller: Caller,
  acls: readonly string[],
  operationsOwn: string,
): Promise<void> {
  const bound = await boundNow(needs, caller)
  if (!holdsAcl(bound[0], 'admin:authenticate')) reject('MISSING_PERMISSIONS')
  const missing = firstUngrantable(bound, [operationsOwn, ...acls])
  if (missing !== undefined) reject('MISSING_ACL')
}

async function boundNow({ aggregates }: Pick<AclNeeds, 'aggregates'>, caller: Caller): Promise<AclBound> {
  const { account, credential, context } = caller
  const { state } = await aggregates.account.load(account.id)
  const held = state.status === 'registered' ? state.acls : []
  if (credential.kind !== 'admin_key') return [held]
  const key = (await aggregates.adminKey.load(adminKeyId(snowflake(credential.keyId)))).state
  return [held, key.status === 'issued' && !isExpired(key, context.now) ? key.acls : []]
}
