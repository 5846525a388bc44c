import { reject, rejectWith } from '../../../application/commands/refused.js'
import type { Access, AccountAccess, AdminAccess } from '../access.js'
import type { Authenticated } from './credential.js'

/**
 * Demands what an operation declares (contract part 1, Authentication, Policies). Refuses with UNAUTHORIZED, ACCESS_DENIED,
 * MISSING_OAUTH_SCOPE, and for Admin operations MISSING_PERMISSIONS and MISSING_ACL.
 */
export function requireAccess(access: Access, authenticated: Authenticated | undefined): void {
  switch (access.kind) {
    case 'public':
      return
    case 'account':
      return requireAccount(access, authenticated)
    case 'admin':
      return requireAdmin(access, authenticated)
  }
}

function requireAccount(access: AccountAccess, authenticated: Authenticated | undefined): void {
  if (!authenticated) return reject('UNAUTHORIZED')
  const { credential } = authenticated
  if (credential.kind === 'bot' && !access.bots) reject('ACCESS_DENIED')
  if (credential.kind !== 'bearer') return
  if (access.scope === null) return reject('ACCESS_DENIED')
  if (!credential.scopes.has(access.scope)) rejectWith('MISSING_OAUTH_SCOPE', { required_scope: access.scope })
}

/** Contract part 1, Authentication, rule 7; reference identity 8.1. No application is the built-in Admin one yet. */
function requireAdmin({ acls }: AdminAccess, authenticated: Authenticated | undefined): void {
  if (!authenticated || authenticated.credential.kind === 'bot') return reject('UNAUTHORIZED')
  if (authenticated.credential.kind === 'bearer') return reject('ACCESS_DENIED')
  const held = authenticated.account.acls
  if (held.includes('*')) return
  if (!held.includes('admin:authenticate')) reject('MISSING_PERMISSIONS')
  if (!acls.every((acl) => held.includes(acl))) reject('MISSING_ACL')
}
