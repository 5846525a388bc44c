import { has } from '../../../domain/guild/channel.ts'
import type { ChannelId, GuildId } from '../../../domain/ids/ids.ts'
import { wantedTermsOf } from '../../../domain/messages/search-terms.ts'
import { viewerOf, type Caller } from '../../caller.ts'
import { channelViews } from '../channel-views.ts'
import type { Message } from '../../ports/messages.ts'
import type { MessageSearchQuery } from '../../ports/message-search.ts'
import type { Ports } from '../../ports.ts'
import { typesOfThreads } from '../../wire-objects/conversations/message-objects.ts'
import { messageViews } from '../messages/message-views.ts'
import type { TextChannelNeeds } from '../messages/text-places.ts'
import { privateChannelViews } from '../private-channels/private-channel-views.ts'
import { threadViews } from '../threads/thread-views.ts'
import type { MessageSearchWish } from './message-search-wish.ts'
import { searchPlaces } from './search-places.ts'

type Needs = TextChannelNeeds & Pick<Ports, 'attachmentAddresses' | 'messageSearch' | 'reactions'>

/**
 * A page of the messages that are found, of those alone that the caller may read at this moment, with their channels and how many
 * there are in all; or that the index is still being built. Refuses as `searchPlaces` does. See rules/messages#search.
 */
export function searchMessages(ports: Needs) {
  return async (caller: Caller, wish: MessageSearchWish) => {
    const { hitsPerPage, page } = wish
    const { places, guildId } = await searchPlaces(ports, caller, wish)
    const query = queryOf(caller, wish, { places, guildId })
    const found = query ? await ports.messageSearch.search(query) : nothingFound
    if (found === 'indexing') return { indexing: true as const }
    const views = await messageViews(ports, caller, found.messages, { mayShow: () => false })
    return {
      messages: views.map(({ referenced_message: _, ...message }) => message),
      channels: await channelsOf(ports, caller, found.messages),
      total: found.total_count,
      hits_per_page: hitsPerPage,
      page,
    }
  }
}

const nothingFound = { messages: [], total_count: 0 } as const

/** Undefined if nothing can match: nothing may be read, or a text that is asked for has no word. */
function queryOf(
  caller: Caller,
  wish: MessageSearchWish,
  where: Pick<MessageSearchQuery, 'places' | 'guildId'>,
): MessageSearchQuery | undefined {
  const { content, contents, sought, excluded, excludedChannels, hitsPerPage, page } = wish
  const { mentionsEveryone, pinned, after, before, sort, oldestFirst } = wish
  const texts = [...(content === null ? [] : [content]), ...sought.phrases].map(wantedTermsOf)
  const anyWords = contents.map(wantedTermsOf).filter(({ length }) => length > 0)
  const isHopeless = texts.some(({ length }) => length === 0) || (contents.length > 0 && anyWords.length === 0)
  if (isHopeless || where.places.length === 0) return undefined
  return {
    ...where,
    sought: { ...sought, words: [...new Set(texts.flat())], anyWords },
    excluded,
    excludedChannels,
    withoutTypes: viewerOf(caller).threadAccess ? [] : typesOfThreads,
    mentionsEveryone,
    pinned,
    after,
    before,
    sort,
    oldestFirst,
    offset: (page - 1) * hitsPerPage,
    limit: hitsPerPage,
  }
}

/** The objects of the channels in which messages stand, in the order of the messages. */
async function channelsOf(ports: Needs, caller: Caller, messages: readonly Message[]) {
  const ids = [...new Set(messages.map(({ channelId }) => channelId))]
  const guilds = new Set(messages.flatMap(({ guildId }) => guildId ?? []))
  const inGuilds = await Promise.all([...guilds].map((guild) => guildChannels(ports, caller, guild, ids)))
  const { privateChannels, threads } = ports.queries
  const found = [
    ...inGuilds.flat(),
    ...(guilds.size === 0 ? [] : await threadViews(ports, caller, await threads.findMany(ids))),
    ...(await privateChannelViews(ports, caller, await privateChannels.findMany(ids))),
  ]
  const byId = new Map(found.map((channel) => [String(channel.id), channel]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

async function guildChannels(ports: Needs, caller: Caller, guildId: GuildId, ids: readonly ChannelId[]) {
  const guild = await ports.queries.guilds.find(guildId)
  const channels = guild?.channels.filter(({ id, type }) => has(type, 'messages') && ids.includes(id)) ?? []
  return guild ? channelViews(ports, viewerOf(caller), guild, channels) : []
}
