import { accountEvents } from '../../domain/account/events.js'
import { adminAuditEvents } from '../../domain/admin-audit/events.js'
import { adminKeyEvents } from '../../domain/admin-key/events.js'
import { applicationEvents } from '../../domain/application/events.js'
import { blocklistEntryEvents } from '../../domain/blocklist-entry/events.js'
import { directChannelEvents } from '../../domain/direct-channel/events.js'
import { emailAddressEvents } from '../../domain/email-address/events.js'
import { guildAuditEvents } from '../../domain/guild-audit/events.js'
import { guildEvents } from '../../domain/guild/events.js'
import { handleEvents } from '../../domain/handle/events.js'
import { instanceEvents } from '../../domain/instance/events.js'
import { inviteEvents } from '../../domain/invite/events.js'
import type { EventCatalog } from '../../domain/kernel/event-catalog.js'
import type { Category } from '../../domain/kernel/streams.js'
import { membershipEvents } from '../../domain/membership/events.js'
import { networkBanEvents } from '../../domain/network-ban/events.js'
import { privateChannelEvents } from '../../domain/private-channel/events.js'
import { registrationUrlEvents } from '../../domain/registration-url/events.js'
import { relationshipEvents } from '../../domain/relationship/events.js'
import { singleSignOnIdentityEvents } from '../../domain/single-sign-on-identity/events.js'
import { threadEvents } from '../../domain/thread/events.js'
import { userGuildSettingsEvents } from '../../domain/user-guild-settings/events.js'
import { userSettingsEvents } from '../../domain/user-settings/events.js'
import { oauth2AuthorizationEvents } from '../../domain/oauth2-authorization/events.js'

/** The catalog of each category. One without a catalog can be neither appended to nor read. */
export type EventCatalogs = Readonly<Partial<Record<Category, EventCatalog>>>

/** Every event that the store can hold. */
export const eventCatalogs: EventCatalogs & Readonly<Record<Category, EventCatalog>> = {
  account: accountEvents,
  admin_audit: adminAuditEvents,
  admin_key: adminKeyEvents,
  application: applicationEvents,
  blocklist_entry: blocklistEntryEvents,
  direct_channel: directChannelEvents,
  email_address: emailAddressEvents,
  guild: guildEvents,
  guild_audit: guildAuditEvents,
  handle: handleEvents,
  instance: instanceEvents,
  invite: inviteEvents,
  membership: membershipEvents,
  network_ban: networkBanEvents,
  private_channel: privateChannelEvents,
  registration_url: registrationUrlEvents,
  relationship: relationshipEvents,
  single_sign_on_identity: singleSignOnIdentityEvents,
  thread: threadEvents,
  user_guild_settings: userGuildSettingsEvents,
  user_settings: userSettingsEvents,
  oauth2_authorization: oauth2AuthorizationEvents,
}
