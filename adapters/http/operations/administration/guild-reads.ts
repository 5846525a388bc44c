import { getAdminGuild } from '../../../../application/administration/guilds/read-admin-guild.ts'
import { admin } from '../../callers.ts'
import { operation, type Operation } from '../../operation.ts'
import { foundGuild } from '../../schemas/administration/guild-reads.ts'
import { adminLookup } from './buckets.ts'
import { guildParams, ofGuild } from './of-guilds.ts'

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
export const guildReadOperations: readonly Operation[] = [getAdminGuildOperation]
