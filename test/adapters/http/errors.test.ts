import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fieldErrors } from '../../../adapters/http/errors/field-errors.ts'
import { issue } from '../../../adapters/http/schemas/scalars.ts'
import { reject, rejectWith } from '../../../application/commands/refused.ts'
import { ReadModelsBehind } from '../../../application/failures/read-models-behind.ts'
import { errorCodes, type ErrorCode } from '../../../domain/kernel/error-codes.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { act } from './operations.ts'
import { adaToken, codesOf, startServer } from './support.ts'

const post = { method: 'POST' } as const

function faultsOf(schema: z.ZodType, value: unknown): readonly string[] {
  return fieldErrors(schema.safeParse(value).error?.issues ?? [], { schema, value }).map(
    ({ path, code }) => `${path} ${code}`,
  )
}

describe('the field code of what a schema finds wrong', () => {
  const withCode = z
    .string()
    .transform((text, context) => (text === 'bad' ? issue(context, 'INVALID_ISO_TIMESTAMP') : text))
  it.each([
    ['the code that a rule names', z.object({ at: withCode }), { at: 'bad' }, ['at INVALID_ISO_TIMESTAMP']],
    [
      'one for a text that is too long',
      z.object({ a: z.string().max(2) }),
      { a: 'abc' },
      ['a CONTENT_EXCEEDS_MAX_LENGTH'],
    ],
    [
      'the general one for a text that is too short',
      z.object({ a: z.string().min(2) }),
      { a: 'a' },
      ['a INVALID_FORMAT'],
    ],
    ['one for an address', z.object({ a: z.email() }), { a: 'x' }, ['a INVALID_EMAIL_ADDRESS']],
    ['one for a UUID', z.object({ a: z.uuid() }), { a: 'x' }, ['a INVALID_SNOWFLAKE']],
    ['the general one for another type', z.object({ a: z.string() }), { a: 1 }, ['a INVALID_FORMAT']],
    [
      'the general one for what is missing',
      z.object({ a: z.string(), b: z.int() }),
      {},
      ['a INVALID_FORMAT', 'b INVALID_FORMAT'],
    ],
    [
      'the general one for a value that is none of a list',
      z.object({ a: z.enum(['x', 'y']) }),
      { a: 'z' },
      ['a INVALID_FORMAT'],
    ],
    ['the general one for a number out of its bounds', z.object({ a: z.int().max(3) }), { a: 4 }, ['a INVALID_FORMAT']],
    [
      'the general one for a list that is too long',
      z.object({ a: z.array(z.int()).max(1) }),
      { a: [1, 2] },
      ['a INVALID_FORMAT'],
    ],
    [
      'the general one alone for a long text in place of a list',
      z.object({ a: z.array(z.int()).max(1), b: z.array(z.int()).min(2) }),
      { a: 'xx', b: 'x' },
      ['a INVALID_FORMAT', 'b INVALID_FORMAT'],
    ],
    [
      'the general one for a member too many',
      z.strictObject({}),
      { a: 1, b: 2 },
      ['a INVALID_FORMAT', 'b INVALID_FORMAT'],
    ],
    [
      'the general one for a rule without a code',
      z.object({ a: z.string().refine(() => false) }),
      { a: 'x' },
      ['a INVALID_FORMAT'],
    ],
    [
      'places in lists as numbers',
      z.object({ embeds: z.array(z.object({ title: z.string() })) }),
      { embeds: [{}] },
      ['embeds.0.title INVALID_FORMAT'],
    ],
    ['`root` for the whole', z.object({}), [], ['root INVALID_FORMAT']],
    [
      'that of the one alternative whose type it has',
      z.object({ a: z.union([withCode, z.int()]) }),
      { a: 'bad' },
      ['a INVALID_ISO_TIMESTAMP'],
    ],
    [
      'the general one where no alternative fits',
      z.object({ a: z.union([withCode, z.int()]) }),
      { a: [] },
      ['a INVALID_FORMAT'],
    ],
  ])('is %s', (_, schema, value, faults) => {
    expect(faultsOf(schema, value)).toEqual(faults)
  })
})

describe('a refusal', () => {
  it('has its code’s status, the code, a message, and nothing more', async () => {
    const server = await startServer([act(async () => reject('UNKNOWN_GUILD'))])
    const response = await server.fetch('/v1/things', post)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    const body: unknown = await response.json()
    expect(body).toEqual({ code: 'UNKNOWN_GUILD', message: expect.any(String) })
  })
  it('has each pair of path and code once', async () => {
    const entries = [
      field('a', 'INVALID_CODE'),
      field('a', 'TOO_LARGE'),
      field('a', 'INVALID_CODE'),
      field('b', 'INVALID_CODE'),
    ]
    const server = await startServer([act(async () => reject('INVALID_FORM_BODY', ...entries))])
    const answer = (await (await server.fetch('/v1/things', post)).json()) as { errors: unknown[] }
    expect(answer.errors).toEqual([
      { path: 'a', code: 'INVALID_CODE', message: expect.any(String) },
      { path: 'a', code: 'TOO_LARGE', message: expect.any(String) },
      { path: 'b', code: 'INVALID_CODE', message: expect.any(String) },
    ])
  })
  it('has its details beside the code, and never in place of it', async () => {
    const details = { has_mfa: true, methods: { totp: true }, code: 'X', message: 'Y' }
    const server = await startServer([act(async () => rejectWith('SUDO_MODE_REQUIRED', details))])
    expect(await (await server.fetch('/v1/things', post)).json()).toEqual({
      code: 'SUDO_MODE_REQUIRED',
      message: expect.stringMatching(/../),
      has_mfa: true,
      methods: { totp: true },
    })
  })
  it('of every code has its status', async () => {
    const server = await startServer([act(async ({ query }) => reject((query as { code: ErrorCode }).code))])
    for (const [code, status] of Object.entries(errorCodes)) {
      expect(await codesOf(await server.fetch(`/v1/things?code=${code}`, post))).toEqual([`${status} ${code}`])
    }
  })
  it('for now, RATE_LIMITED from a handler, says when to come again', async () => {
    const server = await startServer([
      act(async () => rejectWith('RATE_LIMITED', { global: false, retry_after: 12.345 })),
    ])
    const response = await server.fetch('/v1/things', post)
    expect([response.status, response.headers.get('retry-after'), response.headers.get('x-ratelimit-scope')]).toEqual([
      429,
      '13',
      'user',
    ])
    expect(response.headers.get('x-ratelimit-bucket')).toBeNull()
    expect(await response.json()).toMatchObject({ code: 'RATE_LIMITED', global: false, retry_after: 12.345 })
  })
})

describe('what nobody expected', () => {
  it('is 500 without a word of its own, and logged once with the request’s id', async () => {
    const server = await startServer([act(async () => Promise.reject(new Error('the inner workings')))])
    const response = await server.fetch('/v1/things', { ...post, headers: { 'x-request-id': 'req-1' } })
    const text = await response.text()
    expect([response.status, JSON.parse(text)]).toEqual([
      500,
      { code: 'INTERNAL_SERVER_ERROR', message: expect.any(String) },
    ])
    expect(text).not.toContain('inner')
    const errors = server.logged.filter(({ level }) => Number(level) >= 50)
    expect(errors).toEqual([
      expect.objectContaining({ clientRequestId: 'req-1', requestId: expect.any(String), operation: 'Act' }),
    ])
    expect(JSON.stringify(errors)).toContain('the inner workings')
  })
  it('may be thrown as anything', async () => {
    const server = await startServer([act(async () => Promise.reject('text' as unknown as Error))])
    expect((await server.fetch('/v1/things', post)).status).toBe(500)
  })
  it('is a reply that does not fit its schema, in tests and development', async () => {
    const server = await startServer([act(async () => ({ a: 1, b: 2 }), z.object({ a: z.int() }))])
    expect((await server.fetch('/v1/things', post)).status).toBe(500)
    expect(JSON.stringify(server.logged)).toContain('members that its schema lacks')
  })
  it('is 503 where the read models are behind, with a time to try again', async () => {
    const server = await startServer([act(async () => Promise.reject(new ReadModelsBehind('too slow')))])
    const response = await server.fetch('/v1/things', post)
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await codesOf(response)).toEqual(['503 SERVICE_UNAVAILABLE'])
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })
})

describe('logs and answers', () => {
  it('hold nothing that the client sent in confidence', async () => {
    const canaries = {
      password: 'canary-password-1',
      email: 'canary@example.com',
      mfa_code: 'canary 2 "quoted"',
      deep: [{ token: 'canary-token-3' }],
    }
    const rejection = (body: unknown) =>
      Object.assign(
        new Error(`bad row: ${JSON.stringify(body)} for canary@example.com`, {
          cause: new Error('Key (email)=(canary@example.com)'),
        }),
        {
          detail: 'Key (email)=(canary@example.com) already exists',
          parameters: ['canary-password-1'],
        },
      )
    const server = await startServer([
      act(async ({ body, caller }) => Promise.reject(Object.assign(rejection(body), { headers: caller }))),
    ])
    const response = await server.fetch('/v1/things?ticket=canary-ticket-4', {
      ...post,
      token: adaToken,
      json: canaries,
      headers: { 'idempotency-key': 'canary-key-5', 'x-service-sudo-mode-jwt': 'canary-proof-6' },
    })
    expect(response.status).toBe(500)
    const everything = JSON.stringify(server.logged) + (await response.text())
    expect(everything).toContain('bad row')
    expect(everything).not.toContain('canary')
    expect(everything).not.toContain(adaToken.slice(4))
  })
  it('have no line for a request at info', async () => {
    const server = await startServer([act(async () => ({}))])
    await server.fetch('/v1/things', post)
    await server.fetch('/v1/nothing')
    expect(server.logged.filter(({ level }) => Number(level) >= 30)).toEqual([])
  })
})
