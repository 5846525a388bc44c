import { account } from './account/account.ts'
import { adminAudit } from './admin-audit/admin-audit.ts'
import { adminKey } from './admin-key/admin-key.ts'
import { application } from './application/application.ts'
import { blocklistEntry } from './blocklist-entry/blocklist-entry.ts'
import { directChannel } from './direct-channel/direct-channel.ts'
import { discoveryApplication } from './discovery-application/discovery-application.ts'
import { emailAddress } from './email-address/email-address.ts'
import { gift } from './gift/gift.ts'
import { guild } from './guild/guild.ts'
import { guildAudit } from './guild-audit/guild-audit.ts'
import { guildExpressions } from './guild-expressions/guild-expressions.ts'
import { handle } from './handle/handle.ts'
import { instance } from './instance/instance.ts'
import { invite } from './invite/invite.ts'
import { membership } from './membership/membership.ts'
import { networkBan } from './network-ban/network-ban.ts'
import { oauth2Authorization } from './oauth2-authorization/oauth2-authorization.ts'
import { privateChannel } from './private-channel/private-channel.ts'
import { registrationUrl } from './registration-url/registration-url.ts'
import { relationship } from './relationship/relationship.ts'
import { report } from './report/report.ts'
import { singleSignOnIdentity } from './single-sign-on-identity/single-sign-on-identity.ts'
import { storePurchase } from './store-purchase/store-purchase.ts'
import { thread } from './thread/thread.ts'
import { userGuildSettings } from './user-guild-settings/user-guild-settings.ts'
import { userSettings } from './user-settings/user-settings.ts'
import { webhook } from './webhook/webhook.ts'
import type { EventCatalog, EventOf } from './kernel/event-catalog.ts'

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
  guildExpressions,
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
  webhook,
}

type Definitions = typeof aggregates
/** The names by which the application has them: that of the category, in camel case. */
export type AggregateName = keyof Definitions
export type StateOf<Name extends AggregateName> = Definitions[Name]['initial']
export type CommandOf<Name extends AggregateName> = Parameters<Definitions[Name]['decide']>[1]
export type EventsOf<Name extends AggregateName> = EventOf<Definitions[Name]['events']>

/** Every event that there is. */
export type AnyEvent = { readonly [Name in AggregateName]: EventsOf<Name> }[AggregateName]

export const aggregateNames = Object.keys(aggregates) as readonly AggregateName[]

/** What the names of an aggregate's streams begin with: `<category>-<id>`. */
export type Category = Definitions[AggregateName]['category']

export const categories: readonly Category[] = Object.values(aggregates).map(({ category }) => category)

/** What a store knows of the events of each category. One that is left out can be neither appended to nor read. */
export type EventCatalogs = Readonly<Partial<Record<Category, EventCatalog>>>

/** The definitions of every event that there is. */
export const eventCatalogs = Object.fromEntries(
  Object.values(aggregates).map((definition): [Category, EventCatalog] => [definition.category, definition]),
) as Readonly<Record<Category, EventCatalog>>
