import type { z } from 'zod'
import type { Caller, Requester } from '../../application/caller.js'
import type { AdminAuditTarget } from '../../application/ports/admin-audit.js'
import type { Access, AccountAccess, AdminAccess, PublicAccess } from './access.js'
import type { Bucket } from './bucket.js'
import type { Sudo, SudoOnDemand } from './sudo.js'
import type { UseCases } from './use-cases.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** The names of the parameters in a route's path. */
type ParameterNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterNames<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Who stands behind a request by the time that the handler runs. */
type CallerOf<A extends Access> = A extends AccountAccess | AdminAccess
  ? Caller
  : A extends PublicAccess
    ? Requester & Partial<Pick<Caller, 'account' | 'credential'>>
    : never

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
  A extends Access,
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

/** What the admin audit log says of a request that succeeded (reference identity 8.4). */
export interface AdminAuditRule<Request, Reply> {
  readonly action: string
  readonly target: (request: Request, reply: Reply) => AdminAuditTarget
  readonly metadata?: (request: Request, reply: Reply) => Readonly<Record<string, string>>
}

/** Required of an operation for administrators, and impossible on every other one. */
type AdminAuditMember<A extends Access, Request, Reply> = A extends AdminAccess
  ? { readonly adminAudit: AdminAuditRule<Request, Reply> | None }
  : { readonly adminAudit?: never }

/**
 * One operation of the API. Validation, credentials, limits, audit and the OpenAPI document all come from this declaration;
 * each member that could be forgotten is required.
 */
export interface Declaration<
  R extends Route,
  A extends Access,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Replies extends Readonly<Record<number, Schema>>,
  S extends Sudo | None,
> {
  /** As the contract names it. */
  readonly name: string
  readonly route: R
  readonly access: A
  readonly bucket: Bucket
  /** A schema for each parameter of the path; `none` where the path has none. */
  readonly params: [ParameterNames<R>] extends [never]
    ? None
    : Params & z.ZodObject<Readonly<Record<ParameterNames<R>, z.ZodType>>>
  readonly query: Query
  readonly body: Body
  /** The one status of success, and its body. */
  readonly replies: Replies
  /** Whether the body may hold an image: then it may have 16 MiB, else 1 MiB (supplement). */
  readonly takesImage?: boolean
  /** Whether scripts of every web page may read the answer (reference identity 2.5). */
  readonly openToAllOrigins?: boolean
  /** Whether single sign-on closes it while that is enforced: 403 SSO_REQUIRED (contract part 1, Authentication). */
  readonly local?: boolean
  /** When it needs sudo mode; never where nothing is said. */
  readonly sudo?: S & (A extends PublicAccess ? None : Sudo | None)
  readonly handle: (
    request: OperationRequest<A, Params, Query, Body, S>,
    useCases: UseCases,
  ) => Promise<ReplyOf<Replies>>
}

type AnyRequest = OperationRequest<Access, Schema, Schema, Schema, Sudo | None>

/** An operation as the server knows it, whatever its types. */
export interface Operation {
  readonly name: string
  readonly method: Method
  /** With `:name` for parameters. */
  readonly path: `/${string}`
  readonly access: Access
  readonly bucket: Bucket
  readonly params: Schema
  readonly query: Schema
  readonly body: Schema
  readonly success: { readonly status: number; readonly schema: Schema }
  readonly takesImage: boolean
  readonly openToAllOrigins: boolean
  readonly local: boolean
  readonly sudo: Sudo | None
  readonly adminAudit: AdminAuditRule<AnyRequest, unknown> | None
  readonly handle: (request: AnyRequest, useCases: UseCases) => Promise<unknown>
}

/** Declares an operation. */
export function operation<
  const R extends Route,
  A extends Access,
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
  const { name, access, bucket, params, query, body } = declaration
  if (bucket.parameter !== null && !path.split('/').includes(`:${bucket.parameter}`))
    throw new Error(`${name}: the bucket ${bucket.name} needs the path parameter ${bucket.parameter}`)
  return {
    name,
    method,
    path,
    access,
    bucket,
    params,
    query,
    body,
    success: { status: Number(reply[0]), schema: reply[1] },
    takesImage: declaration.takesImage ?? false,
    openToAllOrigins: declaration.openToAllOrigins ?? false,
    local: declaration.local ?? false,
    sudo: declaration.sudo ?? none,
    // The pipeline has parsed the request with the schemas of this very declaration.
    adminAudit: (declaration.adminAudit as Operation['adminAudit'] | undefined) ?? none,
    handle: declaration.handle as Operation['handle'],
  }
}

/** Whether something is declared. */
export function isSchema(schema: Schema): schema is z.ZodType {
  return !('none' in schema)
}
