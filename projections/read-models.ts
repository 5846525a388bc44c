import type { AllQueries } from '../application/ports.ts'
import type { Queries } from '../application/ports/database.ts'
import { erasureQueries } from './accounts/erasure-queries.ts'
import { passkeyQueries } from './accounts/passkey-queries.ts'
import { accountSearchProjection } from './account-search/projector.ts'
import { accountSearchQueries } from './account-search/queries.ts'
import { premiumQueries } from './accounts/premium-queries.ts'
import { accountsProjection } from './accounts/projector.ts'
import { accountQueries } from './accounts/queries.ts'
import { sessionQueries } from './accounts/session-queries.ts'
import { adminAuditLogProjection } from './admin-audit-log/projector.ts'
import { adminAuditQueries } from './admin-audit-log/queries.ts'
import { adminKeysProjection } from './admin-keys/projector.ts'
import { adminKeyQueries } from './admin-keys/queries.ts'
import { applicationsProjection } from './applications/projector.ts'
import { applicationQueries } from './applications/queries.ts'
import { blocklistsProjection } from './blocklists/projector.ts'
import { blocklistQueries } from './blocklists/queries.ts'
import { discoveryProjection } from './discovery/projector.ts'
import { discoveryQueries } from './discovery/queries.ts'
import { expressionsProjection } from './expressions/projector.ts'
import { expressionQueries } from './expressions/queries.ts'
import { giftsProjection } from './gifts/projector.ts'
import { giftQueries } from './gifts/queries.ts'
import { reviewQueries } from './discovery/review-queries.ts'
import { directorySearchQueries } from './discovery/search-queries.ts'
import { guildAuditLogProjection } from './guild-audit-log/projector.ts'
import { auditLogQueries } from './guild-audit-log/queries.ts'
import { guildBansProjection } from './guild-bans/projector.ts'
import { guildBanQueries } from './guild-bans/queries.ts'
import { guildsProjection } from './guilds/projector.ts'
import { guildQueries } from './guilds/queries.ts'
import { guildSearchProjection } from './guild-search/projector.ts'
import { guildSearchQueries } from './guild-search/queries.ts'
import { historyProjection } from './history/projector.ts'
import { historyQueries } from './history/queries.ts'
import { imageQueries } from './images/queries.ts'
import { invitesProjection } from './invites/projector.ts'
import { inviteQueries } from './invites/queries.ts'
import { membersProjection } from './members/projector.ts'
import { memberQueries } from './members/queries.ts'
import { networkBansProjection } from './network-bans/projector.ts'
import { networkBanQueries } from './network-bans/queries.ts'
import { oauth2Projection } from './oauth2/projector.ts'
import { oauth2Queries } from './oauth2/queries.ts'
import { privateChannelsProjection } from './private-channels/projector.ts'
import { privateChannelQueries } from './private-channels/queries.ts'
import { registrationUrlsProjection } from './registration-urls/projector.ts'
import { registrationQueries } from './registration-urls/queries.ts'
import { relationshipsProjection } from './relationships/projector.ts'
import { relationshipQueries } from './relationships/queries.ts'
import { reportsProjection } from './reports/projector.ts'
import { reportQueries } from './reports/queries.ts'
import { positionHeldBy, positionQueries } from './runner/position-queries.ts'
import type { Projection } from './runner/projection.ts'
import { storePurchasesProjection } from './store-purchases/projector.ts'
import { storePurchaseQueries } from './store-purchases/queries.ts'
import { threadsProjection } from './threads/projector.ts'
import { threadQueries } from './threads/queries.ts'
import { unfinishedProjection } from './unfinished/projector.ts'
import { unfinishedQueries } from './unfinished/queries.ts'
import { userChangeLogProjection } from './user-change-log/projector.ts'
import { userChangeLogQueries } from './user-change-log/queries.ts'
import { userSettingsProjection } from './user-settings/projector.ts'
import { userSettingsQueries } from './user-settings/queries.ts'
import { webhooksProjection } from './webhooks/projector.ts'
import { webhookQueries } from './webhooks/queries.ts'

/** All read models, each in its folder. */
export const readModels: readonly Projection[] = [
  accountsProjection,
  accountSearchProjection,
  adminAuditLogProjection,
  adminKeysProjection,
  applicationsProjection,
  blocklistsProjection,
  discoveryProjection,
  expressionsProjection,
  giftsProjection,
  guildsProjection,
  guildBansProjection,
  guildSearchProjection,
  membersProjection,
  oauth2Projection,
  invitesProjection,
  guildAuditLogProjection,
  historyProjection,
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
  webhooksProjection,
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

/** The names of the read models that take events of a type. */
export function readModelsOf(type: string): readonly string[] {
  return readModels.filter(({ handles, takesEvery }) => takesEvery || handles.includes(type)).map(({ name }) => name)
}

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
    expressions: expressionQueries(database),
    blocklists: blocklistQueries(database),
    gifts: giftQueries(database),
    guildBans: guildBanQueries(database),
    guilds: guildQueries(database),
    guildSearch: guildSearchQueries(database),
    history: historyQueries(database, readModelsOf),
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
    webhooks: webhookQueries(database),
  }
}
