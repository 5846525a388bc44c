import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  dropApplication,
  settleDecided,
  settleListing,
} from '../../../../application/communities/discovery/settle-listing.ts'
import { finishingContext, followingContext } from '../../../../application/commands/following-context.ts'
import { Refused } from '../../../../application/commands/refused.ts'
import type { EventStore } from '../../../../application/ports/event-store.ts'
import { beforeAll } from '../../../../domain/kernel/position.ts'
import type { Aggregates } from '../../../../application/ports.ts'
import { openAggregates } from '../../../../process/aggregates.ts'
import type { DirectoryListing } from '../../../../domain/discovery-application/listing.ts'
import { timestamp } from '../../../../domain/kernel/timestamp.ts'
import { ada, home, homeLayout, moderator, start } from '../../../../domain/testing/people.ts'
import { chance } from '../../../support/load-random.ts'
import { memoryEventStore } from '../../../support/memory/memory-event-store.ts'
import { memoryPersonalDataKeys } from '../../../support/memory/memory-keys.ts'
import { memorySnapshots } from '../../../support/memory/memory-snapshots.ts'
import { testContext } from '../../../support/test-context.ts'
import { UnfinishedRows } from '../../support/unfinished-rows.ts'

const listing: DirectoryListing = {
  description: 'A place for chess',
  categoryType: 0,
  primaryLanguage: 'en-US',
  customTags: [],
}
const judging = { by: moderator, guild: null, now: start } as const

/** What a request writes first, for each that has a second step. */
const decisions = {
  apply: { type: 'ApplyForDiscovery', guildId: home, by: ada, listing, guild: null, atOnce: false, now: start },
  applyAtOnce: { type: 'ApplyForDiscovery', guildId: home, by: ada, listing, guild: null, atOnce: true, now: start },
  approve: { type: 'ApproveDiscovery', reason: null, ...judging },
  remove: { type: 'RemoveDiscoveryListing', reason: 'spam', ...judging },
  addFeature: { type: 'ChangeDiscoveryByFeature', discoverable: true, ...judging },
  removeFeature: { type: 'ChangeDiscoveryByFeature', discoverable: false, ...judging },
  withdraw: { type: 'WithdrawDiscovery', by: ada, now: start },
} as const

type Act = keyof typeof decisions | 'deleteGuild' | 'toggle'
/** The acts that meet most often come most often. */
const acts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<Act[]>('approve', 'remove') },
  { weight: 3, arbitrary: fc.constantFrom<Act[]>('apply', 'applyAtOnce', 'withdraw', 'addFeature', 'removeFeature') },
  { weight: 1, arbitrary: fc.constantFrom<Act[]>('deleteGuild', 'toggle') },
)

class Died extends Error {}

/** One process on a common store. Each of its calls takes a while; it dies instead of its `lifetime`-th append. */
function processOn(store: EventStore, seed: number, lifetime: number): Aggregates {
  const draws = chance(seed)
  let left = lifetime
  const pause = async (): Promise<void> => {
    if (left <= 0) throw new Died()
    // Now and then so long that another process does all its work meanwhile.
    for (let turns = draws.next() < 0.2 ? 400 : draws.between(0, 12); turns > 0; turns -= 1) await Promise.resolve()
  }
  const slow: EventStore = {
    ...store,
    async append(stream, expected, events) {
      await pause()
      left -= 1
      if (left <= 0) throw new Died()
      const appended = await store.append(stream, expected, events)
      await pause()
      return appended
    },
    async *readStream(stream, after) {
      await pause()
      yield* store.readStream(stream, after)
    },
  }
  return openAggregates({ store: slow, snapshots: memorySnapshots({ keys: memoryPersonalDataKeys() }) })
}

async function act(aggregates: Aggregates, wish: Act): Promise<void> {
  const context = testContext()
  if (wish === 'deleteGuild') {
    await aggregates.guild.execute(home, { type: 'DeleteGuild', by: ada }, context)
    return dropApplication({ aggregates }, home, followingContext(context, context.commandId))
  }
  if (wish === 'toggle') {
    const features = (await aggregates.guild.load(home)).state.status === 'active' ? ['INVITES_DISABLED' as const] : []
    await aggregates.guild.execute(home, { type: 'SetFeatures', add: features, remove: [] }, context)
    return
  }
  const command = decisions[wish]
  const { state, changed } = await aggregates.discoveryApplication.execute(home, command, context)
  if (changed) await settleDecided({ aggregates }, home, state, command.type, context)
}

/** Carries out acts one after another, until the process dies. */
async function live(aggregates: Aggregates, wishes: readonly Act[]): Promise<void> {
  for (const wish of wishes) {
    try {
      await act(aggregates, wish)
    } catch (error) {
      if (error instanceof Died) return
      if (!(error instanceof Refused)) throw error
    }
  }
}

/** What the process managers do some time later. */
async function finishAll(store: EventStore, aggregates: Aggregates): Promise<void> {
  const rows = new UnfinishedRows()
  for await (const page of store.readAll(beforeAll)) for (const event of page) rows.apply(event)
  const now = timestamp(Date.UTC(2030, 0, 1))
  for (const step of await rows.queries.before(now, 1000)) {
    const context = finishingContext(step, step.process, now)
    if (step.process === 'guild_messages') await dropApplication({ aggregates }, home, context)
    if (step.process !== 'discovery_listing') continue
    const { decision } = step.data as { readonly decision: number }
    await settleListing({ aggregates }, { guildId: home, decision }, context)
  }
}

const lives = fc.array(
  fc.record({
    wishes: fc.array(acts, { minLength: 1, maxLength: 6 }),
    seed: fc.nat(),
    lifetime: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(1000)),
  }),
  { minLength: 1, maxLength: 4 },
)

async function founded(): Promise<{ readonly store: EventStore; readonly aggregates: Aggregates }> {
  const store = memoryEventStore({ keys: memoryPersonalDataKeys() })
  const aggregates = processOn(store, 1, 1000)
  const founding = { guildId: home, name: 'Home', ownerId: ada, features: [], layout: homeLayout, now: start }
  await aggregates.guild.execute(home, { type: 'CreateGuild', ...founding }, testContext())
  await act(aggregates, 'apply')
  return { store, aggregates }
}

/** Whether the guild is in the directory by its features, and by its application. */
async function listedIn(aggregates: Aggregates): Promise<readonly [boolean, boolean]> {
  const { state: guild } = await aggregates.guild.load(home)
  const { state: application } = await aggregates.discoveryApplication.load(home)
  return [guild.status === 'active' && guild.features.includes('DISCOVERABLE'), application.status === 'approved']
}

/** The aggregates of a process in which others act just before it changes the guild for the first time. */
function interrupted(aggregates: Aggregates, others: () => Promise<void>): Aggregates {
  let isFirst = true
  const { guild } = aggregates
  return {
    ...aggregates,
    guild: {
      ...guild,
      execute: async (...command) => {
        if (isFirst) {
          isFirst = false
          await others()
        }
        return guild.execute(...command)
      },
    },
  }
}

it.each([
  ['approve', ['remove'], false],
  ['approve', ['withdraw'], false],
  ['approve', ['remove', 'apply', 'approve'], true],
  ['approve', ['withdraw', 'applyAtOnce'], true],
  ['approve', ['deleteGuild'], false],
] as const)('%s that is slow, and meanwhile %j: what was decided last holds', async (first, meanwhile, expected) => {
  const { store, aggregates } = await founded()
  const slow = interrupted(processOn(store, 2, 1000), async () => {
    for (const wish of meanwhile) await act(aggregates, wish)
  })
  await act(slow, first)
  expect(await listedIn(aggregates)).toStrictEqual([expected, expected])
})

it('holds where the slow one dies after its write: a process manager compares once more', async () => {
  const { store, aggregates } = await founded()
  // It appends the approval and the feature, and dies before it records that it is done.
  const slow = interrupted(processOn(store, 2, 3), () => act(aggregates, 'remove'))
  await expect(act(slow, 'approve')).rejects.toThrow(Died)
  expect(await listedIn(aggregates)).toStrictEqual([true, false])
  await finishAll(store, aggregates)
  expect(await listedIn(aggregates)).toStrictEqual([false, false])
})

it('has DISCOVERABLE exactly where the application is approved, once all steps are over, whoever died in between', async () => {
  let listed = 0
  await fc.assert(
    fc.asyncProperty(lives, async (processes) => {
      const { store, aggregates: last } = await founded()
      await Promise.all(processes.map(({ wishes, seed, lifetime }) => live(processOn(store, seed, lifetime), wishes)))
      await finishAll(store, last)
      const { state: application } = await last.discoveryApplication.load(home)
      expect(application.unsettled).toStrictEqual([])
      const [byGuild, byApplication] = await listedIn(last)
      expect(byGuild).toBe(byApplication)
      listed += byGuild ? 1 : 0
      const { state: guild } = await last.guild.load(home)
      if (guild.status !== 'active') expect(application.status).toBe('absent')
    }),
    { numRuns: 300 },
  )
  expect(listed).toBeGreaterThan(0)
})
