import { channelId as asChannelId, type AccountId, type ChannelId, type GuildId } from '../../../domain/ids/ids.ts'
import type { PlacedMessage } from '../../ports/author-messages.ts'
import type { MessageAudience } from '../../ports/messages.ts'
import type { Ports } from '../../ports.ts'
import { privatePlace } from '../private-channels/private-place.ts'
import { channelPlace, threadPlace } from './guild-places.ts'

type Needs = Pick<Ports, 'queries'>

/**
 * Who is notified in each of these channels, guild channels, threads and private ones alike, in which an author has written.
 * Channels that no longer exist are left out.
 */
export async function placesOfChannels(
  ports: Needs,
  author: AccountId,
  messages: readonly Pick<PlacedMessage, 'channelId' | 'guildId'>[],
): Promise<ReadonlyMap<ChannelId, MessageAudience>> {
  const guildOf = new Map(messages.map(({ channelId, guildId }) => [channelId, guildId]))
  const places = [
    ...(await placesInGuilds(ports, guildOf)),
    ...(await privatePlaces(
      ports,
      author,
      [...guildOf].flatMap(([channelId, guildId]) => (guildId === null ? [channelId] : [])),
    )),
  ]
  return new Map(places.map((place) => [place.channelId, place]))
}

async function placesInGuilds(
  ports: Needs,
  guildOf: ReadonlyMap<ChannelId, GuildId | null>,
): Promise<readonly MessageAudience[]> {
  const places: MessageAudience[] = []
  for (const guildId of new Set(guildOf.values())) {
    const guild = guildId === null ? undefined : await ports.queries.guilds.find(guildId)
    if (guild)
      places.push(...guild.channels.filter(({ id }) => guildOf.has(id)).map((channel) => channelPlace(guild, channel)))
  }
  const found = new Set(places.map(({ channelId }) => channelId))
  const others = [...guildOf].flatMap(([id, guildId]) => (guildId === null || found.has(id) ? [] : [id]))
  for (const thread of others.length === 0 ? [] : await ports.queries.threads.findMany(others))
    places.push(await threadPlace(ports, thread))
  return places
}

/** The notes of an account to itself have its own id, and no record. */
async function privatePlaces(
  { queries }: Needs,
  author: AccountId,
  channels: readonly ChannelId[],
): Promise<readonly MessageAudience[]> {
  if (channels.length === 0) return []
  const notes = asChannelId(author)
  const own = channels.includes(notes)
    ? [{ id: notes, kind: 'notes', recipients: [author], closedFor: [] } as const]
    : []
  return [...own, ...(await queries.privateChannels.findMany(channels))].map(privatePlace)
}
