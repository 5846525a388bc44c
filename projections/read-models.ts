import type { AllQueries } from '../application/ports.js'
import type { Queries } from '../application/ports/database.js'
import { erasureQueries } from './accounts/erasure-queries.js'
import { passkeyQueries } from './accounts/passkey-queries.js'
import { accountSearchProjection } from './account-search/projector.js'
import { accountSearchQueries } from './account-search/queries.js'
import { premiumQueries } from './accounts/premium-queries.js'
import { accountsProjection } from './accounts/projector.js'
import { accountQueries } from './accounts/queries.js'
import { sessionQueries } from './accounts/session-queries.js'
import { adminAuditLogProjection } from './admin-audit-log/projector.js'
import { adminAuditQueries } from './admin-audit-log/queries.js'
import { adminKeysProjection } from './admin-keys/projector.js'
import { adminKeyQueries } from './admin-keys/queries.js'
import { applicationsProjection } from './applications/projector.js'
import { applicationQueries } from './applications/queries.js'
import { blocklistsProjection } from './blocklists/projector.js'
import { blocklistQueries } from './blocklists/queries.js'
import { discoveryProjection } from './discovery/projector.js'
import { discoveryQueries } from './discovery/queries.js'
import { giftsProjection } from './gifts/projector.js'
import { giftQueries } from './gifts/queries.js'
import { reviewQueries } from './discovery/review-queries.js'
import { directorySearchQueries } from './discovery/search-queries.js'
import { guildAuditLogProjection } from './guild-audit-log/projector.js'
import { auditLogQueries } from './guild-audit-log/queries.js'
import { guildBansProjection } from './guild-bans/projector.js'
import { guildBanQueries } from './guild-bans/queries.js'
import { guildsProjection } from './guilds/projector.js'
import { guildQueries } from './guilds/queries.js'
import { imageQueries } from './images/queries.js'
import { invitesProjection } from './invites/projector.js'
import { inviteQueries } from './invites/queries.js'
import { membersProjection } from './members/projector.js'
import { memberQueries } from './members/queries.js'
import { networkBansProjection } from './network-bans/projector.js'
import { networkBanQueries } from './network-bans/queries.js'
import { oauth2Projection } from './oauth2/projector.js'
import { oauth2Queries } from './oauth2/queries.js'
import { privateChannelsProjection } from './private-channels/projector.js'
import { privateChannelQueries } from './private-channels/queries.js'
import { registrationUrlsProjection } from './registration-urls/projector.js'
import { registrationQueries } from './registration-urls/queries.js'
import { relationshipsProjection } from './relationships/projector.js'
import { relationshipQueries } from './relationships/queries.js'
import { reportsProjection } from './reports/projector.js'
import { reportQueries } from './reports/queries.js'
import { positionHeldBy, positionQueries } from './runner/position-queries.js'
import type { Projection } from './runner/projection.js'
import { storePurchasesProjection } from './store-purchases/projector.js'
import { storePurchaseQueries } from './store-purchases/queries.js'
import { threadsProjection } from './threads/projector.js'
import { threadQueries } from './threads/queries.js'
import { unfinishedProjection } from './unfinished/projector.js'
import { unfinishedQueries } from './unfinished/queries.js'
import { userChangeLogProjection } from './user-change-log/projector.js'
import { userChangeLogQueries } from './user-change-log/queries.js'
import { userSettingsProjection } from './user-settings/projector.js'
import { userSettingsQueries } from './user-settings/queries.js'

/** All read models, each in its folder. */
export const readModels: readonly Projection[] = [
  accountsProjection,
  accountSearchProjection,
  adminAuditLogProjection,
  adminKeysProjection,
  applicationsProjection,
  blocklistsProjection,
  discoveryProjection,
  giftsProjection,
  guildsProjection,
  guildBansProjection,
  membersProjection,
  oauth2Projection,
  invitesProjection,
  guildAuditLogProjection,
  networkBansProjection,
  privateChannelsProjection,
  registrationUrlsProjection,
  relationshipsProjection,
  reportsProjection,
  storePurchasesProjection,
  threadsProjection,
  unfinishedProjection,
  userChangeLogProjection,
  userSettingsProjection,
]

/** By these, requests decide who may write a message and who hears of it. */
const decidingOnMessages: readonly Projection[] = [
  accountsProjection,
  guildBansProjection,
  guildsProjection,
  membersProjection,
  privateChannelsProjection,
  relationshipsProjection,
  threadsProjection,
]

/** The position that these hold, as an expression of SQL. */
export const heldPosition = positionHeldBy(decidingOnMessages)

/** Every query over the read models of one database. */
export function openQueries(database: Queries): AllQueries {
  return {
    accounts: accountQueries(database),
    accountSearch: accountSearchQueries(database),
    adminAudit: adminAuditQueries(database),
    adminKeys: adminKeyQueries(database),
    applications: applicationQueries(database),
    auditLog: auditLogQueries(database),
    directorySearch: directorySearchQueries(database),
    discovery: discoveryQueries(database),
    discoveryReviews: reviewQueries(database),
    erasures: erasureQueries(database),
    blocklists: blocklistQueries(database),
    gifts: giftQueries(database),
    guildBans: guildBanQueries(database),
    guilds: guildQueries(database),
    images: imageQueries(database),
    invites: inviteQueries(database),
    members: memberQueries(database),
    networkBans: networkBanQueries(database),
    oauth2: oauth2Queries(database),
    sessions: sessionQueries(database),
    passkeys: passkeyQueries(database),
    positions: positionQueries(database, decidingOnMessages),
    premium: premiumQueries(database),
    privateChannels: privateChannelQueries(database),
    registrations: registrationQueries(database),
    relationships: relationshipQueries(database),
    reports: reportQueries(database),
    storePurchases: storePurchaseQueries(database),
    threads: threadQueries(database),
    unfinished: unfinishedQueries(database),
    userChangeLog: userChangeLogQueries(database),
    userSettings: userSettingsQueries(database),
  }
}
