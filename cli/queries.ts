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
import { guildBanQueries } from '../projections/guild-bans/queries.js'
import { guildQueries } from '../projections/guilds/queries.js'
import { imageQueries } from '../projections/images/queries.js'
import { inviteQueries } from '../projections/invites/queries.js'
import { memberQueries } from '../projections/members/queries.js'
import { privateChannelQueries } from '../projections/private-channels/queries.js'
import { registrationQueries } from '../projections/registration-urls/queries.js'
import { relationshipQueries } from '../projections/relationships/queries.js'
import { oauth2Queries } from '../projections/oauth2/queries.js'
import { sessionQueries } from '../projections/accounts/session-queries.js'
import { threadQueries } from '../projections/threads/queries.js'
import { positionQueries } from '../projections/runner/position-queries.js'
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
    guildBans: guildBanQueries(database),
    guilds: guildQueries(database),
    images: imageQueries(database),
    invites: inviteQueries(database),
    members: memberQueries(database),
    oauth2: oauth2Queries(database),
    sessions: sessionQueries(database),
    passkeys: passkeyQueries(database),
    positions: positionQueries(database),
    privateChannels: privateChannelQueries(database),
    registrations: registrationQueries(database),
    relationships: relationshipQueries(database),
    threads: threadQueries(database),
    unfinished: unfinishedQueries(database),
    userSettings: userSettingsQueries(database),
  }
}
