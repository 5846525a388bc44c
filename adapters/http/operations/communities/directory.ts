import { z } from 'zod'
import { discoveryCategories } from '../../../../application/communities/discovery/discovery-categories.ts'
import { joinListedGuild } from '../../../../application/communities/discovery/join-listed-guild.ts'
import { searchDirectory } from '../../../../application/communities/discovery/search-directory.ts'
import { perUser } from '../../bucket.ts'
import { accounts } from '../../callers.ts'
import { none, operation, type Operation } from '../../operation.ts'
import { directorySearch, discoveryCategory, foundGuilds } from '../../schemas/communities/discovery.ts'
import { guildIdInput } from '../../schemas/scalars.ts'

const searchOperation = operation({
  name: 'Search discovery guilds',
  description:
    'A page of listed guilds, how many there are, and how many of each category all filters but the category let through.',
  route: 'GET /v1/discovery/guilds',
  callers: accounts({ bots: true }),
  bucket: perUser('discovery:search', { requests: 30, seconds: 10 }),
  query: directorySearch,
  replies: { 200: foundGuilds },
  refuses: ['DISCOVERY_DISABLED'],
  useCase: searchDirectory,
  handle: ({ caller, query: { sort_by: sortBy, limit, offset, query, category, language, tag } }, run) =>
    run(caller, { query, category, language, tag, sortBy }, { limit, offset }),
})

const listCategoriesOperation = operation({
  name: 'List public discovery categories',
  description: 'Lists the categories of the directory, for everybody.',
  route: 'GET /v1/discovery/categories',
  callers: accounts({ bots: true }),
  bucket: perUser('discovery:categories', { requests: 60, seconds: 10 }),
  replies: { 200: z.array(discoveryCategory) },
  handle: () => Promise.resolve(discoveryCategories()),
})

const joinOperation = operation({
  name: 'Join discovery guild',
  description: 'Adds the caller to a listed guild; a member changes nothing.',
  route: 'POST /v1/discovery/guilds/:guild_id/join',
  callers: accounts({ bots: false }),
  bucket: perUser('discovery:join', { requests: 10, seconds: 60 }),
  params: z.object({ guild_id: guildIdInput }),
  replies: { 204: none },
  refuses: [
    'ACCOUNT_LIMITED',
    'DISCOVERY_DISABLED',
    'DISCOVERY_NOT_DISCOVERABLE',
    'FEATURE_TEMPORARILY_DISABLED',
    'INVITES_DISABLED',
    'MAX_GUILDS',
    'MAX_GUILD_MEMBERS',
    'MISSING_ACCESS',
    'UNKNOWN_GUILD',
    'USER_BANNED_FROM_GUILD',
    'USER_IP_BANNED_FROM_GUILD',
  ],
  useCase: joinListedGuild,
  handle: ({ caller, params: { guild_id: guildId } }, run) => run(caller, guildId),
})

/** The guild directory, as everyone sees it. */
export const directoryOperations: readonly Operation[] = [searchOperation, listCategoriesOperation, joinOperation]
