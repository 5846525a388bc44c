import { account } from './account/account.js'
import { adminAudit } from './admin-audit/admin-audit.js'
import { adminKey } from './admin-key/admin-key.js'
import { application } from './application/application.js'
import { blocklistEntry } from './blocklist-entry/blocklist-entry.js'
import { directChannel } from './direct-channel/direct-channel.js'
import { discoveryApplication } from './discovery-application/discovery-application.js'
import { emailAddress } from './email-address/email-address.js'
import { gift } from './gift/gift.js'
import { guild } from './guild/guild.js'
import { guildAudit } from './guild-audit/guild-audit.js'
import { handle } from './handle/handle.js'
import { instance } from './instance/instance.js'
import { invite } from './invite/invite.js'
import { membership } from './membership/membership.js'
import { networkBan } from './network-ban/network-ban.js'
import { oauth2Authorization } from './oauth2-authorization/oauth2-authorization.js'
import { privateChannel } from './private-channel/private-channel.js'
import { registrationUrl } from './registration-url/registration-url.js'
import { relationship } from './relationship/relationship.js'
import { report } from './report/report.js'
import { singleSignOnIdentity } from './single-sign-on-identity/single-sign-on-identity.js'
import { storePurchase } from './store-purchase/store-purchase.js'
import { thread } from './thread/thread.js'
import { userGuildSettings } from './user-guild-settings/user-guild-settings.js'
import { userSettings } from './user-settings/user-settings.js'
import type { EventCatalog, EventOf } from './kernel/event-catalog.js'

/** Every kind of aggregate. What stores, ports, tests and the reference know of an aggregate, they know from here. */
export const aggregates = {
  account,
  adminAudit,
  adminKey,
  application,
  blocklistEntry,
  directChannel,
  discoveryApplication,
  emailAddress,
  gift,
  guild,
  guildAudit,
  handle,
  instance,
  invite,
  membership,
  networkBan,
  oauth2Authorization,
  privateChannel,
  registrationUrl,
  relationship,
  report,
  singleSignOnIdentity,
  storePurchase,
  thread,
  userGuildSettings,
  userSettings,
}

type Definitions = typeof aggregates
/** The names by which the application has them: that of the category, in camel case. */
export type AggregateName = keyof Definitions
export type StateOf<Name extends AggregateName> = Definitions[Name]['initial']
export type CommandOf<Name extends AggregateName> = Parameters<Definitions[Name]['decide']>[1]
export type EventsOf<Name extends AggregateName> = EventOf<Definitions[Name]['events']>

export const aggregateNames = Object.keys(aggregates) as readonly AggregateName[]

/** What the names of an aggregate's streams begin with: `<category>-<id>`. */
export type Category = Definitions[AggregateName]['category']

export const categories: readonly Category[] = Object.values(aggregates).map(({ category }) => category)

/** What a store knows of the events of each category. One that is left out can be neither appended to nor read. */
export type EventCatalogs = Readonly<Partial<Record<Category, EventCatalog>>>

/** Every event that there is. */
export const eventCatalogs = Object.fromEntries(
  Object.values(aggregates).map((definition): [Category, EventCatalog] => [definition.category, definition]),
) as Readonly<Record<Category, EventCatalog>>
