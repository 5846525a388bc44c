import { describe, expect, it } from 'vitest'
import {
  removeDiscoveryListing,
  reviewDiscoveryApplication,
} from '../../../application/administration/discovery/review-application.ts'
import { applyForDiscovery } from '../../../application/communities/discovery/apply-for-discovery.ts'
import { withdrawDiscoveryApplication } from '../../../application/communities/discovery/change-discovery-application.ts'
import type { Caller } from '../../../application/caller.ts'
import { deleteGuild } from '../../../application/communities/guilds/delete-guild.ts'
import { finishUnfinished } from '../../../application/processes/finish-unfinished.ts'
import type { Ports } from '../../../application/ports.ts'
import type { AccountId, GuildId } from '../../../domain/ids/ids.ts'
import { chessListing } from '../../operations/support/discovery.ts'
import { noteFault } from '../../support/fault-table.ts'
import { typesOf } from '../support/happenings.ts'
import { world, type World } from '../support/world.ts'

const requestLife_ms = 60_000

async function finish(on: World) {
  on.restart()
  await on.ports.readModels.reached(0n)
  on.wait(requestLife_ms)
  const olderThan = on.now
  on.wait(1)
  return finishUnfinished(on.ports)(olderThan, on.now)
}

async function applied() {
  const on = world()
  const [ada, root] = [await on.newcomer('Ada'), await on.newcomer('Root')]
  const { id } = await on.guildOf(ada)
  await applyForDiscovery(on.ports)(await on.as(ada), id, chessListing)
  return { on, ada, root, id }
}

async function approved() {
  const stage = await applied()
  const { on, root, id } = stage
  await reviewDiscoveryApplication(on.ports)(await on.as(root), id, { status: 'approved', reason: null })
  return stage
}

async function isListed(on: World, id: GuildId): Promise<readonly [boolean, string]> {
  const { state: guild } = await on.ports.aggregates.guild.load(id)
  const { state: application } = await on.ports.aggregates.discoveryApplication.load(id)
  return [guild.status === 'active' && guild.features.includes('DISCOVERABLE'), application.status]
}

describe('a decision about the directory whose process died', () => {
  it.each(['GuildFeaturesChanged', 'DiscoveryListingSettled'])(
    'before %s: an approval lists the guild',
    async (type) => {
      const { on, root, id } = await applied()
      on.dieBefore(type)
      const review = reviewDiscoveryApplication(on.ports)(await on.as(root), id, { status: 'approved', reason: null })
      await expect(review).rejects.toThrow(type)
      expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
      expect(await isListed(on, id)).toStrictEqual([true, 'approved'])
      expect((await typesOf(on)).filter((each) => each === 'GuildFeaturesChanged')).toHaveLength(1)
      expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    },
  )

  it('before GuildFeaturesChanged: a removal takes the guild out', async () => {
    const { on, root, id } = await approved()
    on.dieBefore('GuildFeaturesChanged')
    await expect(removeDiscoveryListing(on.ports)(await on.as(root), id, 'spam')).rejects.toThrow(
      'GuildFeaturesChanged',
    )
    expect(await isListed(on, id)).toStrictEqual([true, 'removed'])
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await isListed(on, id)).toStrictEqual([false, 'removed'])
  })

  it('before GuildFeaturesChanged: a withdrawal takes the guild out', async () => {
    const { on, ada, id } = await approved()
    on.dieBefore('GuildFeaturesChanged')
    await expect(withdrawDiscoveryApplication(on.ports)(await on.as(ada), id)).rejects.toThrow('GuildFeaturesChanged')
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await isListed(on, id)).toStrictEqual([false, 'absent'])
  })

  it('and that was decided anew since: what was decided last holds', async () => {
    const { on, ada, root, id } = await applied()
    on.dieBefore('GuildFeaturesChanged')
    const review = reviewDiscoveryApplication(on.ports)(await on.as(root), id, { status: 'approved', reason: null })
    await expect(review).rejects.toThrow('GuildFeaturesChanged')
    on.restart()
    await withdrawDiscoveryApplication(on.ports)(await on.as(ada), id)
    expect(await finish(on)).toStrictEqual({ finished: 1, failures: [] })
    expect(await isListed(on, id)).toStrictEqual([false, 'absent'])
    expect(await typesOf(on)).not.toContain('GuildFeaturesChanged')
  })

  it('acts on the guild as the instance: nobody learns there which administrator decided, or why', async () => {
    const { on, root, id } = await applied()
    const caller = await on.as(root, { reason: 'weekly round' })
    await reviewDiscoveryApplication(on.ports)(caller, id, { status: 'approved', reason: null })
    const change = (await on.events()).find(({ type }) => type === 'GuildFeaturesChanged')
    expect(change?.metadata.actor).toStrictEqual({ kind: 'system', name: 'discovery_listing' })
    expect(change?.metadata.reason).toBeUndefined()
  })
})

describe('an application whose guild is deleted', () => {
  it('goes with it, if the process died that deleted the guild', async () => {
    const { on, ada, id } = await approved()
    await on.ports.aggregates.guild.execute(id, { type: 'DeleteGuild', by: ada }, (await on.as(ada)).context)
    expect((await finish(on)).failures).toStrictEqual([])
    expect(await isListed(on, id)).toStrictEqual([false, 'absent'])
  })

  it('can be reviewed as long as it is there, and goes with that', async () => {
    const { on, ada, root, id } = await applied()
    await on.ports.aggregates.guild.execute(id, { type: 'DeleteGuild', by: ada }, (await on.as(ada)).context)
    const review = reviewDiscoveryApplication(on.ports)(await on.as(root), id, { status: 'approved', reason: null })
    expect(await review).toMatchObject({ status: 'approved' })
    expect(await isListed(on, id)).toStrictEqual([false, 'absent'])
  })

  it('goes with it, if the guild was deleted just before it applied', async () => {
    const { on, ada, id } = await applied()
    await withdrawDiscoveryApplication(on.ports)(await on.as(ada), id)
    const command = {
      type: 'ApplyForDiscovery',
      guildId: id,
      by: ada,
      listing: chessListing,
      guild: null,
      atOnce: true,
      now: on.now,
    } as const
    const { aggregates } = on.ports
    await aggregates.guild.execute(id, { type: 'DeleteGuild', by: ada }, (await on.as(ada)).context)
    await aggregates.discoveryApplication.execute(id, { type: 'DropDiscovery' }, on.requester().context)
    await aggregates.discoveryApplication.execute(id, command, on.requester().context)
    expect((await finish(on)).failures).toStrictEqual([])
    expect(await isListed(on, id)).toStrictEqual([false, 'absent'])
  })
})

interface Killed {
  /** Whether the application waits, or is approved, before the request. */
  readonly before: 'nothing' | 'pending' | 'approved'
  /** The request. */
  readonly send: (ports: Ports, caller: Caller, id: GuildId) => Promise<unknown>
  readonly byAdministrator: boolean
  /** What it appends, in this order. */
  readonly appends: readonly string[]
  /** Whether the guild is listed at the end, and the status of its application. */
  readonly after: readonly [boolean, string]
}

const steps = (first: string) => [first, 'GuildFeaturesChanged', 'DiscoveryListingSettled']
const approval = { status: 'approved', reason: null } as const

const requests: Readonly<Record<string, Killed>> = {
  'an application that needs no review': {
    before: 'nothing',
    send: (ports, caller, id) => applyForDiscovery(ports)(caller, id, chessListing),
    byAdministrator: false,
    appends: steps('DiscoveryApplied'),
    after: [true, 'approved'],
  },
  'an approval': {
    before: 'pending',
    send: (ports, caller, id) => reviewDiscoveryApplication(ports)(caller, id, approval),
    byAdministrator: true,
    appends: steps('DiscoveryApplicationApproved'),
    after: [true, 'approved'],
  },
  'a removal': {
    before: 'approved',
    send: (ports, caller, id) => removeDiscoveryListing(ports)(caller, id, 'spam'),
    byAdministrator: true,
    appends: steps('DiscoveryListingRemoved'),
    after: [false, 'removed'],
  },
  'a withdrawal': {
    before: 'approved',
    send: (ports, caller, id) => withdrawDiscoveryApplication(ports)(caller, id),
    byAdministrator: false,
    appends: steps('DiscoveryApplicationWithdrawn'),
    after: [false, 'absent'],
  },
  'the deletion of the guild': {
    before: 'approved',
    // What follows the deletion is done after the answer: this process does not come to it.
    send: (ports, caller, id) => deleteGuild({ ...ports, deferred: { run: () => undefined } })(caller, id),
    byAdministrator: false,
    appends: ['GuildDeleted', 'DiscoveryApplicationDropped'],
    after: [false, 'absent'],
  },
}

async function stageOf({ before, byAdministrator }: Killed) {
  const { on, ada, root, id } = before === 'approved' ? await approved() : await applied()
  if (before === 'nothing') {
    await withdrawDiscoveryApplication(on.ports)(await on.as(ada), id)
    const verify = { type: 'SetFeatures', add: ['VERIFIED'], remove: [] } as const
    await on.ports.aggregates.guild.execute(id, verify, on.requester().context)
  }
  const by: AccountId = byAdministrator ? root : ada
  return { on, by, id, known: (await on.events()).length }
}

/** How often each of these was appended since. */
async function appendedSince(on: World, known: number, types: readonly string[]): Promise<readonly number[]> {
  const since = (await typesOf(on)).slice(known)
  return types.map((type) => since.filter((each) => each === type).length)
}

describe.each(Object.entries(requests))('F1, F2: %s whose process dies', (name, killed) => {
  const { appends, after, send } = killed
  const [first = ''] = appends

  it.each(['the client', 'the process manager'])('is done once, where %s comes first afterwards', async (one) => {
    const found = { lost: 0, repeated: 0 }
    for (const deadly of [...appends, 'the answer']) {
      const { on, by, id, known } = await stageOf(killed)
      const caller = await on.as(by)
      const { commandId } = caller.context
      on.dieBefore(deadly)
      const answer = await send(on.ports, caller, id).catch((error: unknown) => error)
      const retry = async () => send(on.ports, await on.as(by, { commandId, mayRepeat: true }), id)
      if (one === 'the process manager') await finish(on)
      else on.restart()
      const repeated = await retry()
      if (!(answer instanceof Error)) expect(repeated).toStrictEqual(answer)
      expect((await finish(on)).failures).toStrictEqual([])
      expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
      expect([deadly, await isListed(on, id)]).toStrictEqual([deadly, after])
      const counts = await appendedSince(on, known, appends)
      found.lost += counts.filter((count) => count === 0).length
      found.repeated += counts.filter((count) => count > 1).length
    }
    const title = `${name}, then ${one}`
    noteFault('F1l', { title, runs: appends.length + 1, reordered: 0, divergent: 0, stuck_s: 0, ...found })
    expect(found).toStrictEqual({ lost: 0, repeated: 0 })
  })

  it('is not done at all, if nothing of it was appended and nobody sends it again', async () => {
    const { on, by, id, known } = await stageOf(killed)
    const before = await isListed(on, id)
    on.dieBefore(first)
    await expect(send(on.ports, await on.as(by), id)).rejects.toThrow(first)
    expect(await finish(on)).toStrictEqual({ finished: 0, failures: [] })
    expect(await isListed(on, id)).toStrictEqual(before)
    expect(await on.events()).toHaveLength(known)
  })
})
