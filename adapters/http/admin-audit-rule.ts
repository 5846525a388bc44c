/** The parsed request. */
export interface AuditedRequest {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Picks the action if the request determines which of several it is; null for none, so no entry. Called before the handler runs. */
export interface ActionByRequest<Request extends AuditedRequest> {
  readonly anyOf: readonly string[]
  readonly of: (request: Pick<Request, keyof AuditedRequest>) => string | null
}

/** What the admin audit log records of a successful request (rules/administration#audit-log). */
export interface AdminAuditRule<Request extends AuditedRequest, Reply> {
  readonly action: string | ActionByRequest<Request>
  /** The kind of the target: `user`. */
  readonly target: string
  /** The id of the target. Left out if there is no particular target, which the log records as `0`. */
  readonly targetId?: (request: Request, reply: Reply) => string
  /** Further metadata come from `noteAudited`. */
  readonly metadata?: (request: Request, reply: Reply) => Readonly<Record<string, string>>
  /** Further metadata that is personal to the target account, such as its e-mail address. */
  readonly personalMetadata?: (request: Request, reply: Reply) => Readonly<Record<string, string>>
  /** A second entry that some requests leave, on a target of the same id: `noteSecondEntry` says so, with its metadata. */
  readonly also?: { readonly action: string; readonly target: string }
}

/** The actions of which each request is recorded as one. */
export function firstActionsOf({ action }: Pick<Actions, 'action'>): readonly string[] {
  return typeof action === 'string' ? [action] : action.anyOf
}

/** Every action under which requests to the operation may be recorded, including that of a second entry. */
export function actionsOf(rule: Actions): readonly string[] {
  return [...new Set([...firstActionsOf(rule), ...(rule.also ? [rule.also.action] : [])])]
}

/** The action that this request is recorded as; null if it leaves no entry. */
export function actionOf({ action }: Pick<Actions, 'action'>, request: AuditedRequest): string | null {
  return typeof action === 'string' ? action : action.of(request)
}

// `of` takes the request as parsed with the schemas of the rule's own declaration.
interface Actions {
  readonly action: string | { readonly anyOf: readonly string[]; of(request: AuditedRequest): string | null }
  readonly also?: { readonly action: string }
}
