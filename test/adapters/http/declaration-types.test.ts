import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import type { Caller } from '../../../application/caller.js'
import type { AccountRecord } from '../../../application/ports/queries/account-queries.js'
import { accounts, admin, anyone } from '../../../adapters/http/callers.js'
import { perUser } from '../../../adapters/http/bucket.js'
import { none, operation } from '../../../adapters/http/operation.js'

// The compiler reads this file too (tsc -b): each of its expectations of an error is one that it checks.

const whole = {
  name: 'Whole',
  route: 'GET /v1/whole/:whole_id',
  callers: accounts(),
  bucket: perUser('whole', { requests: 1, seconds: 1 }),
  params: z.object({ whole_id: z.string() }),
  query: none,
  body: none,
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
  it('compiles with all of its members', () => {
    expect(operation(whole).name).toBe('Whole')
    expect(operation(audited).name).toBe('Whole')
  })
  it('does not compile without one of them', () => {
    const attempts = [
      // @ts-expect-error callers is missing
      () => operation(lacking('callers')),
      // @ts-expect-error bucket is missing
      () => operation(lacking('bucket')),
      // @ts-expect-error params is missing
      () => operation(lacking('params')),
      // @ts-expect-error query is missing
      () => operation(lacking('query')),
      // @ts-expect-error body is missing
      () => operation(lacking('body')),
      // @ts-expect-error replies is missing
      () => operation(lacking('replies')),
      // @ts-expect-error handle is missing
      () => operation(lacking('handle')),
    ]
    expect(attempts).toHaveLength(7)
  })
  it('does not compile without a schema for each parameter of its path', () => {
    const attempts = [
      // @ts-expect-error the path has a parameter
      () => operation({ ...whole, params: none }),
      // @ts-expect-error the parameter has another name
      () => operation({ ...whole, params: z.object({ other_id: z.string() }) }),
      // @ts-expect-error the path has two
      () => operation({ ...whole, route: 'GET /v1/whole/:whole_id/:part_id' }),
      // @ts-expect-error the path has none
      () => operation({ ...whole, route: 'GET /v1/whole' }),
    ]
    expect(attempts).toHaveLength(4)
  })
  it('does not compile for administrators without saying what is recorded, and for nobody else with it', () => {
    const { adminAudit: _, ...unaudited } = audited
    const rule = { action: 'look', target: () => ({ type: 'user', id: '1' }) }
    const attempts = [
      // @ts-expect-error adminAudit is missing
      () => operation(unaudited),
      // @ts-expect-error only administrators are audited
      () => operation({ ...whole, adminAudit: none }),
      // @ts-expect-error only administrators are audited
      () => operation({ ...whole, callers: anyone(), adminAudit: rule }),
      () => operation({ ...audited, adminAudit: rule }),
    ]
    expect(attempts).toHaveLength(4)
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
