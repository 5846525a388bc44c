import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { account as accountAggregate } from '../../domain/account/account.ts'
import type { AccountCommand } from '../../domain/account/commands.ts'
import type { AccountEvent } from '../../domain/account/events.ts'
import { accountFlags } from '../../domain/account/flags.ts'
import { fold } from '../../domain/kernel/decider.ts'
import { accountsProjection } from '../../projections/accounts/projector.ts'
import { accountQueries } from '../../projections/accounts/queries.ts'
import { standingCommands } from '../../domain/testing/commands/standing-arbitraries.ts'
import { account, after, registered } from './support/people.ts'
import { world, type AnyEvent, type TestProjector, type World } from './support/world.ts'

let the: World
let projector: TestProjector
const queries = () => accountQueries(the.database)
const happens = async (...events: readonly AnyEvent[]) => projector.reached(await the.happens(...events))

beforeAll(async () => {
  the = await world()
  projector = await the.projector([accountsProjection])
})

afterAll(() => the.close())

const accountId = account(1)
const until = after(600)

describe('the record of an account', () => {
  it('holds each of 64 flags, the highest one too', async () => {
    const flags = (1n << 63n) | (1n << 62n) | accountFlags.DELETED | 1n
    await happens(registered(1), { type: 'FlagsChanged', data: { accountId, flags: flags.toString() } })
    expect(await queries().find(accountId)).toMatchObject({ flags: flags.toString() })
    await happens({ type: 'AccountDisabled', data: { accountId } })
    expect(await queries().find(accountId)).toMatchObject({ flags: (flags | accountFlags.DISABLED).toString() })
    const all = (2n ** 64n - 1n).toString()
    await happens({ type: 'FlagsChanged', data: { accountId, flags: all } })
    expect(await queries().find(accountId)).toMatchObject({ flags: all })
  })

  it('shows a ban until it is lifted', async () => {
    const id = account(2)
    await happens(registered(2), { type: 'AccountBanned', data: { accountId: id, until, bannedAt: after(1) } })
    expect(await queries().find(id)).toMatchObject({ bannedUntil: until, flags: accountFlags.DISABLED.toString() })
    await happens({ type: 'AccountBanLifted', data: { accountId: id } })
    expect(await queries().find(id)).toMatchObject({ bannedUntil: null, flags: '0' })
  })

  it('forgets all of it once erasing has begun', async () => {
    const id = account(3)
    await happens(
      registered(3),
      { type: 'TraitsSet', data: { accountId: id, traits: ['tester'] } },
      { type: 'PremiumFlagsChanged', data: { accountId: id, flags: 2 ** 32 - 1 } },
      {
        type: 'AccountDeletionScheduled',
        data: {
          accountId: id,
          dueAt: until,
          reasonCode: 3,
          publicReason: 'Spam',
          auditLogReason: 'reported',
          scheduledBy: account(2),
          scheduledAt: after(1),
        },
      },
    )
    expect(await queries().find(id)).toMatchObject({
      premiumFlags: 2 ** 32 - 1,
      deletion: { auditLogReason: 'reported' },
    })
    const started = { username: 'User3', addressHash: null, identityHashes: [], startedAt: until }
    await happens({ type: 'AccountErasureStarted', data: { accountId: id, ...started } })
    expect(await queries().find(id)).toMatchObject({
      flags: accountFlags.DELETED.toString(),
      premiumFlags: 0,
      traits: [],
      deletion: null,
    })
  })

  it('agrees with the state of the account, whatever happens to it', async () => {
    const holders = fc.constantFrom<AccountCommand[]>(
      { type: 'DisableAccount' },
      { type: 'ScheduleSelfDeletion', dueAt: until },
      { type: 'ReturnToAccount', now: after(60) },
      { type: 'ChangeProfile', changes: { premiumBadgeHidden: true, hasDismissedPremiumOnboarding: true } },
      { type: 'ChangeProfile', changes: { premiumBadgeHidden: false, hasDismissedPremiumOnboarding: false } },
    )
    const lives = fc.array(fc.oneof(standingCommands, holders), { minLength: 5, maxLength: 25, size: 'max' })
    const histories = fc.sample(lives, { numRuns: 60 })
    for (const [index, commands] of histories.entries()) {
      const number = 100 + index
      const id = account(number)
      const past = commands.reduce<readonly AccountEvent[]>(
        (events, command) => {
          const decision = accountAggregate.decide(fold(accountAggregate, events), command)
          return decision.outcome === 'accepted' ? [...events, ...decision.events] : events
        },
        [registered(number) as AccountEvent],
      )
      await happens(...past)
      const state = fold(accountAggregate, past)
      if (state.status !== 'registered') throw new Error('nothing here erases it')
      const { flags, premiumFlags, traits, bot, system, dateOfBirth, bannedUntil, deletion, messageDeletion } = state
      const facts = { flags, premiumFlags, traits, bot, system, dateOfBirth, bannedUntil, deletion, messageDeletion }
      expect(await queries().find(id)).toMatchObject({ ...facts, profile: state.profile })
    }
  })
})
