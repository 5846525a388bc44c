import type { PayloadMembers } from './member-kinds.js'
import {
  account,
  emailAddress,
  handle,
  registrationUrl,
  relationship,
  singleSignOnIdentity,
  userGuildSettings,
  userSettings,
} from './of-accounts.js'
import { guild, guildAudit, invite, membership } from './of-guilds.js'
import { directChannel, privateChannel } from './of-private-channels.js'
import {
  adminAudit,
  adminKey,
  application,
  blocklistEntry,
  instance,
  networkBan,
  oauth2Authorization,
} from './of-the-instance.js'
import { thread } from './of-threads.js'

/** What the events of each category must hold. */
export const payloadMembers: PayloadMembers = {
  account,
  admin_audit: adminAudit,
  admin_key: adminKey,
  application,
  blocklist_entry: blocklistEntry,
  direct_channel: directChannel,
  email_address: emailAddress,
  guild,
  guild_audit: guildAudit,
  handle,
  instance,
  invite,
  membership,
  network_ban: networkBan,
  private_channel: privateChannel,
  registration_url: registrationUrl,
  relationship,
  single_sign_on_identity: singleSignOnIdentity,
  thread,
  user_guild_settings: userGuildSettings,
  user_settings: userSettings,
  oauth2_authorization: oauth2Authorization,
}
