import type { Queries } from '../application/ports/database.js'
import type { AllQueries } from '../application/ports.js'
import { passkeyQueries } from '../projections/accounts/passkey-queries.js'
import { erasureQueries } from '../projections/accounts/erasure-queries.js'
import { accountQueries } from '../projections/accounts/queries.js'
import { adminAuditQueries } from '../projections/admin-audit-log/queries.js'
import { adminKeyQueries } from '../projections/admin-keys/queries.js'
import { applicationQueries } from '../projections/applications/queries.js'
import { auditLogQueries } from '../projections/guild-audit-log/queries.js'
import { blocklistQueries } from '../projections/blocklists/queries.js'
import { guildQueries } from '../projections/guilds/queries.js'
import { inviteQueries } from '../projections/invites/queries.js'
import { memberQueries } from '../projections/members/queries.js'
import { registrationQueries } from '../projections/registration-urls/queries.js'
import { oauth2Queries } from '../projections/oauth2/queries.js'
import { sessionQueries } from '../projections/accounts/session-queries.js'
import { unfinishedQueries } from '../projections/unfinished/queries.js'
import { userSettingsQueries } from '../projections/user-settings/queries.js'

/** Every query over the read models of one database. */
export function openQueries(database: Queries): AllQueries {
  return {
    accounts: accountQueries(database),
    adminAudit: adminAuditQueries(database),
    adminKeys: adminKeyQueries(database),
    applications: applicationQueries(database),
    auditLog: auditLogQueries(database),
    erasures: erasureQueries(database),
    blocklists: blocklistQueries(database),
    guilds: guildQueries(database),
    invites: inviteQueries(database),
    members: memberQueries(database),
    oauth2: oauth2Queries(database),
    sessions: sessionQueries(database),
    passkeys: passkeyQueries(database),
    registrations: registrationQueries(database),
    unfinished: unfinishedQueries(database),
    userSettings: userSettingsQueries(database),
  }
}
