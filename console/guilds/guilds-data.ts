import { call } from '../api/call.ts'
import { withIds, type Resource } from '../lists/resource.ts'

/** Guilds. */
export const guilds: Resource = {
  pagedBy: 'listAdminGuilds',
  list: async ({ filter, limit, offset }) => {
    const { guilds: found, total } = await call('listAdminGuilds', { query: { ...filter, limit, offset } })
    return { data: withIds(found, ({ id }) => id), total }
  },
  one: async (id) => (await call('getAdminGuild', { path: { guild_id: id } })).guild,
}
