import { isAdult } from '../../../domain/account/is-adult.ts'
import { has, isAgeRestricted, type Channel } from '../../../domain/guild/channel.ts'
import { isUnavailable, type Guild } from '../../../domain/guild/state.ts'
import { channelId, type ChannelId, type GuildId } from '../../../domain/ids/ids.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import type { Membership } from '../../../domain/membership/state.ts'
import { lacking } from '../../../domain/permissions/authority.ts'
import { computePermissions, holds } from '../../../domain/permissions/compute-permissions.ts'
import { viewsThread } from '../../../domain/thread/views-thread.ts'
import { requireGuild } from '../../access/guild-access.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { SearchPlace } from '../../ports/message-search.ts'
import type { ThreadRecord } from '../../ports/queries/thread-queries.ts'
import type { Ports } from '../../ports.ts'
import { isStaff } from '../../wire-objects/identity/user-objects.ts'
import { historyOf, requireTextChannel, type TextChannelNeeds } from '../messages/text-places.ts'
import type { MessageSearchWish, SearchScope } from './message-search-wish.ts'

/** Where a search goes. */
export interface SearchedPlaces {
  readonly places: readonly SearchPlace[]
  /** The guild that all of them are in; null for none. */
  readonly guildId: GuildId | null
}

type Needs = TextChannelNeeds

const guilds_max = 200
const directChannels_max = 2000

/**
 * The channels of a search that the caller may read at this moment, with their cutoffs: of guilds those with VIEW_CHANNEL and
 * READ_MESSAGE_HISTORY, and their threads, active ones or those that are named; a single channel with VIEW_CHANNEL, as far as its history may be read. Refuses with
 * field codes CONTEXT_CHANNEL_OR_GUILD_ID_REQUIRED on `context` and BOT_SEARCH_SCOPE_UNAVAILABLE on `scope`; for a guild as
 * `requireGuild` does, then ALL_CHANNELS_MUST_BELONG_TO_GUILD on `channel_ids` and 403 MISSING_PERMISSIONS; for a channel as
 * `requireTextChannel` does (rules/messages#search).
 */
export async function searchPlaces(ports: Needs, caller: Caller, wish: MessageSearchWish): Promise<SearchedPlaces> {
  const { scope, guildId, channelId: channel, channelIds } = wish
  if (scope !== 'current') {
    if (caller.account.bot) reject('INVALID_FORM_BODY', field('scope', 'BOT_SEARCH_SCOPE_UNAVAILABLE'))
    return { places: onlyOf(await placesOfScope(ports, caller, scope, wish.includesNsfw), channelIds), guildId: null }
  }
  if (guildId !== null) return placesOfGuild(ports, caller, guildId, wish)
  if (channel === null) return reject('INVALID_FORM_BODY', field('context', 'CONTEXT_CHANNEL_OR_GUILD_ID_REQUIRED'))
  const place = await requireTextChannel(ports, caller, channel)
  const history = historyOf(place)
  const places = history === 'nothing' ? [] : [{ channelId: channel, from: history === 'all' ? null : history }]
  return { places: onlyOf(places, channelIds), guildId: place.guildId }
}

function onlyOf(places: readonly SearchPlace[], channels: readonly ChannelId[]): readonly SearchPlace[] {
  if (channels.length === 0) return places
  const wanted = new Set(channels)
  return places.filter((place) => wanted.has(place.channelId))
}

async function placesOfGuild(
  ports: Needs,
  caller: Caller,
  guildId: GuildId,
  { channelIds, includesNsfw }: MessageSearchWish,
): Promise<SearchedPlaces> {
  const { guild, member } = await requireGuild(ports, caller, guildId)
  const { threads } = ports.queries
  const isNamed = channelIds.length > 0
  // Named threads are searched whether or not they are archived.
  const below = !viewerOf(caller).threadAccess
    ? []
    : isNamed
      ? (await threads.findMany(channelIds)).filter((thread) => thread.guildId === guildId)
      : await threads.activeOf(guildId)
  const all = await readableIn(ports, caller, { guild, member }, { threads: below, withNsfw: isNamed || includesNsfw })
  if (!isNamed) return { places: all, guildId }
  const known = new Set([...guild.channels.map(({ id }) => id), ...below.map(({ threadId }) => threadId)])
  if (channelIds.some((id) => !known.has(id)))
    reject('INVALID_FORM_BODY', field('channel_ids', 'ALL_CHANNELS_MUST_BELONG_TO_GUILD'))
  const readable = new Set(all.map((place) => place.channelId))
  if (channelIds.some((id) => !readable.has(id))) reject(lacking('READ_MESSAGE_HISTORY'))
  return { places: onlyOf(all, channelIds), guildId }
}

interface GuildOfMember {
  readonly guild: Guild
  readonly member: Membership
}

/** Channels whose history the member may read, and those of some threads below them that it may view. */
async function readableIn(
  { queries }: Needs,
  caller: Caller,
  { guild, member }: GuildOfMember,
  { threads, withNsfw }: { readonly threads: readonly ThreadRecord[]; readonly withNsfw: boolean },
): Promise<readonly SearchPlace[]> {
  const { now } = caller.context
  const mayReadAll = withNsfw && isAdult(caller.account, now)
  const isForAll = (channel: Channel): boolean => mayReadAll || !isAgeRestricted(channel, guild)
  const masks = new Map(
    guild.channels
      .filter(isForAll)
      .map((channel) => [channel, computePermissions(guild, member, channel.overwrites)] as const)
      .filter(([, mask]) => holds(mask, 'VIEW_CHANNEL') && holds(mask, 'READ_MESSAGE_HISTORY'))
      .map(([{ id }, mask]) => [id, mask] as const),
  )
  const channels = guild.channels.filter(({ id, type }) => masks.has(id) && has(type, 'messages')).map(({ id }) => id)
  const below = threads.filter(({ parentId }) => masks.has(parentId))
  const ids = below.map(({ threadId }) => threadId)
  const memberships = ids.length === 0 ? [] : await queries.threads.membershipsOf(caller.account.id, ids)
  const joined = new Set(memberships.map(({ threadId }) => threadId))
  const viewable = below.filter(({ threadId, parentId, threadType }) =>
    viewsThread(masks.get(parentId) ?? 0n, member, { threadType, hasJoined: joined.has(threadId), now }),
  )
  return [...channels, ...viewable.map(({ threadId }) => threadId)].map((id) => ({ channelId: id, from: null }))
}

async function placesOfScope(
  ports: Needs,
  caller: Caller,
  scope: Exclude<SearchScope, 'current'>,
  includesNsfw: boolean,
): Promise<readonly SearchPlace[]> {
  const inGuilds = scope === 'all' || scope === 'all_guilds' || scope === 'open_dms_and_all_guilds'
  const isPrivate = scope !== 'all_guilds'
  const isClosedToo = scope === 'all' || scope === 'all_dms'
  return [
    ...(isPrivate ? await privatePlaces(ports, caller, isClosedToo) : []),
    ...(inGuilds ? await placesInGuilds(ports, caller, includesNsfw) : []),
  ]
}

/** Direct messages and groups, and the personal notes, whose channel has the account's own id. */
async function privatePlaces(
  { queries: { privateChannels } }: Pick<Ports, 'queries'>,
  { account }: Caller,
  isClosedToo: boolean,
): Promise<readonly SearchPlace[]> {
  const ids = new Set([channelId(account.id), ...(await privateChannels.openFor(account.id)).map(({ id }) => id)])
  const page_max = 200
  for (
    let page = isClosedToo ? page_max : 0, before: ChannelId | undefined;
    page === page_max && ids.size < directChannels_max;
  ) {
    const cursor = before === undefined ? {} : { before }
    const found = await privateChannels.directOf(account.id, { ...cursor, limit: page_max })
    for (const { id } of found) ids.add(id)
    ;[page, before] = [found.length, found.at(-1)?.id]
  }
  return [...ids].map((id) => ({ channelId: id, from: null }))
}

async function placesInGuilds(ports: Needs, caller: Caller, withNsfw: boolean): Promise<readonly SearchPlace[]> {
  const hasThreads = viewerOf(caller).threadAccess
  const threadsIn = async (guild: GuildId) => (hasThreads ? ports.queries.threads.activeOf(guild) : [])
  const found = await ports.queries.guilds.ofMember(caller.account.id, { limit: guilds_max })
  const places: SearchPlace[] = []
  for (const { guild, member } of found)
    if (!isUnavailable(guild, isStaff(caller.account)))
      places.push(
        ...(await readableIn(ports, caller, { guild, member }, { threads: await threadsIn(guild.id), withNsfw })),
      )
  return places
}
