import type { PayloadMembers } from './member-kinds.js'
import {
  account,
  emailAddress,
  handle,
  registrationUrl,
  singleSignOnIdentity,
  userGuildSettings,
  userSettings,
} from './of-accounts.js'
import { guild, invite, membership } from './of-guilds.js'
import {
  adminAudit,
  adminKey,
  application,
  blocklistEntry,
  instance,
  networkBan,
  oauth2Authorization,
} from './of-the-instance.js'

/** What the events of each category must hold. */
export const payloadMembers: PayloadMembers = {
  account,
  admin_audit: adminAudit,
  admin_key: adminKey,
  application,
  blocklist_entry: blocklistEntry,
  email_address: emailAddress,
  guild,
  handle,
  instance,
  invite,
  membership,
  network_ban: networkBan,
  registration_url: registrationUrl,
  single_sign_on_identity: singleSignOnIdentity,
  user_guild_settings: userGuildSettings,
  user_settings: userSettings,
  oauth2_authorization: oauth2Authorization,
}
