import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { accounts, anyone } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { componentSchemas } from '../../../adapters/http/openapi/component-schemas.ts'
import { apiDocument } from '../../../adapters/http/openapi/document.ts'
import { memoryRateLimits } from '../../../adapters/http/limits/rate-limits.ts'
import { none, operation } from '../../../adapters/http/operation.ts'
import { allOperations } from '../../../adapters/http/operations/all-operations.ts'
import { adminDecideThing, adminGetThing, echo, getThing, guarded } from './operations.ts'
import { startServer } from './support.ts'

type Json = Readonly<Record<string, unknown>>

/** The value at a JSON pointer such as `#/components/schemas/Guild`. */
function at(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, name) => (value as Json | undefined)?.[name.replaceAll('~1', '/')], document)
}

/** Every reference in a document, at any depth. */
function references(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => (name === '$ref' ? [String(member)] : references(member)))
}

const described = (operations: Parameters<typeof apiDocument>[0]) =>
  JSON.parse(JSON.stringify(apiDocument(operations, { title: 'Test', version: '1' }))) as Json

/** The document of the product: it is made once for all tests, and none changes it. */
let made: Json | undefined
const ofAll = () => (made ??= described(allOperations))

describe('the API document', () => {
  it('is served to everybody, scripts of all pages included', async () => {
    const server = await startServer([getThing])
    const response = await server.fetch('/v1/openapi.json')
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    expect(await response.json()).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3-test' } })
  })
  it('is itself an operation with a bucket, 60 a minute', async () => {
    const server = await startServer([], { rateLimits: memoryRateLimits({ now: () => 0 }) })
    const statuses = await Promise.all(Array.from({ length: 51 }, () => server.fetch('/v1/openapi.json')))
    expect(statuses.map(({ status }) => status).filter((status) => status === 429)).toHaveLength(1)
    const document = (await (await startServer([])).fetch('/v1/openapi.json')).json()
    expect(at(await document, '#/paths/~1v1~1openapi.json/get/x-rate-limit-bucket')).toEqual({
      name: 'instance:info',
      requests: 60,
      seconds: 60,
    })
  })
  it('leaves what administrators do to a document of its own, which scripts of other pages can’t read', async () => {
    const server = await startServer([getThing, adminGetThing])
    const pathsOf = async (path: string) => Object.keys(at(await (await server.fetch(path)).json(), '#/paths') as Json)
    expect(await pathsOf('/v1/openapi.json')).toEqual([
      '/v1/things/{thing_id}',
      '/v1/openapi.json',
      '/v1/openapi.admin.json',
      '/v1/events.json',
    ])
    expect(await pathsOf('/v1/openapi.admin.json')).toEqual(['/v1/admin/things/{thing_id}'])
    const { headers } = await server.fetch('/v1/openapi.admin.json', { headers: { origin: 'https://evil.example' } })
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
  it('says which ACLs an operation for administrators needs, and what it is recorded as', () => {
    const document = described([adminGetThing, adminDecideThing])
    const operation = at(document, '#/paths/~1v1~1admin~1things~1{thing_id}/get') as Json
    expect(operation).toMatchObject({
      'x-admin-acls': ['user:lookup'],
      'x-admin-audit-action': 'get_thing',
      tags: ['things'],
    })
    const decided = at(document, '#/paths/~1v1~1admin~1things~1{thing_id}/patch') as Json
    expect(decided).toMatchObject({ 'x-admin-audit-action-any-of': ['open_thing', 'shut_thing'] })
    expect(decided).not.toHaveProperty('x-admin-audit-action')
    expect(operation['parameters']).toContainEqual({ $ref: '#/components/parameters/AuditLogReason' })
    expect(at(described([getThing]), '#/paths/~1v1~1things~1{thing_id}/get')).not.toHaveProperty('x-admin-acls')
  })
  it('has a parameter for each of the path and the query, as clients send it', () => {
    expect(at(described([getThing]), '#/paths/~1v1~1things~1{thing_id}/get/parameters')).toEqual([
      { name: 'thing_id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Snowflake' } },
      {
        name: 'limit',
        in: 'query',
        required: false,
        description: 'How many a page has at most.',
        schema: { type: 'integer', minimum: 1, maximum: 200 },
      },
      {
        name: 'dry_run',
        in: 'query',
        required: false,
        description: 'Whether nothing is changed, only counted.',
        schema: { type: 'boolean' },
      },
      {
        name: 'user_id',
        in: 'query',
        required: false,
        schema: { type: 'array', items: { type: 'string' }, maxItems: 100 },
      },
      {
        name: 'after',
        in: 'query',
        required: false,
        description: 'Only what comes after this.',
        schema: { $ref: '#/components/schemas/Snowflake' },
      },
    ])
  })
  it('has the body as clients send it, the answer as they get it, and what can go wrong', () => {
    const post = at(described([echo]), '#/paths/~1v1~1things~1{thing_id}~1echo/post') as Json
    expect(at(post, '#/requestBody/content/application~1json/schema/properties/name')).toEqual({
      type: 'string',
      maxLength: 1_000_000,
    })
    expect(at(post, '#/responses/200/content/application~1json/schema/properties/count')).toMatchObject({
      type: 'integer',
    })
    const statuses = ['200', '400', '401', '403', '409', '429', '500', '503', 'default']
    expect(Object.keys(post['responses'] as Json)).toEqual(statuses)
    expect(post['parameters']).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' })
    expect(post).toMatchObject({
      operationId: 'echo',
      summary: 'Echo',
      description: expect.stringMatching(/\.$/),
      tags: ['things'],
      'x-rate-limit-bucket': { name: 'thing:echo', requests: 10, seconds: 10 },
    })
  })
  it('names the headers that an operation of guilds reads: what the client can do, and why a change is made', () => {
    const document = ofAll()
    const referredTo = (path: string, method: string) => {
      const parameters = at(document, `#/paths/${path.replaceAll('/', '~1')}/${method}/parameters`) as readonly Json[]
      return parameters.flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref.split('/').at(-1)] : []))
    }
    const needing = allOperations.filter(({ needsThreads }) => needsThreads)
    expect(needing).not.toHaveLength(0)
    for (const { path, method } of needing)
      expect(referredTo(path.replaceAll(/:(\w+)/g, '{$1}'), method.toLowerCase())).toContain('ClientCapabilities')
    expect(referredTo('/v1/guilds/{guild_id}', 'get')).toStrictEqual(['ClientCapabilities'])
    const ofPatch = ['SudoProof', 'AuditLogReason', 'ClientCapabilities']
    expect(referredTo('/v1/guilds/{guild_id}', 'patch')).toStrictEqual(ofPatch)
    expect(referredTo('/v1/users/@me', 'get')).toStrictEqual([])
    expect(at(document, '#/components/parameters/ClientCapabilities')).toMatchObject({ name: 'X-Service-Features' })
  })
  it('has a form where clients of OAuth2 send one, and where an answer sends them', () => {
    const document = described(allOperations.filter(({ name }) => ['Exchange token', 'Authorize'].includes(name)))
    const content = at(document, '#/paths/~1v1~1oauth2~1token/post/requestBody/content') as Json
    expect(Object.keys(content)).toStrictEqual(['application/x-www-form-urlencoded', 'multipart/form-data'])
    expect(at(document, '#/paths/~1v1~1oauth2~1authorize/get/responses/302')).toMatchObject({
      headers: { Location: { schema: { format: 'uri' } } },
    })
    const parameters = at(document, '#/paths/~1v1~1oauth2~1authorize/get/parameters') as readonly Json[]
    const needed = parameters.flatMap(({ name, required }) => (required === true ? [name] : []))
    expect(needed).toStrictEqual(['client_id', 'scope'])
    expect(parameters).toHaveLength(12)
  })
  it('lists the codes of each operation by status: those of its declaration, and those of its use case', () => {
    const document = ofAll()
    const codes = (path: string, status: number) =>
      at(document, `#/paths/${path}/responses/${status}/content/application~1json/schema/allOf/1/properties/code/enum`)
    const invites = '~1v1~1channels~1{channel_id}~1invites/post'
    expect(codes(invites, 400)).toEqual(['BAD_REQUEST', 'INVALID_CHANNEL_TYPE', 'INVALID_FORM_BODY', 'MAX_INVITES'])
    expect(codes(invites, 401)).toEqual(['UNAUTHORIZED'])
    expect(codes(invites, 404)).toEqual(['UNKNOWN_CHANNEL'])
    expect(codes(invites, 429)).toEqual(['RATE_LIMITED', 'RESOURCE_LOCKED'])
    const reading = '~1v1~1guilds~1{guild_id}/get'
    expect(codes(reading, 403)).toEqual([
      'GLOBAL_IP_BANNED',
      'GLOBAL_IP_TEMPORARILY_BANNED',
      'MISSING_ACCESS',
      'MISSING_OAUTH_SCOPE',
      'MISSING_PERMISSIONS',
    ])
    expect(at(document, `#/paths/${reading}/responses/429`)).toEqual({ $ref: '#/components/responses/TooManyRequests' })
    expect(at(document, `#/paths/${reading}/responses`)).not.toHaveProperty('409')
    const needing = allOperations.filter(({ needsThreads }) => needsThreads)
    for (const { path, method } of needing)
      expect(
        codes(`${path.replaceAll(/:(\w+)/g, '{$1}').replaceAll('/', '~1')}/${method.toLowerCase()}`, 404),
      ).toContain('NOT_FOUND')
    const token = at(
      document,
      '#/paths/~1v1~1oauth2~1token/post/responses/400/content/application~1json/schema/anyOf/0',
    )
    expect(token).toEqual({ $ref: '#/components/schemas/OAuth2Error' })
  })
  it('names bots where the operation is for them, and not where it refuses each of them', () => {
    const document = ofAll()
    const securityOf = (path: string) => at(document, `#/paths/${path}/security`)
    expect(securityOf('~1v1~1guilds~1{guild_id}/get')).toContainEqual({ bot: [] })
    for (const path of [
      '~1v1~1guilds',
      '~1v1~1guilds~1{guild_id}~1delete',
      '~1v1~1guilds~1{guild_id}~1transfer-ownership',
    ])
      expect(securityOf(`${path}/post`)).toEqual([{ session: [] }])
  })
  it('names the credentials that each operation takes', () => {
    const securityOf = (callers: Parameters<typeof guarded>[0]) =>
      at(described([guarded(callers)]), '#/paths/~1v1~1guarded/get/security')
    expect(securityOf(anyone())).toEqual([{}])
    expect(securityOf(accounts())).toEqual([{ session: [] }])
    expect(securityOf(accounts({ bots: true, scope: 'guilds' }))).toEqual([
      { session: [] },
      { bot: [] },
      { oauth2: ['guilds'] },
    ])
    expect(at(described([adminGetThing]), '#/paths/~1v1~1admin~1things~1{thing_id}/get/security')).toEqual([
      { session: [] },
      { adminKey: ['user:lookup'] },
    ])
  })
  it('tells the standard error and what 429 brings', () => {
    const document = described([getThing])
    expect(at(document, '#/components/schemas/Error/properties/code/enum')).toContain('UNKNOWN_GUILD')
    expect(at(document, '#/components/schemas/Error/required')).toEqual(['code', 'message'])
    expect(at(document, '#/components/responses/TooManyRequests/headers')).toHaveProperty('Retry-After')
  })
  it('leads every reference somewhere, names each operation once, and answers for each of them', () => {
    const document = described([...allOperations, getThing, echo, adminGetThing])
    for (const reference of references(document))
      expect([reference, at(document, reference)]).toEqual([reference, expect.anything()])
    const operations = Object.values(document['paths'] as Json).flatMap((item) => Object.values(item as Json) as Json[])
    expect(operations).toHaveLength(allOperations.length + 3)
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  })
  it('has the sudo fields beside the body, and the proof among the headers of request and answer', () => {
    const document = ofAll()
    const deletion = at(document, '#/paths/~1v1~1guilds~1{guild_id}~1delete/post') as Json
    const sudo = { $ref: '#/components/schemas/SudoVerification' }
    const proof = { $ref: '#/components/parameters/SudoProof' }
    const example = { password: 'a long password' }
    const content = { 'application/json': { schema: sudo, example } }
    expect(deletion['requestBody']).toEqual({ required: false, content })
    expect(deletion['parameters']).toContainEqual(proof)
    expect(at(deletion, '#/responses/204/headers')).toHaveProperty('X-Service-Sudo-Mode-JWT')
    const enabling = at(document, '#/paths/~1v1~1users~1@me~1mfa~1totp~1enable/post') as Json
    const body = at(enabling, '#/requestBody') as Json
    expect(body['required']).toBe(true)
    expect(at(body, '#/content/application~1json/schema/allOf')).toEqual([
      expect.objectContaining({ required: ['secret', 'code'] }),
      sudo,
    ])
    expect(Object.keys(at(document, '#/components/schemas/SudoVerification/properties') as Json)).toEqual([
      'password',
      'mfa_method',
      'mfa_code',
      'webauthn_response',
      'webauthn_challenge',
    ])
    const login = at(document, '#/paths/~1v1~1auth~1login/post') as Json
    expect(login['parameters']).not.toContainEqual(proof)
    expect(at(login, '#/responses/200')).not.toHaveProperty('headers')
  })
  it('is not made of two schemas with one name', () => {
    const schemas = componentSchemas()
    schemas.jsonSchema(z.object({ a: z.string() }).meta({ id: 'TestThing' }), 'output')
    const other = z.object({ thing: z.object({ b: z.string() }).meta({ id: 'TestThing2' }) })
    schemas.jsonSchema(other, 'output')
    expect(Object.keys(schemas.components)).toEqual(['TestThing', 'TestThing2'])
    const twofold = z.string().transform(Number).pipe(z.number()).meta({ id: 'Twofold' })
    schemas.jsonSchema(twofold, 'output')
    expect(() => schemas.jsonSchema(twofold, 'input')).toThrow('Twofold')
  })
  it('knows an operation without a body or a reply', () => {
    const bare = operation({
      name: 'Do it',
      description: 'Does what a test asks for.',
      route: 'DELETE /v1/it',
      callers: anyone(),
      bucket: perUser('it', { requests: 1, seconds: 1 }),
      replies: { 204: none },
      handle: async () => undefined,
    })
    const item = at(described([bare]), '#/paths/~1v1~1it/delete') as Json
    expect([item['requestBody'], item['parameters'], at(item, '#/responses/204')]).toEqual([
      undefined,
      [],
      { description: expect.any(String) },
    ])
  })
})
