import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../../application/caller.ts'
import type { Ports } from '../../../application/ports.ts'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.ts'
import { accounts, admin, anyone } from '../../../adapters/http/callers.ts'
import { perUser } from '../../../adapters/http/bucket.ts'
import { none, operation } from '../../../adapters/http/operation.ts'

// The compiler reads this file too (tsc -b), and checks each expected error.

const whole = {
  name: 'Whole',
  description: 'Does what a test asks for.',
  route: 'GET /v1/whole/:whole_id',
  callers: accounts(),
  bucket: perUser('whole', { requests: 1, seconds: 1 }),
  params: z.object({ whole_id: z.string() }),
  replies: { 200: z.object({ id: z.string() }) },
  handle: async () => ({ id: '1' }),
} as const

const audited = { ...whole, callers: admin({ acls: [] }), adminAudit: none } as const

/** The declaration without one of its members. */
function lacking<Member extends keyof typeof whole>(member: Member): Omit<typeof whole, Member> {
  const { [member]: _, ...rest } = whole
  return rest
}

describe('a declaration', () => {
  it('compiles with all members that it needs', () => {
    expect(operation(whole).name).toBe('Whole')
    expect(operation(audited).name).toBe('Whole')
  })
  it('does not compile without one of them', () => {
    const attempts = [
      // @ts-expect-error callers is missing
      () => operation(lacking('callers')),
      // @ts-expect-error bucket is missing
      () => operation(lacking('bucket')),
      // @ts-expect-error replies is missing
      () => operation(lacking('replies')),
      // @ts-expect-error handle is missing
      () => operation(lacking('handle')),
    ]
    expect(attempts).toHaveLength(4)
  })
  it('does not compile without a schema for each parameter of its path', () => {
    const attempts = [
      // @ts-expect-error the path has a parameter
      () => operation(lacking('params')),
      // @ts-expect-error the parameter has another name
      () => operation({ ...whole, params: z.object({ other_id: z.string() }) }),
      // @ts-expect-error the path has two
      () => operation({ ...whole, route: 'GET /v1/whole/:whole_id/:part_id' }),
      // @ts-expect-error the path has none
      () => operation({ ...whole, route: 'GET /v1/whole' }),
    ]
    expect(attempts).toHaveLength(4)
  })
  it('reads nothing of the query and of the body where it does not say so, and what it says where it does', () => {
    expect(operation(whole)).toMatchObject({ query: none, body: none })
    const reading = { ...whole, query: z.object({ limit: z.int() }), body: z.object({ name: z.string() }) }
    const attempts = [
      () =>
        operation({
          ...reading,
          handle: async ({ query, body }) => {
            expectTypeOf(query).toEqualTypeOf<{ limit: number }>()
            expectTypeOf(body).toEqualTypeOf<{ name: string }>()
            return { id: '1' }
          },
        }),
      // @ts-expect-error nothing is read of the body
      () => operation({ ...whole, handle: async ({ body }) => ({ id: body.name }) }),
    ]
    expect(attempts).toHaveLength(2)
  })
  it('does not compile for administrators without saying what is recorded, and for nobody else with it', () => {
    const { adminAudit: _, ...unaudited } = audited
    const rule = { action: 'look', target: 'user', targetId: () => '1' }
    const attempts = [
      // @ts-expect-error adminAudit is missing
      () => operation(unaudited),
      // @ts-expect-error only administrators are audited
      () => operation({ ...whole, adminAudit: none }),
      // @ts-expect-error only administrators are audited
      () => operation({ ...whole, callers: anyone(), adminAudit: rule }),
      () => operation({ ...audited, adminAudit: rule }),
      // @ts-expect-error the registry has no such ACL
      () => operation({ ...audited, callers: admin({ acls: ['user:look'] }) }),
    ]
    expect(attempts).toHaveLength(5)
  })
  it('does not compile where the handler gives back something else', () => {
    const attempts = [
      // @ts-expect-error the id is a string
      () => operation({ ...whole, handle: async () => ({ id: 1 }) }),
      // @ts-expect-error there is no body to give back
      () => operation({ ...whole, replies: { 204: none }, handle: async () => ({ id: '1' }) }),
      // @ts-expect-error the method is none of HTTP's
      () => operation({ ...whole, route: 'FETCH /v1/whole/:whole_id' }),
    ]
    expect(attempts).toHaveLength(3)
  })
  it('hands its handler the use case that it names, with its ports, and nothing where it names none', () => {
    const rename =
      ({ instance }: Pick<Ports, 'instance'>) =>
      async (id: string, name: string) => ({ id: instance.version + id + name })
    const unportable = (ports: { nothing: string }) => async () => ({ id: ports.nothing })
    const attempts = [
      () =>
        operation({
          ...whole,
          useCase: rename,
          handle: ({ params }, run) => {
            expectTypeOf(run).toEqualTypeOf<(id: string, name: string) => Promise<{ id: string }>>()
            return run(params.whole_id, 'x')
          },
        }),
      // @ts-expect-error the use case takes a name too
      () => operation({ ...whole, useCase: rename, handle: ({ params }, run) => run(params.whole_id) }),
      // @ts-expect-error it names no use case
      () => operation({ ...whole, handle: ({ params }, run) => run(params.whole_id) }),
      // @ts-expect-error there is no such port
      () => operation({ ...whole, useCase: unportable, handle: (_, run) => run() }),
    ]
    expect(attempts).toHaveLength(4)
  })
  it('tells its handler who calls: an account where it demands one, else perhaps', () => {
    operation({
      ...whole,
      handle: async ({ caller, params, query }) => {
        expectTypeOf(caller).toEqualTypeOf<Caller>()
        expectTypeOf(params).toEqualTypeOf<{ whole_id: string }>()
        expectTypeOf(query).toEqualTypeOf<undefined>()
        return { id: '1' }
      },
    })
    operation({
      ...whole,
      callers: anyone(),
      handle: async ({ caller }) => {
        expectTypeOf(caller.account).toEqualTypeOf<AccountRecord | undefined>()
        return { id: '1' }
      },
    })
  })
})
