import type { AdminExample } from './admin-example.ts'
import { found } from './answers.ts'

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
}
