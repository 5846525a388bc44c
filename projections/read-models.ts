import { accountsProjection } from './accounts/projector.js'
import { adminAuditLogProjection } from './admin-audit-log/projector.js'
import { adminKeysProjection } from './admin-keys/projector.js'
import { applicationsProjection } from './applications/projector.js'
import { blocklistsProjection } from './blocklists/projector.js'
import { guildAuditLogProjection } from './guild-audit-log/projector.js'
import { guildBansProjection } from './guild-bans/projector.js'
import { guildsProjection } from './guilds/projector.js'
import { invitesProjection } from './invites/projector.js'
import { membersProjection } from './members/projector.js'
import { networkBansProjection } from './network-bans/projector.js'
import { privateChannelsProjection } from './private-channels/projector.js'
import { registrationUrlsProjection } from './registration-urls/projector.js'
import { relationshipsProjection } from './relationships/projector.js'
import { oauth2Projection } from './oauth2/projector.js'
import type { Projection } from './runner/projection.js'
import { threadsProjection } from './threads/projector.js'
import { unfinishedProjection } from './unfinished/projector.js'
import { userSettingsProjection } from './user-settings/projector.js'

/** All read models, each in its folder. */
export const readModels: readonly Projection[] = [
  accountsProjection,
  adminAuditLogProjection,
  adminKeysProjection,
  applicationsProjection,
  blocklistsProjection,
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
  threadsProjection,
  unfinishedProjection,
  userSettingsProjection,
]
