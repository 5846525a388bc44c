import type { AdminAcl } from '../../domain/admin/acls.ts'

/** Who may call an operation. What it refuses: see requireAllowedCaller. */
export type Callers = PublicCallers | AccountCallers | BotCallers | BearerCallers | AdminCallers

/** Anybody: a credential that does not resolve is ignored, one that does is known to the handler. */
export interface PublicCallers {
  readonly kind: 'public'
  /**
   * Whether the token of a webhook in the path stands for a credential: what is wrong with a request is told only to who shows the
   * right one.
   */
  readonly withToken: boolean
  /**
   * Another service: its body may also be a URL-encoded form whose field `payload` is the JSON. Of a delivery, X-GitHub-Delivery is the
   * Idempotency-Key, whatever the body is, and one that was refused may come again.
   */
  readonly service: 'message' | 'delivery' | null
}

/** A resolved account: a user session always; bots and bearers where the operation says so. */
export interface AccountCallers {
  readonly kind: 'account'
  /** `refused`: the use case itself refuses bots, with the operation's own code. */
  readonly bots: boolean | 'refused'
  /** The scope that an OAuth2 bearer needs; null refuses every bearer. */
  readonly scope: string | null
  /** Whether a token of the console may do what the session that it ends with may do. */
  readonly console: boolean
}

/** A bot by its token alone. */
export interface BotCallers {
  readonly kind: 'bot'
  /** The refusal for all other callers. If absent: UNAUTHORIZED without a credential, ACCESS_DENIED with another kind. */
  readonly otherwise?: 'INVALID_TOKEN'
}

/** An OAuth2 bearer alone. */
export interface BearerCallers {
  readonly kind: 'bearer'
  /** The scope that the bearer needs; null accepts any scope. */
  readonly scope: string | null
}

/** An administrator: an account with `admin:authenticate`, each of the ACLs, and one of `anyOf`; `*` holds them all. */
export interface AdminCallers {
  readonly kind: 'admin'
  readonly acls: readonly AdminAcl[]
  /** Empty if none of them is needed. */
  readonly anyOf: readonly AdminAcl[]
  /** One of these the use case asks for, once it knows from the validated body which. */
  readonly onceValidated: readonly AdminAcl[]
  /** Whether any session may call it until the instance is set up. */
  readonly duringSetup: boolean
}

export function anyone(): PublicCallers {
  return { kind: 'public', withToken: false, service: null }
}

/** Whoever shows the token of the webhook in the path. */
export function anyoneWithToken(service: PublicCallers['service'] = null): PublicCallers {
  return { kind: 'public', withToken: true, service }
}

/** The service that calls an operation; null where clients do. */
export function serviceAmong(callers: Callers): PublicCallers['service'] {
  return callers.kind === 'public' ? callers.service : null
}

/** User sessions, and the callers that `options` adds. */
export function accounts(
  options: { readonly bots?: AccountCallers['bots']; readonly scope?: string; readonly console?: boolean } = {},
): AccountCallers {
  const { bots: areBots = false, scope = null, console = false } = options
  return { kind: 'account', bots: areBots, scope, console }
}

/** Bots, and nobody else. */
export function bots(options: Pick<BotCallers, 'otherwise'> = {}): BotCallers {
  return { kind: 'bot', ...options }
}

/** OAuth2 bearers, and nobody else. */
export function bearers(options: Pick<BearerCallers, 'scope'>): BearerCallers {
  return { kind: 'bearer', ...options }
}

/** Administrators. Their operations also declare what the admin audit log records, or that it records nothing. */
export function admin(options: {
  readonly acls: readonly AdminAcl[]
  readonly anyOf?: readonly AdminAcl[]
  readonly onceValidated?: readonly AdminAcl[]
  readonly duringSetup?: boolean
}): AdminCallers {
  return {
    kind: 'admin',
    acls: options.acls,
    anyOf: options.anyOf ?? [],
    onceValidated: options.onceValidated ?? [],
    duringSetup: options.duringSetup ?? false,
  }
}
