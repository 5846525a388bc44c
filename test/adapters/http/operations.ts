import { z } from 'zod'
import { accounts, admin, anyone, type Callers } from '../../../adapters/http/callers.ts'
import { perUser, perUserAnd } from '../../../adapters/http/bucket.ts'
import { none, operation, type Handler, type Operation } from '../../../adapters/http/operation.ts'
import { queryBoolean, queryInteger, repeated } from '../../../adapters/http/schemas/query-inputs.ts'
import { snowflakeInput } from '../../../adapters/http/schemas/scalars.ts'
import { errorCodes, type ErrorCode } from '../../../domain/kernel/error-codes.ts'

const allErrorCodes = Object.keys(errorCodes).filter((code): code is ErrorCode => code in errorCodes)
const rate = { requests: 10, seconds: 10 }

/** GET /v1/guarded, which only its callers can reach. */
export function guarded(callers: Exclude<Callers, { kind: 'admin' }>): Operation {
  return operation({
    name: 'Guarded',
    description: 'Does what a test asks for.',
    route: 'GET /v1/guarded',
    callers,
    bucket: perUser('test:guarded', rate),
    replies: { 200: z.object({ caller: z.string().nullable() }) },
    handle: async ({ caller }) => ({ caller: caller.account?.id ?? null }),
  })
}

/** GET /v1/things/:thing_id, open to anybody. */
export const getThing = operation({
  name: 'Get thing',
  description: 'Does what a test asks for.',
  route: 'GET /v1/things/:thing_id',
  callers: anyone(),
  bucket: perUserAnd('thing:read::thing_id', 'thing_id', rate),
  params: z.object({ thing_id: snowflakeInput }),
  query: z.object({
    limit: queryInteger({ min: 1, max: 200 }, 50),
    dry_run: queryBoolean,
    user_id: repeated(snowflakeInput, 100),
    after: snowflakeInput.optional(),
  }),
  replies: {
    200: z.object({ id: z.string(), limit: z.int(), dry_run: z.boolean(), user_id: z.array(z.string()).readonly() }),
  },
  handle: async ({ params, query }) => ({
    id: params.thing_id,
    limit: query.limit,
    dry_run: query.dry_run,
    user_id: query.user_id,
  }),
})

export const echoBody = z.object({
  name: z.string().max(1_000_000).optional(),
  count: z.int().optional(),
  tags: z.array(z.string()).optional(),
  table: z.record(z.string(), z.number()).optional(),
  nested: z.object({ deep: z.string() }).nullish(),
})

/** POST /v1/things/:thing_id/echo returns what its schema kept. */
export const echo = operation({
  name: 'Echo',
  description: 'Does what a test asks for.',
  route: 'POST /v1/things/:thing_id/echo',
  callers: accounts({ bots: true }),
  bucket: perUser('thing:echo', rate),
  params: z.object({ thing_id: snowflakeInput }),
  query: z.object({ limit: queryInteger({ min: 1, max: 200 }, 50) }),
  body: echoBody,
  replies: { 200: echoBody },
  handle: async ({ body }) => body,
})

/** POST /v1/pictures accepts an image. */
export const uploadPicture = operation({
  name: 'Upload picture',
  description: 'Does what a test asks for.',
  route: 'POST /v1/pictures',
  callers: accounts(),
  bucket: perUser('picture:upload', rate),
  body: z.object({ image: z.string() }),
  replies: { 200: z.object({ length: z.int() }) },
  takesImage: true,
  handle: async ({ body }) => ({ length: body.image.length }),
})

/** POST /v1/things runs a given handler. */
export function act(handle: Handler, replies: Operation['success']['schema'] = z.looseObject({})): Operation {
  return operation({
    name: 'Act',
    description: 'Does what a test asks for.',
    route: 'POST /v1/things',
    callers: anyone(),
    bucket: perUser('thing:act', rate),
    query: z.looseObject({}),
    body: z.looseObject({}),
    replies: { 200: replies },
    // The test decides what it refuses with.
    refuses: allErrorCodes,
    handle: handle as never,
  })
}

/** GET /v1/admin/things/:thing_id. */
export const adminGetThing = operation({
  name: 'Get thing as administrator',
  description: 'Does what a test asks for.',
  route: 'GET /v1/admin/things/:thing_id',
  callers: admin({ acls: ['user:lookup'] }),
  bucket: perUser('admin:lookup', { requests: 200, seconds: 60 }),
  params: z.object({ thing_id: snowflakeInput }),
  query: z.object({ fail: queryBoolean }),
  replies: { 200: z.object({ id: z.string() }) },
  adminAudit: {
    action: 'get_thing',
    target: 'thing',
    targetId: ({ params }) => params.thing_id,
    metadata: ({ query }, { id }) => ({ fail: String(query.fail), id }),
  },
  handle: async ({ params, query }) => {
    if (query.fail) throw new Error('as asked')
    return { id: params.thing_id }
  },
})

/** PATCH /v1/admin/things/:thing_id. */
export const adminDecideThing = operation({
  name: 'Decide of thing as administrator',
  description: 'Does what a test asks for.',
  route: 'PATCH /v1/admin/things/:thing_id',
  callers: admin({ acls: ['user:lookup'] }),
  bucket: perUser('admin:user:modify', { requests: 100, seconds: 60 }),
  params: z.object({ thing_id: snowflakeInput }),
  body: z.object({ open: z.boolean() }),
  replies: { 204: none },
  adminAudit: {
    action: { anyOf: ['open_thing', 'shut_thing'], of: ({ body }) => (body.open ? 'open_thing' : 'shut_thing') },
    target: 'thing',
    targetId: ({ params }) => params.thing_id,
  },
  handle: async ({ caller: { context } }) => context.noteWritten(1n),
})
