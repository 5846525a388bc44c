import type { z } from 'zod'
import { whereSignInIsBy, type SignInStyle } from '../../application/administration/instance/sign-in-style.ts'
import type { Ports } from '../../application/ports.ts'
import type { SentFile } from '../../application/ports/attachments.ts'
import type { ObjectOf } from '../../application/wire-objects/declaration.ts'
import type { ErrorCode } from '../../domain/kernel/error-codes.ts'
import type { FieldError } from '../../domain/kernel/refusal.ts'
import type { AdminAuditRule, AuditedRequest } from './admin-audit-rule.ts'
import type { AskedToBecome } from './asked-to-become.ts'
import type { NoteAudited, NoteSecondEntry } from './audit-notes.ts'
import type { CallerOf } from './caller-of.ts'
import type { Callers, AdminCallers, PublicCallers } from './callers.ts'
import type { Becoming } from './becoming.ts'
import type { Bucket } from './bucket.ts'
import type { Sudo, SudoOnDemand } from './sudo.ts'
import type { Headed, HeadedReply } from './headed-reply.ts'
import type { LiveItems, LiveReply } from './live-reply.ts'
import type { PagedArray, PagedReply } from './paged-reply.ts'
import type { Method, ParameterNames, Route } from './route.ts'
import { holdsSecret } from './schemas/secrets.ts'
import type { KeptFile } from './kept-file.ts'
import type { Delivery } from './delivery.ts'
import type { PlainReply } from './plain-reply.ts'

/** Declares that nothing of this kind is read, sent or recorded. Of paths, queries and bodies it holds where nothing is said. */
export const none = { none: true } as const
export type None = typeof none

export type Schema = z.ZodType | None
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined
/** A handler returns what the schema accepts, in its readonly form. */
type ReplyOf<Replies> = Replies[keyof Replies] extends infer S
  ? S extends PagedArray<infer Item>
    ? PagedReply<ObjectOf<Item>>
    : S extends Headed<infer Own>
      ? HeadedReply<ObjectOf<Own>>
      : S extends LiveItems<infer Item>
        ? LiveReply<ObjectOf<Item>>
        : S extends z.ZodType
          ? ObjectOf<S>
          : S extends None
            ? void
            : never
  : never

/** The request as a handler gets it, checked and parsed. */
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
  /** The files of the form; none of a JSON body. Those that are not kept are discarded afterwards. */
  readonly files: readonly SentFile[]
  /** What the headers of GitHub say. */
  readonly delivery: Delivery
  /** Requires sudo mode of the caller; refuses as verifySudo does. */
  readonly proveSudo: S extends SudoOnDemand ? () => Promise<void> : undefined
  /** Notes metadata of the audit entry that only the use case knows. For operations for administrators. */
  readonly noteAudited: A extends AdminCallers ? NoteAudited : undefined
  /** Notes a further entry about the same target, recorded after the first one. Its action is in `adminAudit.further`. */
  readonly noteSecondEntry: A extends AdminCallers ? NoteSecondEntry : undefined
}

/** A schema for each parameter of the path: required where the path has any, and impossible where it has none. */
type ParamsMember<R extends Route, Params extends Schema> = [ParameterNames<R>] extends [never]
  ? { readonly params?: never }
  : { readonly params: Params & z.ZodObject<Readonly<Record<ParameterNames<R>, z.ZodType>>> }

/** Required of an operation for administrators, and impossible on every other one. */
type AdminAuditMember<A extends Callers, Request extends AuditedRequest, Reply> = A extends AdminCallers
  ? { readonly adminAudit: AdminAuditRule<Request, Reply> | None }
  : { readonly adminAudit?: never }

/**
 * One operation of the API. Validation, credentials, limits, audit and the OpenAPI document all follow from this declaration.
 * A member without which the operation would do something else unnoticed is required: who may call it, what limits it, its
 * path's parameters, what it answers, what is recorded. All others have a default.
 */
export interface Declaration<
  R extends Route,
  A extends Callers,
  Params extends Schema,
  Query extends Schema,
  Body extends Schema,
  Replies extends Readonly<Record<number, Schema>>,
  S extends Sudo | None,
  UseCase,
> {
  /** The name of the operation, as clients and the documents have it. */
  readonly name: string
  /** A sentence for the API page: what it does or gives. */
  readonly description: string
  readonly route: R
  readonly callers: A
  /** Whether it exists only for callers with thread access: everyone else gets 404 NOT_FOUND. */
  readonly needsThreads?: boolean
  /** Whether only the hosted service has it: elsewhere it is 404 NOT_FOUND for everybody. */
  readonly hostedOnly?: boolean
  /**
   * Whether a store calls it, and no client. Its failures are no reason to ban the store's network, and its body
   * reaches the use case as it is: undefined if it is no JSON.
   */
  readonly fromStore?: boolean
  /**
   * The sign-in style of the instances that have this operation; on others it refuses at once, with
   * EMAIL_UNAVAILABLE_ON_INSTANCE or USERNAME_SIGN_IN_ONLY. If absent, every instance has it.
   */
  readonly signIn?: SignInStyle
  readonly bucket: Bucket
  /** What is read of the query and of the body; if absent, nothing. */
  readonly query?: Query
  readonly body?: Body
  /** The smallest body that does something, for the API page. If absent: the required members, with example values. */
  readonly exampleBody?: Body extends z.ZodType ? z.input<Body> : never
  /** Whether the body is a form instead of JSON, as OAuth2 clients send it to three operations. Their answers must not be cached. */
  readonly takesForm?: boolean
  /** The one success status, and its body; `redirection` with 302, `pagedArray` for a list that is written as it is read, `liveItems` for what is sent as it comes. */
  readonly replies: Replies
  /**
   * The codes that its use case refuses with. Leave out those that follow from the rest of the declaration (`codesOf`). In
   * tests and development, a refusal that is not listed is an error.
   */
  readonly refuses?: readonly ErrorCode[]
  /** Whether it also refuses in the OAuth2 envelope, as every operation with a form body does. */
  readonly speaksOAuth2?: boolean
  /** Whether the body may hold an image. Its limit is then 16 MiB instead of 1 MiB. */
  readonly takesImage?: boolean
  /** Whether the body may also be a form with files, for the channel or the webhook of its path (`readFiles`). */
  readonly takesFiles?: boolean
  /** Whether a body that is no JSON counts as an empty object. */
  readonly badJsonIsEmpty?: boolean
  /** Whether scripts of any web page may read the answer. */
  readonly openToAllOrigins?: boolean
  /** Whether it is closed while single sign-on is enforced: 403 SSO_REQUIRED. */
  readonly local?: boolean
  /** Whether the schemes of its credential are accepted in any case. */
  readonly schemesInAnyCase?: boolean
  /**
   * Whether no text of its body is stored or shown, or only to administrators as in a report, so that the content filter skips
   * it. An e-mail address does not count as text: it has its own blocklist.
   */
  readonly keepsNoText?: boolean
  /** Whether its member `code` is shown to everyone instead of being a secret, so that the content filter reads it. */
  readonly showsCode?: boolean
  /**
   * Whether its answers are not kept for an Idempotency-Key, because they hold things that people can delete. The same key runs
   * the same command again, which creates nothing twice. It answers with what it created, or with 410 GONE if that was deleted
   * since: test/operations/repeats-after-an-undo.test.ts has a row for each such operation.
   */
  readonly keepsNoAnswer?: boolean
  /**
   * The one fault to report for any invalid JSON body, except for a text that is too long and what is not supported; messages use
   * this. If absent, every fault is reported where it is.
   */
  readonly bodyFault?: FieldError
  /** When it needs sudo mode; never where nothing is said. */
  readonly sudo?: S & (A extends PublicCallers ? None : Sudo | None)
  /** For an operation that only finds others, which are carried out in its place. `handle` is never called then. */
  readonly becomes?: Become<Output<Params>, Output<Body>>
  /**
   * The use case of `application/` that it runs. It gets its ports once, when the server opens. Left out if the request alone
   * is enough for the answer.
   */
  readonly useCase?: (ports: Ports) => UseCase
  /** Passes parts of a request to the use case. `run` is the use case with its ports. */
  readonly handle: (
    request: OperationRequest<A, Params, Query, Body, S>,
    run: UseCase,
  ) => Promise<ReplyOf<Replies> | KeptFile | PlainReply>
}

type AnyRequest = OperationRequest<Callers, Schema, Schema, Schema, Sudo | None>

type Become<P, B> = (ports: Ports, asked: AskedToBecome<P, B>) => Promise<Becoming<Operation>>

/** Handles one request and gives the reply. */
export type Handler = (request: AnyRequest) => Promise<unknown>

/** An operation as the server uses it, without its types. */
export interface Operation {
  readonly name: string
  readonly description: string
  readonly method: Method
  /** With `:name` for parameters. */
  readonly path: `/${string}`
  readonly callers: Callers
  readonly needsThreads: boolean
  readonly hostedOnly: boolean
  readonly fromStore: boolean
  readonly signIn: SignInStyle | undefined
  readonly bucket: Bucket
  readonly params: Schema
  readonly query: Schema
  readonly body: Schema
  readonly exampleBody: unknown
  /** `holdsSecret`: whether the reply contains a secret, so that its answer must not be cached. */
  readonly success: { readonly status: number; readonly schema: Schema; readonly holdsSecret: boolean }
  readonly refuses: readonly ErrorCode[]
  readonly speaksOAuth2: boolean
  readonly takesImage: boolean
  readonly takesFiles: boolean
  readonly badJsonIsEmpty: boolean
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
  readonly becomes: Become<unknown, unknown> | undefined
  /** Gives the use case its ports, once for each server. */
  readonly open: (ports: Ports) => Handler
}

/** Declares an operation. */
export function operation<
  const R extends Route,
  A extends Callers,
  Replies extends Readonly<Record<number, Schema>>,
  Params extends Schema = None,
  Query extends Schema = None,
  Body extends Schema = None,
  S extends Sudo | None = None,
  UseCase = undefined,
>(
  declaration: Declaration<R, A, Params, Query, Body, Replies, S, UseCase> &
    ParamsMember<R, Params> &
    AdminAuditMember<A, OperationRequest<A, Params, Query, Body, S>, ReplyOf<Replies>>,
): Operation {
  const [method, path] = declaration.route.split(' ') as [Method, `/${string}`]
  const [reply] = Object.entries(declaration.replies)
  if (!reply) throw new Error(`${declaration.name} declares no reply`)
  const { name, description, callers, bucket } = declaration
  if (bucket.parameter !== null && !path.split('/').includes(`:${bucket.parameter}`))
    throw new Error(`${name}: the bucket ${bucket.name} needs the path parameter ${bucket.parameter}`)
  return {
    name,
    description,
    method,
    path,
    callers,
    needsThreads: declaration.needsThreads ?? false,
    hostedOnly: declaration.hostedOnly ?? false,
    fromStore: declaration.fromStore ?? false,
    signIn: declaration.signIn,
    bucket,
    params: declaration.params ?? none,
    query: declaration.query ?? none,
    body: declaration.body ?? none,
    exampleBody: declaration.exampleBody,
    success: { status: Number(reply[0]), schema: reply[1], holdsSecret: isSchema(reply[1]) && holdsSecret(reply[1]) },
    refuses: (declaration.refuses ?? []).toSorted(),
    speaksOAuth2: declaration.speaksOAuth2 ?? declaration.takesForm ?? false,
    takesImage: declaration.takesImage ?? false,
    takesFiles: declaration.takesFiles ?? false,
    badJsonIsEmpty: declaration.badJsonIsEmpty ?? false,
    takesForm: declaration.takesForm ?? false,
    openToAllOrigins: declaration.openToAllOrigins ?? false,
    local: declaration.local ?? false,
    schemesInAnyCase: declaration.schemesInAnyCase ?? false,
    keepsNoText: declaration.keepsNoText ?? false,
    showsCode: declaration.showsCode ?? false,
    keepsNoAnswer: declaration.keepsNoAnswer ?? false,
    bodyFault: declaration.bodyFault,
    sudo: declaration.sudo ?? none,
    // The pipeline has parsed the request with the schemas of this same declaration.
    adminAudit: (declaration.adminAudit as Operation['adminAudit'] | undefined) ?? none,
    becomes: declaration.becomes as Operation['becomes'],
    open(ports) {
      const run = declaration.useCase?.(ports)
      const handle = declaration.handle as (request: AnyRequest, run: UseCase | undefined) => Promise<unknown>
      const handler: Handler = (request) => handle(request, run)
      return declaration.signIn ? whereSignInIsBy(declaration.signIn, ports)(handler) : handler
    },
  }
}

/** Whether a schema is declared. */
export function isSchema(schema: Schema): schema is z.ZodType {
  return !('none' in schema)
}
