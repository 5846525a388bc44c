import type { AdminExample } from './admin-example.ts'
import { found } from './answers.ts'

/** A read of something below a guild: it succeeds for a new guild, and is refused for an unknown one. */
function listOf(below: string): AdminExample {
  return {
    succeeds: async ({ guildhall, admin }) => ({
      path: `/v1/admin/guilds/${(await found(guildhall, admin)).id}/${below}`,
    }),
    refused: () => ({ path: `/v1/admin/guilds/1/${below}`, status: 404 }),
  }
}

/** The examples of what administrators read of guilds. */
export const guildReadExamples: Readonly<Record<string, AdminExample>> = {
  'List Admin guilds': {
    succeeds: () => ({ path: '/v1/admin/guilds?q=home' }),
    refused: () => ({ path: '/v1/admin/guilds?limit=0', status: 400 }),
  },
  'Get Admin guild': {
    succeeds: async ({ guildhall, admin }) => ({ path: `/v1/admin/guilds/${(await found(guildhall, admin)).id}` }),
    refused: () => ({ path: '/v1/admin/guilds/none', status: 400 }),
  },
  'List Admin guild members': listOf('members'),
  'List Admin guild channels': listOf('channels'),
  'List Admin guild roles': listOf('roles'),
  'List Admin guild invites': listOf('invites'),
  'List Admin guild bans': listOf('bans'),
}
