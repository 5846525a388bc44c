import { holdsAcl, isWithin, type AclBound, type AdminAcl } from '../../../domain/admin/acls.ts'
import type { Caller } from '../../caller.ts'

/**
 * The ACLs that limit a credential. A key is limited by its own ACLs and by its owner's
 * (rules/administration#who-may-call).
 */
export function boundOf({ account, credential }: Pick<Caller, 'account' | 'credential'>): AclBound {
  return credential.kind === 'admin_key' ? [account.acls, credential.acls] : [account.acls]
}

/** Whether the caller is an administrator whose credential satisfies at least one of some ACLs. */
export function mayByAcl(caller: Pick<Caller, 'account' | 'credential'>, ...acls: readonly AdminAcl[]): boolean {
  const bound = boundOf(caller)
  return holdsAcl(caller.account.acls, 'admin:authenticate') && acls.some((acl) => isWithin(bound, acl))
}
