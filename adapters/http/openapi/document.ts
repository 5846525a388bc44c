import { z } from 'zod'
import { dryRunSchema } from '../../../application/wire-objects/administration/dry-run-object.ts'
import { serviceAmong, type Callers, type AdminCallers } from '../callers.ts'
import { firstActionsOf } from '../admin-audit-rule.ts'
import { dryRunQuery, takesDryRun } from '../dry-runs.ts'
import type { Headed } from '../headed-reply.ts'
import { isSchema, type None, type Operation, type Schema } from '../operation.ts'
import { redirection } from '../redirection.ts'
import { sudoFields } from '../schemas/sudo.ts'
import { componentSchemas, type ComponentSchemas, type JsonSchema } from './component-schemas.ts'
import { exampleBody } from './example-body.ts'
import { errorResponses, sharedResponses } from './error-responses.ts'
import {
  auditLogReasonParameter,
  clientCapabilitiesParameter,
  idempotencyKeyParameter,
  locationHeaders,
  securitySchemes,
  sudoProofHeaders,
  sudoProofParameter,
} from './fixed-parts.ts'

/** An OpenAPI 3.1 document. */
export type ApiDocument = { readonly openapi: '3.1.0' } & Readonly<Record<string, unknown>>

/** What a document says of itself. */
export interface DocumentInfo {
  readonly title: string
  /** In Markdown. */
  readonly description?: string
  readonly version: string
}

/** Describes operations as OpenAPI 3.1, from their declarations alone. */
export function apiDocument(operations: readonly Operation[], info: DocumentInfo): ApiDocument {
  const schemas = componentSchemas()
  const paths = new Map<string, Record<string, JsonSchema>>()
  for (const operation of operations) {
    const path = operation.path.replace(/:(\w+)/g, '{$1}')
    const item = paths.get(path) ?? {}
    paths.set(path, { ...item, [operation.method.toLowerCase()]: describe(operation, schemas) })
  }
  const responses = sharedResponses(schemas)
  return {
    openapi: '3.1.0',
    info,
    // Relative to the document's own URL: its paths begin with /v1 themselves.
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: schemas.components,
      responses,
      parameters: {
        IdempotencyKey: idempotencyKeyParameter,
        SudoProof: sudoProofParameter,
        AuditLogReason: auditLogReasonParameter,
        ClientCapabilities: clientCapabilitiesParameter,
      },
      securitySchemes,
    },
  }
}

function describe(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const { name, description, callers, bucket, adminAudit } = operation
  const isOfGuilds = callers.kind !== 'admin' && /\/(?:guilds|channels|invites)(?:\/|$)/.test(operation.path)
  const takesReason = isOfGuilds && operation.method !== 'GET'
  return {
    operationId: idOf(name),
    summary: name,
    description,
    tags: [tagOf(operation)],
    parameters: [
      ...parameters('path', operation.params, operation, schemas),
      ...parameters('query', operation.query, operation, schemas),
      ...(takesDryRun(operation) ? parameters('query', dryRunQuery, operation, schemas) : []),
      ...(operation.method === 'POST' ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
      ...('none' in operation.sudo ? [] : [{ $ref: '#/components/parameters/SudoProof' }]),
      ...('none' in adminAudit && !takesReason ? [] : [{ $ref: '#/components/parameters/AuditLogReason' }]),
      ...(isOfGuilds ? [{ $ref: '#/components/parameters/ClientCapabilities' }] : []),
    ],
    ...requestBody(operation, schemas),
    responses: { ...successResponses(operation, schemas), ...errorResponses(operation, schemas) },
    security: securityOf(callers),
    'x-rate-limit-bucket': { name: bucket.name, requests: bucket.requests, seconds: bucket.seconds },
    ...(callers.kind === 'admin' ? aclsOf(callers) : {}),
    ...('none' in adminAudit ? {} : auditActionsOf(adminAudit)),
  }
}

/**
 * The request determines which action of `x-admin-audit-action-any-of` is recorded, and whether there are further entries, with
 * those of `x-admin-audit-further-actions`.
 */
function auditActionsOf(rule: Exclude<Operation['adminAudit'], None>): JsonSchema {
  const [action, ...others] = firstActionsOf(rule)
  return {
    ...(others.length === 0
      ? { 'x-admin-audit-action': action }
      : { 'x-admin-audit-action-any-of': [action, ...others] }),
    ...(rule.also && { 'x-admin-audit-further-actions': [rule.also.action] }),
  }
}

/** All of `x-admin-acls` are needed, and one of `x-admin-acls-any-of`. */
function aclsOf({ acls, anyOf, onceValidated }: AdminCallers): JsonSchema {
  const oneOf = [...anyOf, ...onceValidated]
  return { 'x-admin-acls': acls, ...(oneOf.length === 0 ? {} : { 'x-admin-acls-any-of': oneOf }) }
}

/** `createChannelInvite` for "Create channel invite". */
function idOf(name: string): string {
  const [first = '', ...others] = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  return first.toLowerCase() + others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

/** The resource that the path begins with: `guilds` of /v1/guilds/:guild_id/invites, `users` of /v1/admin/users. */
export function tagOf({ path }: Operation): string {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 'admin')
  const [first = 'service', second] = segments
  return first === 'v1' && second !== undefined ? second.split('.', 1).join('') : 'service'
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.looseObject({ description: z.string().optional() })).default({}),
  required: z.array(z.string()).default([]),
})

function parameters(
  location: 'path' | 'query',
  schema: Schema,
  { name: owner }: Operation,
  schemas: ComponentSchemas,
): readonly JsonSchema[] {
  if (!isSchema(schema)) return []
  const { properties, required } = objectSchema.parse(schemas.jsonSchema(schema, 'input', owner))
  return Object.entries(properties).map(([name, { description, ...member }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description !== undefined && { description }),
    schema: member,
  }))
}

const json = (content: JsonSchema): JsonSchema => ({ 'application/json': content })
const eventStream = (content: JsonSchema): JsonSchema => ({ 'text/event-stream': content })
const form = (content: JsonSchema): JsonSchema => ({
  'application/x-www-form-urlencoded': content,
  'multipart/form-data': content,
})

/** The field of a form that has the JSON. */
const payloadForm: JsonSchema = {
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      properties: { payload: { type: 'string', description: 'The JSON.', contentMediaType: 'application/json' } },
      required: ['payload'],
    },
  },
}

/** The sudo verification fields stand beside the operation's own members. */
function requestBody(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const { body, callers, sudo, takesForm } = operation
  const own = isSchema(body) ? schemas.jsonSchema(body, 'input', operation.name) : undefined
  const proof = 'none' in sudo ? undefined : schemas.jsonSchema(sudoFields, 'input')
  const schema = own && proof ? { allOf: [own, proof] } : (own ?? proof)
  if (!schema) return {}
  const isRequired = own !== undefined && objectSchema.safeParse(own).data?.required.length !== 0
  const content = { schema, example: exampleBody(operation) }
  const kinds = takesForm ? form(content) : { ...json(content), ...(serviceAmong(callers) === null ? {} : payloadForm) }
  return { requestBody: { required: isRequired, content: kinds } }
}

/** What an operation answers with, and what it answers to a dry run. */
function successResponses(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const own = successResponse(operation, schemas)
  const nothing = 'orNothing' in operation.success.schema ? { 204: { description: 'Success, without a body.' } } : {}
  if (!takesDryRun(operation)) return { [operation.success.status]: own, ...nothing }
  const { success, name } = operation
  const foretold = schemas.jsonSchema(dryRunSchema, 'output')
  if (success.status !== 200 || !isSchema(success.schema))
    return { [success.status]: own, 200: { description: 'Of a dry run.', content: json({ schema: foretold }) } }
  const schema = { anyOf: [schemas.jsonSchema(success.schema, 'output', name), foretold] }
  return { 200: { ...own, description: 'Success, or what a dry run foretells.', content: json({ schema }) } }
}

function successResponse({ name, success, sudo }: Operation, schemas: ComponentSchemas): JsonSchema {
  if (success.schema === redirection) return { description: 'Sent somewhere else.', headers: locationHeaders }
  return {
    description: isSchema(success.schema) ? 'Success.' : 'Success, without a body.',
    ...headersOf(success.schema, sudo),
    ...(isSchema(success.schema)
      ? { content: contentOf(success.schema, schemas.jsonSchema(success.schema, 'output', name)) }
      : {}),
  }
}

/** The headers of a success besides those of every answer. */
function headersOf(schema: Operation['success']['schema'], sudo: Operation['sudo']): JsonSchema {
  const own = 'replyHeaders' in schema ? Object.entries((schema as Headed).replyHeaders) : []
  const proof = 'none' in sudo || !sudo.sendsProof ? {} : sudoProofHeaders
  const headers = {
    ...proof,
    ...Object.fromEntries(own.map(([name, description]) => [name, { description, schema: { type: 'string' } }])),
  }
  return Object.keys(headers).length === 0 ? {} : { headers }
}

/** JSON; of what is sent as it comes, the data of each event. */
function contentOf(schema: z.ZodType, described: JsonSchema): JsonSchema {
  return 'isLive' in schema ? eventStream({ schema: described['items'] }) : json({ schema: described })
}

/** Each of the list suffices; an empty one means that no credential is needed. */
function securityOf(callers: Callers): readonly Readonly<Record<string, readonly string[]>>[] {
  switch (callers.kind) {
    case 'public':
      return [{}]
    case 'account':
      return [
        { session: [] },
        ...(callers.bots === true ? [{ bot: [] }] : []),
        ...(callers.scope === null ? [] : [{ oauth2: [callers.scope] }]),
      ]
    case 'bot':
      return [{ bot: [] }]
    case 'bearer':
      return [{ oauth2: callers.scope === null ? [] : [callers.scope] }]
    case 'admin':
      return [{ session: [] }, { adminKey: [...callers.acls] }]
  }
}
