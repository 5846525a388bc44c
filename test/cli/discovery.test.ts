import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isListed } from '../../domain/discovery-application/state.ts'
import { guildId } from '../../domain/ids/ids.ts'
import { streamName } from '../../domain/streams.ts'
import { openAggregates } from '../../process/aggregates.ts'
import { account, after, created, guild, joined } from '../projections/support/people.ts'
import { happens } from './support/happenings.ts'
import { instance, type Instance } from './support/instance.ts'

let site: Instance
const id = guild(1)

const listing = { description: 'A place for chess', categoryType: 0, primaryLanguage: 'en-US', customTags: ['chess'] }
const facts = { name: 'Chess', icon: null, memberCount: 40 }
const application = (...events: Parameters<typeof happens>[2][]) =>
  happens(site.store.events, streamName('discovery_application', id), ...events)
const applied = (decision: number) => ({
  type: 'DiscoveryApplied' as const,
  data: {
    guildId: id,
    decision,
    appliedBy: account(1),
    listing: { ...listing, primaryLanguage: 'en-US' as const },
    guild: facts,
    approvedAtOnce: false,
    appliedAt: after(decision),
  },
})
const evidence = { ...listing, primaryLanguage: 'en-US' as const, guild: facts }
const lines = async (...words: readonly string[]) =>
  (await site.guildhall(['discovery', ...words])).output.split('\n').slice(0, -1)

beforeAll(async () => {
  site = await instance()
  await happens(site.store.events, streamName('guild', id), created(1))
  await happens(site.store.events, streamName('membership', `${id}-${account(1)}`), joined(1, 1))
  await site.project()
})
afterAll(() => site.close())

describe('guildhall discovery', () => {
  it('prints the queue, what changed, what does not fit any more, and restores what was removed', async () => {
    expect(await lines('queue')).toStrictEqual(['No application waits for a review.'])
    await application(applied(1))
    await site.project()
    expect(await lines('queue')).toStrictEqual([
      expect.stringMatching(new RegExp(`^${id} {2}.+ {2}waits \\d+ h, since \\S+Z {2}first application$`)),
    ])
    await application({
      type: 'DiscoveryApplicationApproved',
      data: { guildId: id, decision: 2, reviewedBy: account(2), reason: 'fine', evidence, reviewedAt: after(2) },
    })
    await site.project()
    expect(await lines('queue')).toStrictEqual(['No application waits for a review.'])
    const shown = await lines('show', id)
    expect(shown[0]).toMatch(new RegExp(`^Guild ${id}: approved, applied `))
    expect(shown).toContain('When it was approved:')
    expect(shown).toContain('  member_count: 40 is now 1')
    expect(await lines('sweep', '--dry-run')).toStrictEqual(['Every listing would be let in today.'])
    await site.guildhall(['instance', 'set', 'discovery.min_member_count=5'])
    expect(await lines('sweep', '--dry-run')).toStrictEqual([
      expect.stringMatching(new RegExp(`^${id} {2}.+ {2}members$`)),
    ])
    await application({
      type: 'DiscoveryListingRemoved',
      data: { guildId: id, decision: 3, removedBy: account(2), reason: 'spam', evidence, removedAt: after(3) },
    })
    await site.project()
    expect(await lines('restore', id)).toStrictEqual([`Guild ${id} is in the directory again.`])
    const restored = (await site.events()).find(({ type }) => type === 'DiscoveryListingRestored')
    expect(restored?.data).toMatchObject({
      guildId: id,
      decision: 4,
      undoes: 3,
      evidence: { guild: { memberCount: 1 } },
    })
    expect(restored?.metadata.actor).toStrictEqual({ kind: 'system', name: 'command line' })
    const aggregates = openAggregates({ store: site.store.events, snapshots: site.store.snapshots })
    const { state } = await aggregates.guild.load(guildId(id))
    expect(state.status === 'active' && state.features).toContain('DISCOVERABLE')
    expect(isListed((await aggregates.discoveryApplication.load(guildId(id))).state)).toBe(true)
  })

  it.each([
    [['show', 'x'], 'x is not the id of a guild'],
    [['show', '7'], 'Guild 7 has no application to the directory'],
    [['sweep'], 'give --dry-run'],
    [['restore', '7'], 'Guild 7 has no application to the directory'],
    [['restore', id], 'is not removed: there is nothing to undo'],
  ])('refuses %j', async (words, said) => {
    const before = (await site.events()).length
    const ended = await site.guildhall(['discovery', ...words])
    expect(ended).toMatchObject({ code: 1, output: '' })
    expect(ended.said).toContain(said)
    expect(await site.events()).toHaveLength(before)
  })
})
