import { holdsAcl, isWithin, type AclBound, type AdminAcl } from '../../../domain/admin/acls.ts'
import type { Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'

/**
 * The ACLs that limit a credential. A key is limited by its own ACLs and by its owner's
 * (rules/administration#who-may-call).
 */
export function boundOf({ account, credential }: Pick<Caller, 'account' | 'credential'>): AclBound {
  return credential.kind === 'admin_key' ? [account.acls, credential.acls] : [account.acls]
}

/** Refuses with MISSING_ACL a caller whose credential does not satisfy an ACL that the body asks for. */
export function requireAcl(caller: Pick<Caller, 'account' | 'credential'>, acl: AdminAcl): void {
  if (!isWithin(boundOf(caller), acl)) reject('MISSING_ACL')
}

/** Whether the caller is an administrator whose credential satisfies at least one of some ACLs. */
export function mayByAcl(caller: Pick<Caller, 'account' | 'credential'>, ...acls: readonly AdminAcl[]): boolean {
  const bound = boundOf(caller)
  return holdsAcl(caller.account.acls, 'admin:authenticate') && acls.some((acl) => isWithin(bound, acl))
}
