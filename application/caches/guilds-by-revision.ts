import { LRUCache } from 'lru-cache'
import type { Guild } from '../../domain/guild/state.js'
import type { ChannelId, GuildId } from '../../domain/ids/ids.js'
import { growsTo } from '../../domain/kernel/grows-to.js'
import type { GuildQueries, GuildsUnlessKnown, KnownRevision, UnlessKnown } from '../ports/queries/guild-queries.js'
import { channelsAtHand_max, guildParts_max, partsOf } from './kept-guilds.js'

interface Known extends KnownRevision {
  readonly guild: Guild
}

/**
 * The queries of guilds, for a process that does not hear of events before those who wait for them. Each read asks Postgres. It
 * brings the guild, with its roles and channels, only where that has another revision than the one that is cached
 * (docs/decisions/0137-guilds-by-revision.md).
 */
export function guildsByRevision(guilds: GuildQueries, unlessKnown: GuildsUnlessKnown): GuildQueries {
  const cache = new LRUCache<GuildId, Known>({
    maxSize: guildParts_max,
    sizeCalculation: ({ guild }) => partsOf(guild),
  })
  const places = new LRUCache<ChannelId, GuildId>(growsTo(channelsAtHand_max))

  /** What was found, with the guild: the one that was read, or else the known one, which it equals. */
  async function whole<Found extends UnlessKnown<object>>(
    known: Known | undefined,
    ask: (known: KnownRevision | undefined) => Promise<Found | undefined>,
  ): Promise<(Omit<Found, 'guild'> & { readonly guild: Guild }) | undefined> {
    const found = await ask(known)
    if (!found) return undefined
    if (found.guild) keep(found.guild, found.revision)
    const guild = found.guild ?? known?.guild
    return guild && { ...found, guild }
  }

  function keep(guild: Guild, revision: number): void {
    const { id } = guild
    const before = cache.get(id)
    if (before && before.revision > revision) return
    cache.set(id, { id, guild, revision })
    for (const channel of guild.channels) places.set(channel.id, id)
  }

  function placeOf(channel: ChannelId): Known | undefined {
    const id = places.get(channel)
    return id === undefined ? undefined : cache.get(id)
  }

  return {
    ...guilds,
    find: async (id) => (await whole(cache.get(id), (known) => unlessKnown.find(id, known)))?.guild,
    findFor: (id, account) => whole(cache.get(id), (known) => unlessKnown.findFor(id, account, known)),
    findByChannel: (channel, account) =>
      whole(placeOf(channel), (known) => unlessKnown.findByChannel(channel, account, known)),
    findForNewcomer: (id, newcomer, now) =>
      whole(cache.get(id), (known) => unlessKnown.findForNewcomer(id, newcomer, now, known)),
  }
}
