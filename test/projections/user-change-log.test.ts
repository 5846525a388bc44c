import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserChange } from '../../application/ports/queries/user-change-log-queries.ts'
import type { AccountId } from '../../domain/ids/ids.ts'
import { userChangeLogProjection } from '../../projections/user-change-log/projector.ts'
import { userChangeLogQueries } from '../../projections/user-change-log/queries.ts'
import { account, after, registered } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))
const page = (id: AccountId, limit = 200, before: string | null = null) =>
  userChangeLogQueries(the.database).ofAccount(id, { limit, before })

beforeAll(async () => {
  the = await world()
  projector = await the.projector([userChangeLogProjection])
})

afterAll(() => the.close())

const retagged = (accountId: AccountId, username: string, discriminator = 7): AnyEvent => ({
  type: 'TagChanged',
  data: { accountId, username, discriminator },
})
const readdressed = (accountId: AccountId, email: string | null, verified = false): AnyEvent => ({
  type: 'EmailAddressChanged',
  data: { accountId, email, verified, changedAt: after(1) },
})

/** A value of a tag or an address that an account gets. */
type Given =
  | { readonly tag: string; readonly discriminator: number }
  | { readonly email: string | null; readonly verified: boolean }

const given: fc.Arbitrary<Given> = fc.oneof(
  fc.record({ tag: fc.constantFrom('ada', 'Ada', 'grace'), discriminator: fc.constantFrom(0, 1, 9999) }),
  fc.record({ email: fc.constantFrom('a@example.org', 'b@example.org', null), verified: fc.boolean() }),
)
const lives = fc.array(given, { maxLength: 12, size: 'max' })

/** The values of an account, in order, the first one too, without those that are the same as before. */
function valuesOf(life: readonly Given[], first: string | null, field: UserChange['field']) {
  const all = life.flatMap((each) => {
    if ('tag' in each) return field === 'fluxer_tag' ? `${each.tag}#${String(each.discriminator).padStart(4, '0')}` : []
    return field === 'email' ? [each.email] : []
  })
  return [first, ...all].filter((value, index, values) => index === 0 || value !== values[index - 1])
}

describe('the change log of an account', () => {
  it('has old values that chain, whatever changes, and whatever the clocks say', async () => {
    for (const [index, life] of fc.sample(lives, { numRuns: 60 }).entries()) {
      const number = 100 + index
      const id = account(number)
      let last = await the.happens(registered(number))
      for (const [step, each] of life.entries())
        last = await the.happensWith(
          { at: after(step % 2 === 0 ? -step : step) },
          'tag' in each ? retagged(id, each.tag, each.discriminator) : readdressed(id, each.email, each.verified),
        )
      await projector.reached(last)
      const oldestFirst = (await page(id)).toReversed()
      for (const [field, first] of [
        ['fluxer_tag', `User${number}#0${number}`],
        ['email', `user${number}@example.org`],
      ] as const) {
        const values = valuesOf(life, first, field)
        const pairs = oldestFirst.filter((each) => each.field === field).map((each) => [each.oldValue, each.newValue])
        expect(pairs).toStrictEqual(values.slice(1).map((value, at) => [values[at], value]))
      }
    }
  })

  it('is the same in pages of any size, and ids grow with each change', async () => {
    const id = account(1)
    await happens(registered(1), ...Array.from({ length: 9 }, (_, index) => retagged(id, `name${index}`)))
    const all = await page(id)
    expect(all).toHaveLength(9)
    for (const limit of [1, 2, 3, 9]) {
      const paged: UserChange[] = []
      let next: readonly UserChange[] = []
      do {
        next = await page(id, limit, paged.at(-1)?.id ?? null)
        paged.push(...next)
      } while (next.length === limit)
      expect(paged).toStrictEqual(all)
    }
    const ids = all.map((each) => BigInt(each.id))
    expect(ids).toStrictEqual(ids.toSorted((one, other) => (one < other ? 1 : -1)))
  })

  it('says who caused a change: the holder, an administrator, or nobody', async () => {
    const id = account(2)
    await happens(registered(2))
    const adminAction = {
      entryId: '4711',
      commandId: 'command',
      adminId: account(9),
      credential: 'admin_key',
      action: 'change_username',
      target: { type: 'user', id },
    } as never
    const actor = { kind: 'account', id: account(9) } as const
    await the.happensWith({ actor: { kind: 'account', id } }, retagged(id, 'own'))
    await the.happensWith({ actor, adminAction }, retagged(id, 'given'))
    await happens(retagged(id, 'system'))
    expect((await page(id)).map(({ reason, actorId }) => [reason, actorId])).toStrictEqual([
      [null, null],
      ['admin_action', account(9)],
      ['user_requested', null],
    ])
  })

  it('is of one account alone, and gone once its erasure has begun', async () => {
    const [one, other] = [account(3), account(4)]
    await happens(registered(3), registered(4), retagged(one, 'one'), readdressed(other, 'other@example.org'))
    expect(await page(one)).toMatchObject([{ field: 'fluxer_tag', oldValue: 'User3#0003', newValue: 'one#0007' }])
    const started = { username: 'one', addressHash: null, identityHashes: [], startedAt: after(1) }
    await happens({ type: 'AccountErasureStarted', data: { accountId: one, ...started } })
    expect(await page(one)).toStrictEqual([])
    expect(await the.rows(`select from user_change_log.field_values where account_id = ${one}`)).toStrictEqual([])
    expect(await page(other)).toHaveLength(1)
  })
})
