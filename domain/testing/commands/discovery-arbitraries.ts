import fc from 'fast-check'
import type { DiscoveryApplicationCommand } from '../../discovery-application/commands.ts'
import type { GuildFacts } from '../../discovery-application/events.ts'
import type { DirectoryListing } from '../../discovery-application/listing.ts'
import { anybody, instants, oneOf, record } from '../drawing.ts'
import { home } from '../people.ts'

const listings: fc.Arbitrary<DirectoryListing> = record({
  description: oneOf('A place for chess', 'A place for chess and go'),
  categoryType: oneOf(0, 1, 8),
  primaryLanguage: oneOf('en-US', 'de'),
  customTags: oneOf([], ['chess'], ['chess', 'go']),
})

const guilds: fc.Arbitrary<GuildFacts | null> = oneOf({ name: 'Home', icon: null, memberCount: 2 }, null)
const reasons = oneOf('spam', 'too small')
const judging = { by: anybody, guild: guilds, now: instants }

export const discoveryApplicationCommands: fc.Arbitrary<DiscoveryApplicationCommand> = fc.oneof(
  {
    weight: 4,
    arbitrary: record({
      type: oneOf('ApplyForDiscovery'),
      guildId: oneOf(home),
      listing: listings,
      atOnce: fc.boolean(),
      ...judging,
    }),
  },
  {
    weight: 4,
    arbitrary: record({ type: oneOf('ApproveDiscovery'), reason: oneOf(null, 'fine'), ...judging }),
  },
  { weight: 2, arbitrary: record({ type: oneOf('RejectDiscovery'), reason: reasons, ...judging }) },
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('EditDiscovery'),
      by: anybody,
      byAdministrator: fc.boolean(),
      changes: oneOf<Partial<DirectoryListing>[]>({}, { description: 'A place for go' }, { customTags: ['go'] }),
      now: instants,
    }),
  },
  {
    weight: 2,
    arbitrary: record({
      type: oneOf('MoveDiscoveryListing'),
      by: anybody,
      categoryType: oneOf(0, 4),
      now: instants,
    }),
  },
  { weight: 2, arbitrary: record({ type: oneOf('RemoveDiscoveryListing'), reason: reasons, ...judging }) },
  { weight: 2, arbitrary: record({ type: oneOf('RestoreDiscoveryListing'), guild: guilds, now: instants }) },
  {
    weight: 1,
    arbitrary: record({ type: oneOf('ChangeDiscoveryByFeature'), discoverable: fc.boolean(), ...judging }),
  },
  { weight: 1, arbitrary: record({ type: oneOf('WithdrawDiscovery'), by: anybody, now: instants }) },
  { weight: 1, arbitrary: record({ type: oneOf('DropDiscovery') }) },
  {
    weight: 3,
    arbitrary: record({
      type: oneOf('SettleDiscovery'),
      guildId: oneOf(home),
      decision: oneOf(1, 2, 3),
      seen: oneOf(1, 2, 3, 4),
    }),
  },
)
