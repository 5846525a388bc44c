/** Who may call an operation (contract part 1, Authentication, Policies). What it refuses: see requireAccess. */
export type Access = PublicAccess | AccountAccess | AdminAccess

/** Anybody: a credential that does not resolve is ignored, one that does is known to the handler. */
export interface PublicAccess {
  readonly kind: 'public'
}

/** A resolved account: a user session always; bots and bearers where the operation says so. */
export interface AccountAccess {
  readonly kind: 'account'
  readonly bots: boolean
  /** The scope that an OAuth2 bearer needs; null refuses every bearer. */
  readonly scope: string | null
}

/** An administrator: an account with `admin:authenticate`, and each of the ACLs; `*` holds them all. */
export interface AdminAccess {
  readonly kind: 'admin'
  readonly acls: readonly string[]
}

export function anyone(): PublicAccess {
  return { kind: 'public' }
}

/** User sessions, and what `options` adds. */
export function accounts(options: { readonly bots?: boolean; readonly scope?: string } = {}): AccountAccess {
  return { kind: 'account', bots: options.bots ?? false, scope: options.scope ?? null }
}

/** Administrators. An operation for them says what the admin audit log records of it, or that it records nothing. */
export function admin(options: { readonly acls: readonly string[] }): AdminAccess {
  return { kind: 'admin', acls: options.acls }
}
