import { z } from 'zod'
import {
  searchScopes,
  type MessageSearchWish,
} from '../../../../application/conversations/search/message-search-wish.ts'
import { messageSchema } from '../../../../application/wire-objects/conversations/message-objects.ts'
import { soughtEmbedTypes, soughtKinds } from '../../../../domain/messages/search-terms.ts'
import { anyChannel } from '../communities/any-channel/any-channel.ts'
import { accountIdInput, channelIdInput, guildIdInput, orNull, snowflakeInput, withDefault } from '../scalars.ts'

const ids_max = 100
const channels_max = 500
const hits_max = 25

const text = (length_max: number) => z.string().min(1).max(length_max)
const list = <S extends z.ZodType>(item: S, entries_max: number) => withDefault(z.array(item).max(entries_max), [])

const accountIds = list(accountIdInput, ids_max)
const kinds = list(z.enum(soughtKinds), 20)
const embedTypes = list(z.enum(soughtEmbedTypes), 20)
const providers = list(text(256), 50)
const hosts = list(text(255), 100)
const filenames = list(text(1024), 100)
const extensions = list(text(32), 50)
const authors = list(z.enum(['user', 'bot', 'webhook']), 20)
/** Without any, all are searched. */
const channelIds = list(channelIdInput, channels_max)

/** The body of Search messages. */
export const messageSearchInput = z
  .object({
    scope: withDefault(z.enum(searchScopes), 'current').meta({
      description:
        'Where to search. Of guilds at most 200, of direct messages the newest 2,000. Bots can search in `current` alone.',
    }),
    context_guild_id: orNull(guildIdInput).meta({ description: 'Of the scope `current`: the guild.' }),
    context_channel_id: orNull(channelIdInput).meta({
      description: 'Of the scope `current`: the channel, without a guild.',
    }),
    channel_ids: channelIds.meta({ description: 'Only these channels; an empty list asks for all.' }),
    channel_id: channelIds.meta({ description: 'Another name of channel_ids.' }),
    exclude_channel_id: list(channelIdInput, channels_max).meta({ description: 'None of these channels.' }),
    hits_per_page: withDefault(z.int().min(1).max(hits_max), hits_max),
    page: withDefault(z.int().min(1), 1).meta({ description: 'From 1. Those beyond 10,000 messages are empty.' }),
    cursor: z.unknown().optional().meta({ description: 'Ignored.' }),
    min_id: orNull(snowflakeInput).meta({ description: 'Only messages after this one.' }),
    max_id: orNull(snowflakeInput).meta({ description: 'Only messages before this one.' }),
    content: orNull(text(1024)).meta({ description: 'All of these words, in the text or in embeds.' }),
    contents: list(text(1024), 100).meta({ description: 'All words of one of these.' }),
    exact_phrases: list(text(1024), 10).meta({ description: 'All of these, as they are written but for their case.' }),
    author_id: accountIds.meta({ description: 'By one of these.' }),
    exclude_author_id: accountIds.meta({ description: 'By none of these.' }),
    author_type: authors.meta({ description: 'By authors of one of these types.' }),
    exclude_author_type: authors.meta({ description: 'By no author of these types.' }),
    mentions: accountIds.meta({ description: 'Mentions all of these.' }),
    exclude_mentions: accountIds.meta({ description: 'Mentions none of these.' }),
    mention_everyone: orNull(z.boolean()).meta({ description: 'Whether it notifies everyone.' }),
    pinned: orNull(z.boolean()).meta({ description: 'Whether it is pinned.' }),
    has: kinds.meta({ description: 'All of these.' }),
    exclude_has: kinds.meta({ description: 'None of these.' }),
    embed_type: embedTypes.meta({ description: 'An embed of one of these types.' }),
    exclude_embed_type: embedTypes.meta({ description: 'No embed of these types.' }),
    embed_provider: providers.meta({ description: 'A preview of one of these sites, by their names.' }),
    exclude_embed_provider: providers.meta({ description: 'No preview of these sites.' }),
    link_hostname: hosts.meta({ description: 'A link to one of these hosts.' }),
    exclude_link_hostname: hosts.meta({ description: 'No link to these hosts.' }),
    attachment_filename: filenames.meta({ description: 'A file with one of these names.' }),
    exclude_attachment_filename: filenames.meta({ description: 'No file with these names.' }),
    attachment_extension: extensions.meta({ description: 'A file whose name ends so, without the dot.' }),
    exclude_attachment_extension: extensions.meta({ description: 'No file whose name ends so.' }),
    sort_by: withDefault(z.enum(['timestamp', 'relevance']), 'timestamp'),
    sort_order: withDefault(z.enum(['desc', 'asc']), 'desc'),
    include_nsfw: withDefault(z.boolean(), false).meta({ description: 'Age-restricted channels too, for adults.' }),
  })
  .transform((given): MessageSearchWish => ({
    scope: given.scope,
    guildId: given.context_guild_id,
    channelId: given.context_channel_id,
    channelIds: given.channel_ids.length > 0 ? given.channel_ids : given.channel_id,
    excludedChannels: given.exclude_channel_id,
    includesNsfw: given.include_nsfw,
    content: given.content,
    contents: given.contents,
    sought: {
      phrases: given.exact_phrases,
      authors: given.author_id,
      authorTypes: given.author_type,
      mentions: given.mentions,
      has: given.has,
      embedTypes: given.embed_type,
      embedProviders: given.embed_provider,
      linkHosts: given.link_hostname,
      filenames: given.attachment_filename,
      extensions: given.attachment_extension,
    },
    excluded: {
      authors: given.exclude_author_id,
      authorTypes: given.exclude_author_type,
      mentions: given.exclude_mentions,
      has: given.exclude_has,
      embedTypes: given.exclude_embed_type,
      embedProviders: given.exclude_embed_provider,
      linkHosts: given.exclude_link_hostname,
      filenames: given.exclude_attachment_filename,
      extensions: given.exclude_attachment_extension,
    },
    mentionsEveryone: given.mention_everyone,
    pinned: given.pinned,
    after: given.min_id,
    before: given.max_id,
    sort: given.sort_by,
    oldestFirst: given.sort_order === 'asc',
    hitsPerPage: given.hits_per_page,
    page: given.page,
  }))

/** The answer of Search messages. */
export const messageSearchOutput = z.union([
  z.object({
    messages: z
      .array(messageSchema.omit({ referenced_message: true }))
      .readonly()
      .describe('Without the messages that they reply to.'),
    channels: z.array(anyChannel).readonly().describe('The channels of these messages.'),
    total: z.int().describe('How many there are in all. Counted up to 10,000.'),
    hits_per_page: z.int().describe('As it was asked for.'),
    page: z.int().describe('As it was asked for; from 1.'),
  }),
  z.object({ indexing: z.literal(true).describe('The index of a channel is being built: ask again.') }),
])
