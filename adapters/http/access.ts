import type { AdminAcl } from '../../domain/admin/acls.js'

/** Who may call an operation (contract part 1, Authentication, Policies). For the refusals see requireAccess. */
export type Access = PublicAccess | AccountAccess | BotAccess | BearerAccess | AdminAccess

/** Everyone. A credential that does not resolve is ignored; one that does is passed to the handler. */
export interface PublicAccess {
  readonly kind: 'public'
}

/** A resolved account: always a user session; bots and bearers if the operation allows them. */
export interface AccountAccess {
  readonly kind: 'account'
  /** `refused`: the use case itself refuses bots, with the operation's own code. */
  readonly bots: boolean | 'refused'
  /** The scope that an OAuth2 bearer needs; null refuses every bearer. */
  readonly scope: string | null
}

/** Bots only, with a bot token. */
export interface BotAccess {
  readonly kind: 'bot'
  /** The refusal for all other callers. If absent: UNAUTHORIZED without a credential, ACCESS_DENIED with another kind. */
  readonly otherwise?: 'INVALID_TOKEN'
}

/** OAuth2 bearers only. */
export interface BearerAccess {
  readonly kind: 'bearer'
  /** The scope that the bearer needs; null accepts any scope. */
  readonly scope: string | null
}

/** Administrators: accounts with `admin:authenticate`, all of the ACLs, and one of `anyOf`; `*` holds them all. */
export interface AdminAccess {
  readonly kind: 'admin'
  readonly acls: readonly AdminAcl[]
  /** Empty if none of them is needed. */
  readonly anyOf: readonly AdminAcl[]
  /** Whether any session may call it until the instance is set up (reference identity 8.1). */
  readonly duringSetup: boolean
}

export function anyone(): PublicAccess {
  return { kind: 'public' }
}

/** User sessions, and the callers that `options` adds. */
export function accounts(
  options: { readonly bots?: AccountAccess['bots']; readonly scope?: string } = {},
): AccountAccess {
  return { kind: 'account', bots: options.bots ?? false, scope: options.scope ?? null }
}

/** Bots only. */
export function bots(options: Pick<BotAccess, 'otherwise'> = {}): BotAccess {
  return { kind: 'bot', ...options }
}

/** OAuth2 bearers only. */
export function bearers(options: Pick<BearerAccess, 'scope'>): BearerAccess {
  return { kind: 'bearer', ...options }
}

/** Administrators. Their operations also declare what the admin audit log records, or that it records nothing. */
export function admin(options: {
  readonly acls: readonly AdminAcl[]
  readonly anyOf?: readonly AdminAcl[]
  readonly duringSetup?: boolean
}): AdminAccess {
  return { kind: 'admin', acls: options.acls, anyOf: options.anyOf ?? [], duringSetup: options.duringSetup ?? false }
}
