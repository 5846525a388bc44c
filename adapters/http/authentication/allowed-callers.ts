import type { Caller } from '../../../application/caller.ts'
import { boundOf } from '../../../application/administration/acls/acl-bound.ts'
import { reject, rejectWith } from '../../../application/commands/refused.ts'
import { holdsAcl, isWithin } from '../../../domain/admin/acls.ts'
import type { Callers, AccountCallers, AdminCallers, BearerCallers, BotCallers } from '../callers.ts'
import type { Authenticated } from './credential.ts'

type Bearer = Extract<Caller['credential'], { readonly kind: 'bearer' }>

/**
 * Enforces an operation's declared access. Refuses with UNAUTHORIZED, ACCESS_DENIED, MISSING_OAUTH_SCOPE, the code of a
 * bot operation, and for Admin operations MISSING_PERMISSIONS and MISSING_ACL.
 */
export function requireAllowedCaller(callers: Callers, authenticated: Authenticated | undefined): void {
  switch (callers.kind) {
    case 'public':
      return
    case 'account':
      return requireAccount(callers, authenticated)
    case 'bot':
      return requireBot(callers, authenticated)
    case 'bearer':
      return requireBearer(callers, authenticated)
    case 'admin':
      return requireAdmin(callers, authenticated)
  }
}

/** Rules 5 and 6. */
function requireAccount(callers: AccountCallers, authenticated: Authenticated | undefined): void {
  if (!authenticated) return reject('UNAUTHORIZED')
  const { credential } = authenticated
  if (credential.kind === 'bot' && callers.bots === false) reject('ACCESS_DENIED')
  if (credential.kind !== 'bearer') return
  if (callers.console && credential.sessionHash !== undefined) return
  if (callers.scope === null) return reject('ACCESS_DENIED')
  requireScope(credential, callers.scope)
}

/** Rule 8, where the operation has no code of its own for all others (rule 2). */
function requireBot({ otherwise }: BotCallers, authenticated: Authenticated | undefined): void {
  if (authenticated?.credential.kind === 'bot') return
  reject(otherwise ?? (authenticated ? 'ACCESS_DENIED' : 'UNAUTHORIZED'))
}

/** Rule 6: a bearer-only operation takes no other credential for one. */
function requireBearer({ scope }: BearerCallers, authenticated: Authenticated | undefined): void {
  if (authenticated?.credential.kind !== 'bearer') return reject('UNAUTHORIZED')
  if (scope !== null) requireScope(authenticated.credential, scope)
}

function requireScope({ scopes }: Bearer, scope: string): void {
  if (!scopes.has(scope)) rejectWith('MISSING_OAUTH_SCOPE', { required_scope: scope })
}

/**
 * Below /v1/admin: a session, a token of the built-in Admin application or an Admin key, whose account holds
 * admin:authenticate. Afterwards the ACLs of the operation are asked, of a key those of the key as well
 * (rules/administration#who-may-call).
 */
function requireAdmin({ acls, anyOf }: AdminCallers, authenticated: Authenticated | undefined): void {
  if (!authenticated || authenticated.credential.kind === 'bot') return reject('UNAUTHORIZED')
  const { account, credential } = authenticated
  if (credential.kind === 'bearer' && !credential.isAdminApplication) return reject('ACCESS_DENIED')
  if (!holdsAcl(account.acls, 'admin:authenticate')) reject('MISSING_PERMISSIONS')
  const bound = boundOf({ account, credential })
  const hasAny = anyOf.length === 0 || anyOf.some((acl) => isWithin(bound, acl))
  // It never names the ACL.
  if (!acls.every((acl) => isWithin(bound, acl)) || !hasAny) reject('MISSING_ACL')
}
