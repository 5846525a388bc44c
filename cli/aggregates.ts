import { aggregateOf, type AggregateSettings } from '../application/aggregates/aggregates.js'
import type { Aggregates } from '../application/ports.js'
import { account } from '../domain/account/account.js'
import { adminAudit } from '../domain/admin-audit/admin-audit.js'
import { adminKey } from '../domain/admin-key/admin-key.js'
import { application } from '../domain/application/application.js'
import { blocklistEntry } from '../domain/blocklist-entry/blocklist-entry.js'
import { directChannel } from '../domain/direct-channel/direct-channel.js'
import { emailAddress } from '../domain/email-address/email-address.js'
import { guildAudit } from '../domain/guild-audit/guild-audit.js'
import { guild } from '../domain/guild/guild.js'
import { handle } from '../domain/handle/handle.js'
import { instance } from '../domain/instance/instance.js'
import { invite } from '../domain/invite/invite.js'
import { membership } from '../domain/membership/membership.js'
import { privateChannel } from '../domain/private-channel/private-channel.js'
import { registrationUrl } from '../domain/registration-url/registration-url.js'
import { networkBan } from '../domain/network-ban/network-ban.js'
import { relationship } from '../domain/relationship/relationship.js'
import { singleSignOnIdentity } from '../domain/single-sign-on-identity/single-sign-on-identity.js'
import { thread } from '../domain/thread/thread.js'
import { userGuildSettings } from '../domain/user-guild-settings/user-guild-settings.js'
import { userSettings } from '../domain/user-settings/user-settings.js'
import { oauth2Authorization } from '../domain/oauth2-authorization/oauth2-authorization.js'

/** Raised whenever the shape of an account's state changes, so that no snapshot of another shape is read. */
const accountStateVersion = 6
const privateChannelStateVersion = 2
const membershipStateVersion = 3
const guildStateVersion = 2

/** Every kind of aggregate over one event store. */
export function openAggregates(settings: AggregateSettings): Aggregates {
  return {
    account: aggregateOf(account, settings, accountStateVersion),
    adminAudit: aggregateOf(adminAudit, settings),
    adminKey: aggregateOf(adminKey, settings),
    application: aggregateOf(application, settings),
    blocklistEntry: aggregateOf(blocklistEntry, settings),
    directChannel: aggregateOf(directChannel, settings),
    emailAddress: aggregateOf(emailAddress, settings),
    guild: aggregateOf(guild, settings, guildStateVersion),
    guildAudit: aggregateOf(guildAudit, settings),
    handle: aggregateOf(handle, settings),
    instance: aggregateOf(instance, settings),
    invite: aggregateOf(invite, settings),
    membership: aggregateOf(membership, settings, membershipStateVersion),
    privateChannel: aggregateOf(privateChannel, settings, privateChannelStateVersion),
    registrationUrl: aggregateOf(registrationUrl, settings),
    networkBan: aggregateOf(networkBan, settings),
    relationship: aggregateOf(relationship, settings),
    singleSignOnIdentity: aggregateOf(singleSignOnIdentity, settings),
    thread: aggregateOf(thread, settings),
    userGuildSettings: aggregateOf(userGuildSettings, settings),
    userSettings: aggregateOf(userSettings, settings),
    oauth2Authorization: aggregateOf(oauth2Authorization, settings, 2),
  }
}
