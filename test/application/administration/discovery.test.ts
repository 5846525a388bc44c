import { describe, expect, it } from 'vitest'
import {
  changeDiscoverable,
  reviewDiscoveryApplication,
} from '../../../application/administration/discovery/review-application.ts'
import { moveDiscoveryListings } from '../../../application/administration/discovery/edit-listings.ts'
import { applyForDiscovery } from '../../../application/communities/discovery/apply-for-discovery.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import type { GuildId } from '../../../domain/ids/ids.ts'
import { Unavailable } from '../../../application/failures/unavailable.ts'
import { UnreadableEvent } from '../../../application/failures/unreadable-event.ts'
import { chessListing } from '../../operations/support/discovery.ts'
import { typesOf } from '../support/happenings.ts'
import { codeOf } from '../support/refusals.ts'
import { world, type World } from '../support/world.ts'

async function stage() {
  const on = world()
  const [ada, root] = [await on.newcomer('Ada'), await on.newcomer('Root')]
  const { id } = await on.guildOf(ada)
  const apply = async () => applyForDiscovery(on.ports)(await on.as(ada), id, chessListing)
  const make = async (discoverable: boolean) => changeDiscoverable(on.ports)(await on.as(root), id, discoverable)
  return { on, ada, root, id, apply, make }
}

async function listed(on: World, id: GuildId): Promise<readonly [boolean, string]> {
  const { state: guild } = await on.ports.aggregates.guild.load(id)
  const { state: application } = await on.ports.aggregates.discoveryApplication.load(id)
  return [guild.status === 'active' && guild.features.includes('DISCOVERABLE'), application.status]
}

describe('DISCOVERABLE from the hand of an administrator', () => {
  it('approves the application, and removes it', async () => {
    const { on, id, apply, make } = await stage()
    await apply()
    await make(true)
    expect(await listed(on, id)).toStrictEqual([true, 'approved'])
    await make(true)
    await make(false)
    expect(await listed(on, id)).toStrictEqual([false, 'removed'])
    await make(false)
    await make(true)
    expect(await listed(on, id)).toStrictEqual([true, 'approved'])
  })

  it('is refused to a guild that never applied, and not missed by it', async () => {
    const { on, id, make } = await stage()
    expect(await codeOf(make(true))).toBe('DISCOVERY_APPLICATION_NOT_FOUND')
    await make(false)
    expect(await listed(on, id)).toStrictEqual([false, 'absent'])
    expect((await typesOf(on)).filter((type) => type.startsWith('Discovery'))).toStrictEqual([])
  })
})

describe('a review of a guild that cannot follow', () => {
  it.each([
    ['cannot be read', new UnreadableEvent('newer version')],
    ['is too busy', new Refused({ code: 'CONFLICT', fields: [], details: {} })],
  ])('succeeds if the guild %s, and the guild follows later', async (_, failure) => {
    const { on, root, id, apply } = await stage()
    await apply()
    const guild = { ...on.ports.aggregates.guild, execute: () => Promise.reject(failure) }
    const ports = { ...on.ports, aggregates: { ...on.ports.aggregates, guild } }
    const review = reviewDiscoveryApplication(ports)(await on.as(root), id, { status: 'approved', reason: null })
    expect(await review).toMatchObject({ status: 'approved' })
    expect(await listed(on, id)).toStrictEqual([false, 'approved'])
    on.restart()
    await on.ports.readModels.reached(0n)
    on.wait(60_000)
    const olderThan = on.now
    on.wait(1)
    expect(await finishUnfinished(on.ports)(olderThan, on.now)).toStrictEqual({ finished: 1, failures: [] })
    expect(await listed(on, id)).toStrictEqual([true, 'approved'])
  })
})

describe('a move of several', () => {
  it.each([new Unavailable('postgres is out'), new UnreadableEvent('newer version')])(
    'names one whose write failed, and moves the others: %s',
    async (failure) => {
      const { on, ada, root, id, apply } = await stage()
      await apply()
      const { id: other } = await on.guildOf(ada)
      await applyForDiscovery(on.ports)(await on.as(ada), other, chessListing)
      const { discoveryApplication } = on.ports.aggregates
      const failing: typeof discoveryApplication = {
        ...discoveryApplication,
        execute: (...command) =>
          command[0] === id ? Promise.reject(failure) : discoveryApplication.execute(...command),
      }
      const move = moveDiscoveryListings({ aggregates: { discoveryApplication: failing } })
      const moved = await move(await on.as(root), [id, other, id], 4)
      expect(moved).toStrictEqual({ updated: 1, failed_guild_ids: [id] })
    },
  )
})
