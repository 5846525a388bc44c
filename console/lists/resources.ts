import { adminAudit, guildAudit } from '../audit/audit-data.ts'
import { directory, listings } from '../directory/directory-data.ts'
import { guilds } from '../guilds/guilds-data.ts'
import { historyEvents } from '../history/events-data.ts'
import { reports } from '../reports/reports-data.ts'
import { users } from '../users/users-data.ts'
import type { Resource } from './resource.ts'

/** Everything that the console lists, by the name that stands in its addresses. */
export const resources: Readonly<Record<string, Resource>> = {
  users,
  guilds,
  reports,
  directory,
  listings,
  history: historyEvents,
  audit: adminAudit,
  'guild-audit': guildAudit,
}
