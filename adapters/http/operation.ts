import { z } from 'zod'
import type { Caller, Requester } from '../../application/caller.js'
import type { AdminAuditTarget } from '../../application/ports/admin-audit.js'
import type { ErrorCode } from '../../domain/kernel/error-codes.js'
import type { FieldError } from '../../domain/kernel/refusal.js'
import type { Callers, AdminCallers, PublicCallers } from './callers.js'
import type { Bucket } from './bucket.js'
import type { Sudo, SudoOnDemand } from './sudo.js'
import type { UseCases } from './use-cases/use-cases.js'
import { holdsSecret } from './schemas/secrets.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** The names of the parameters in a route's path. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Who stands behind a request by the time that the handler runs. */
type CallerOf<A extends Callers> = A extends PublicCallers
  ? Requester & Partial<Pick<Caller, 'account' | 'credential'>>
  : Caller

/** Nothing of this kind is read, sent or recorded. */
export const none = { none: true } as const
export type None = typeof none

export type Schema = z.ZodType | None
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined
/** A value that nobody changes any more. */
type Finished<Value> = Value extends readonly (infer Element)[]
  ? readonly Finished<Element>[]
  : Value extends object
    ? { readonly [Member in keyof Value]: Finished<Value[Member]> }
    : Value

/** What a handler gives back is what the schema takes, in its readonly form. */
type ReplyOf<Replies> = Replies[keyof Replies] extends infer S
  ? S extends z.ZodType
    ? Finished<z.input<S>>
    : S extends None
      ? void
      : never
  : never

/** What a handler is given: everything checked and parsed. */
export interface OperationRequest<
  A extends Callers,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  S extends Sudo | None = None,
> {
  readonly caller: CallerOf<A>
  readonly params: Output<Params>
  readonly query: Output<Query>
  readonly body: Output<Body>
  /** Demands sudo mode of the caller; refuses with what verifySudo refuses with. */
  readonly proveSudo: S extends SudoOnDemand ? () => Promise<void> : undefined
}

/** Where an operation that answers with 302 sends the client. */
export const redirection = z.object({ location: z.url() })

/** What a request asks for, once it is parsed. */
interface Asked {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** Where the request says which of several actions it is. It is asked before anything is done. */
export interface ActionAsAsked<Request extends Asked> {
  readonly anyOf: readonly string[]
  readonly of: (request: Pick<Request, keyof Asked>) => string
}

/** What the admin audit log says of a request that succeeded (reference identity 8.4). */
export interface AdminAuditRule<Request extends Asked, Reply> {
  readonly action: string | ActionAsAsked<Request>
  readonly target: (request: Request, reply: Reply) => AdminAuditTarget
  readonly metadata?: (request: Request, reply: Reply) => Readonly<Record<string, string>>
  /** More of the same that is personal to the account which is the target, such as its e-mail address. */
  readonly personalMetadata?: (request: Request, reply: Reply) => Readonly<Record<string, string>>
}

/** Required of an operation for administrators, and impossible on every other one. */
type AdminAuditMember<A extends Callers, Request extends Asked, Reply> = A extends AdminCallers
  ? { readonly adminAudit: AdminAuditRule<Request, Reply> | None }
  : { readonly adminAudit?: never }

/**
 * One operation of the API. Validation, credentials, limits, audit and the OpenAPI document all come from this declaration;
 * each member that could be forgotten is required.
 */
export interface Declaration<
  R extends Route,
  A extends Callers,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Replies extends Readonly<Record<number, Schema>>,
  S extends Sudo | None,
> {
  /** As the contract names it. */
  readonly name: string
  readonly route: R
  readonly callers: A
  /**
   * Whether it is there only for callers with thread access: everybody else gets 404 NOT_FOUND (contract part 1, Authentication,
   * rule 10).
   */
  readonly needsThreads?: boolean
  readonly bucket: Bucket
  /** A schema for each parameter of the path; `none` where the path has none. */
  readonly params: [ParameterNames<R>] extends [never]
    ? None
    : Params & z.ZodObject<Readonly<Record<ParameterNames<R>, z.ZodType>>>
  readonly query: Query
  readonly body: Body
  /**
   * Whether the body is a form and not JSON: so with the three operations that OAuth2 clients speak the protocol's own language
   * with (reference identity 2.3), whose answers nobody stores.
   */
  readonly takesForm?: boolean
  /** The one status of success, and its body; `redirection` with 302. */
  readonly replies: Replies
  /**
   * The codes that its use case refuses with; those that follow from the rest of the declaration are left out (`codesOf`). In
   * tests and development a refusal that is not listed is an error.
   */
  readonly refuses?: readonly ErrorCode[]
  /** Whether it refuses in the envelope of OAuth2 too (reference identity 7.5), as every operation does that takes a form. */
  readonly speaksOAuth2?: boolean
  /** Whether the body may hold an image: then it may have 16 MiB, else 1 MiB (supplement). */
  readonly takesImage?: boolean
  /** Whether scripts of every web page may read the answer (reference identity 2.5). */
  readonly openToAllOrigins?: boolean
  /** Whether single sign-on closes it while that is enforced: 403 SSO_REQUIRED (contract part 1, Authentication). */
  readonly local?: boolean
  /** Whether the schemes of its credential may stand in any case (contract part 1, Authentication, rule 1). */
  readonly schemesInAnyCase?: boolean
  /**
   * Whether nothing of its body is kept or shown to anybody, so that the content filter does not read it. An e-mail address is
   * no text: it has a blocklist of its own.
   */
  readonly keepsNoText?: boolean
  /** Whether its member `code` is no secret but is shown to everybody, so that the content filter reads it. */
  readonly showsCode?: boolean
  /**
   * Whether its answers, which hold what people can take back, are not kept for an Idempotency-Key: the same key runs the same
   * command again, which makes nothing that it made before. It answers with what it made, or with 410 GONE where that was
   * taken back: test/operations/repeats-after-an-undo.test.ts has a row for each such operation.
   */
  readonly keepsNoAnswer?: boolean
  /**
   * What is said of a body in which anything is wrong, whatever it is, but for a text that is too long: so with messages
   * (reference gateway 5.7). Every fault is said where it stands otherwise.
   */
  readonly bodyFault?: FieldError
  /** When it needs sudo mode; never where nothing is said. */
  readonly sudo?: S & (A extends PublicCallers ? None : Sudo | None)
  readonly handle: (
    request: OperationRequest<A, Params, Query, Body, S>,
    useCases: UseCases,
  ) => Promise<ReplyOf<Replies>>
}

type AnyRequest = OperationRequest<Callers, Schema, Schema, Schema, Sudo | None>

/** An operation as the server knows it, whatever its types. */
export interface Operation {
  readonly name: string
  readonly method: Method
  /** With `:name` for parameters. */
  readonly path: `/${string}`
  readonly callers: Callers
  readonly needsThreads: boolean
  readonly bucket: Bucket
  readonly params: Schema
  readonly query: Schema
  readonly body: Schema
  /** `holdsSecret`: whether a member of the reply is a secret, so that nobody stores the answer. */
  readonly success: { readonly status: number; readonly schema: Schema; readonly holdsSecret: boolean }
  readonly refuses: readonly ErrorCode[]
  readonly speaksOAuth2: boolean
  readonly takesImage: boolean
  readonly takesForm: boolean
  readonly openToAllOrigins: boolean
  readonly local: boolean
  readonly schemesInAnyCase: boolean
  readonly keepsNoText: boolean
  readonly showsCode: boolean
  readonly keepsNoAnswer: boolean
  readonly bodyFault: FieldError | undefined
  readonly sudo: Sudo | None
  readonly adminAudit: AdminAuditRule<AnyRequest, unknown> | None
  readonly handle: (request: AnyRequest, useCases: UseCases) => Promise<unknown>
}

/** Declares an operation. */
export function operation<
  const R extends Route,
  A extends Callers,
  Query extends Schema,
  Body extends Schema,
  Replies extends Readonly<Record<number, Schema>>,
  Params extends Schema = None,
  S extends Sudo | None = None,
>(
  declaration: Declaration<R, A, Params, Query, Body, Replies, S> &
    AdminAuditMember<A, OperationRequest<A, Params, Query, Body, S>, ReplyOf<Replies>>,
): Operation {
  const [method, path] = declaration.route.split(' ') as [Method, `/${string}`]
  const [reply] = Object.entries(declaration.replies)
  if (!reply) throw new Error(`${declaration.name} declares no reply`)
  const { name, callers, bucket, params, query, body } = declaration
  if (bucket.parameter !== null && !path.split('/').includes(`:${bucket.parameter}`))
    throw new Error(`${name}: the bucket ${bucket.name} needs the path parameter ${bucket.parameter}`)
  return {
    name,
    method,
    path,
    callers,
    needsThreads: declaration.needsThreads ?? false,
    bucket,
    params,
    query,
    body,
    success: { status: Number(reply[0]), schema: reply[1], holdsSecret: isSchema(reply[1]) && holdsSecret(reply[1]) },
    refuses: (declaration.refuses ?? []).toSorted(),
    speaksOAuth2: declaration.speaksOAuth2 ?? declaration.takesForm ?? false,
    takesImage: declaration.takesImage ?? false,
    takesForm: declaration.takesForm ?? false,
    openToAllOrigins: declaration.openToAllOrigins ?? false,
    local: declaration.local ?? false,
    schemesInAnyCase: declaration.schemesInAnyCase ?? false,
    keepsNoText: declaration.keepsNoText ?? false,
    showsCode: declaration.showsCode ?? false,
    keepsNoAnswer: declaration.keepsNoAnswer ?? false,
    bodyFault: declaration.bodyFault,
    sudo: declaration.sudo ?? none,
    // The pipeline has parsed the request with the schemas of this very declaration.
    adminAudit: (declaration.adminAudit as Operation['adminAudit'] | undefined) ?? none,
    handle: declaration.handle as Operation['handle'],
  }
}

/** Every action that a request can be recorded as. */
export function actionsOf({ action }: Pick<AdminAuditRule<AnyRequest, unknown>, 'action'>): readonly string[] {
  return typeof action === 'string' ? [action] : action.anyOf
}

/** The action that a request is recorded as. */
export function actionOf({ action }: Pick<AdminAuditRule<AnyRequest, unknown>, 'action'>, request: Asked): string {
  // The pipeline has parsed the request with the schemas of the declaration that the rule is of.
  return typeof action === 'string' ? action : action.of(request as AnyRequest)
}

/** Whether something is declared. */
export function isSchema(schema: Schema): schema is z.ZodType {
  return !('none' in schema)
}
