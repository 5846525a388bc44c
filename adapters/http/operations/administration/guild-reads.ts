import { listAdminGuilds } from '../../../../application/administration/guilds/list-admin-guilds.ts'
import { getAdminGuild } from '../../../../application/administration/guilds/read-admin-guild.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { foundGuild, listedGuilds, wantedGuilds } from '../../schemas/administration/guild-reads.ts'
import { adminLookup } from './buckets.ts'
import { guildParams, ofGuild } from './of-guilds.ts'

const listAdminGuildsOperation = operation({
  name: 'List Admin guilds',
  description:
    'Guilds by a part of their name, custom invite code, or tags and description in the directory, oldest first; the one with this id comes first. All without a text.',
  route: 'GET /v1/admin/guilds',
  callers: admin({ acls: ['guild:lookup'] }),
  bucket: adminLookup,
  query: wantedGuilds,
  replies: { 200: listedGuilds },
  adminAudit: {
    action: 'list_guilds',
    target: 'guild',
    metadata: ({ query: { text, page } }, { guilds, total }) => ({
      result_count: String(guilds.length),
      total: String(total),
      limit: String(page.limit),
      offset: String(page.offset),
      has_query: String(text !== ''),
    }),
  },
  refuses: ['FEATURE_TEMPORARILY_DISABLED'],
  useCase: listAdminGuilds,
  handle: ({ query: { text, page } }, run) => run(text, page),
})

/** An unknown guild is null, and recorded too. */
const getAdminGuildOperation = operation({
  name: 'Get Admin guild',
  description: 'A guild with its settings, its application to the directory and its counts; null for an unknown one.',
  route: 'GET /v1/admin/guilds/:guild_id',
  callers: admin({ acls: ['guild:lookup'] }),
  bucket: adminLookup,
  params: guildParams,
  replies: { 200: foundGuild },
  adminAudit: {
    action: 'get_guild',
    ...ofGuild,
    metadata: (_, { guild }) => ({ found: String(guild !== null) }),
  },
  useCase: getAdminGuild,
  handle: async ({ caller, params }, run) => ({ guild: await run(caller, params.guild_id) }),
})

/** What administrators read of guilds. */
export const guildReadOperations: readonly Operation[] = [listAdminGuildsOperation, getAdminGuildOperation]
