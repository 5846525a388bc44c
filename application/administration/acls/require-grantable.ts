import { isClosedAt } from '../../../domain/account/decisions/decide-admission.ts'
import { firstUngrantable, holdsAcl, type AclBound } from '../../../domain/admin/acls.ts'
import { isExpired } from '../../../domain/admin-key/state.ts'
import { adminKeyId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { stillSpeaks } from '../../access/still-speaks.ts'
import type { Acting, Credential } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'

export interface GrantableNeeds {
  readonly aggregates: Pick<Ports['aggregates'], 'account' | 'adminKey'>
}

/** An administrator who acts: by a request, or by a job that a request queued. */
export interface ActingAdmin extends Acting {
  readonly credential: { readonly kind: Exclude<Credential['kind'], 'admin_key'> } | ActingKey
}

/** As much of it as its ACLs depend on. */
export type ActingNow = Pick<ActingAdmin, 'account' | 'credential'> & {
  readonly context: Pick<ActingAdmin['context'], 'now'>
  /** Of the account, where the act was ordered under it. */
  readonly delegationVersion?: number | undefined
}

interface ActingKey {
  readonly kind: 'admin_key'
  /** Null for a job of an earlier version, which did not say. */
  readonly keyId: string | null
}

/**
 * Checks the acting credential against history. Refuses with UNAUTHORIZED if its account was closed meanwhile, or has
 * ended its delegations since the act was ordered, with MISSING_PERMISSIONS if that is no longer an administrator, and
 * with MISSING_ACL if it lacks one of the ACLs or the one that the operation needs. An operator at the command line may grant every
 * ACL. Call it inside `inAclQueue`.
 */
export async function requireGrantable(
  needs: GrantableNeeds,
  by: ActingNow,
  acls: readonly string[],
  operationsOwn: string,
): Promise<void> {
  if (by.credential.kind === 'command_line') return
  const bound = await boundNow(needs, by)
  if (!holdsAcl(bound[0], 'admin:authenticate')) reject('MISSING_PERMISSIONS')
  const missing = firstUngrantable(bound, [operationsOwn, ...acls])
  if (missing !== undefined) reject('MISSING_ACL')
}

async function boundNow(
  { aggregates }: GrantableNeeds,
  { account, credential, context, delegationVersion }: ActingNow,
): Promise<AclBound> {
  const { state } = await aggregates.account.load(account.id)
  if (state.status !== 'registered' || isClosedAt(state, context.now)) return reject('UNAUTHORIZED')
  if (delegationVersion !== undefined && !stillSpeaks(state, { delegationVersion })) return reject('UNAUTHORIZED')
  if (credential.kind !== 'admin_key') return [state.acls]
  if (credential.keyId === null) return [state.acls, []]
  const key = (await aggregates.adminKey.load(adminKeyId(snowflake(credential.keyId)))).state
  const isValid = key.status === 'issued' && !isExpired(key, context.now) && stillSpeaks(state, key)
  return [state.acls, isValid ? key.acls : []]
}
