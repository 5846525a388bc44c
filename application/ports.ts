import type { AggregateName, CommandOf, StateOf } from '../domain/aggregates.js'
import type { Aggregate } from './aggregates/aggregates.js'
import type { Reservations } from './ports/reservations.js'
import type { DeferredTasks } from './ports/deferred-tasks.js'
import type { AddressList } from './content-rules/address-list.js'
import type { Allowances } from './ports/allowances.js'
import type { AuthorMessages } from './ports/author-messages.js'
import type { Archives } from './ports/archives.js'
import type { BackgroundJobs } from './ports/background-jobs.js'
import type { DiscoveryClaims } from './ports/discovery-claims.js'
import type { Images } from './ports/images.js'
import type { InstancePolicies } from './ports/instance-policy.js'
import type { Jobs } from './ports/jobs.js'
import type { Limits } from './ports/limits.js'
import type { TestMailServer } from './ports/mail-server-test.js'
import type { Locks } from './ports/locks.js'
import type { Mail } from './ports/mail.js'
import type { Messages } from './ports/messages.js'
import type { NetworkLookups } from './ports/network-lookups.js'
import type { OpenIdProvider } from './ports/openid-provider.js'
import type { Passkeys } from './ports/passkeys.js'
import type { PersonalDataKeys } from './ports/personal-data-keys.js'
import type { Passwords } from './ports/passwords.js'
import type { Presence } from './ports/presence.js'
import type { AccountQueries } from './ports/queries/account-queries.js'
import type { AccountSearchQueries } from './ports/queries/account-search-queries.js'
import type { ErasureQueries } from './ports/queries/erasure-queries.js'
import type { AdminAuditQueries } from './ports/queries/admin-audit-queries.js'
import type { AdminKeyQueries } from './ports/queries/admin-key-queries.js'
import type { ApplicationQueries } from './ports/queries/application-queries.js'
import type { AuditLogQueries } from './ports/queries/audit-log-queries.js'
import type { BlocklistQueries } from './ports/queries/blocklist-queries.js'
import type { DirectorySearchQueries } from './ports/queries/directory-search-queries.js'
import type { DiscoveryQueries } from './ports/queries/discovery-queries.js'
import type { GiftQueries } from './ports/queries/gift-queries.js'
import type { GuildBanQueries } from './ports/queries/guild-ban-queries.js'
import type { GuildQueries } from './ports/queries/guild-queries.js'
import type { ImageQueries } from './ports/queries/image-queries.js'
import type { InviteQueries } from './ports/queries/invite-queries.js'
import type { MemberQueries } from './ports/queries/member-queries.js'
import type { NetworkBanQueries } from './ports/queries/network-ban-queries.js'
import type { OAuth2Queries } from './ports/queries/oauth2-queries.js'
import type { ReviewQueries } from './ports/queries/review-queries.js'
import type { SessionQueries } from './ports/queries/session-queries.js'
import type { PasskeyQueries } from './ports/queries/passkey-queries.js'
import type { PositionQueries } from './ports/queries/position-queries.js'
import type { PremiumQueries } from './ports/queries/premium-queries.js'
import type { PrivateChannelQueries } from './ports/queries/private-channel-queries.js'
import type { RegistrationQueries } from './ports/queries/registration-queries.js'
import type { ThreadQueries } from './ports/queries/thread-queries.js'
import type { RelationshipQueries } from './ports/queries/relationship-queries.js'
import type { ReportQueries } from './ports/queries/report-queries.js'
import type { StorePurchaseQueries } from './ports/queries/store-purchase-queries.js'
import type { UnfinishedQueries } from './ports/queries/unfinished-queries.js'
import type { UserChangeLogQueries } from './ports/queries/user-change-log-queries.js'
import type { UserSettingsQueries } from './ports/queries/user-settings-queries.js'
import type { ReadModels } from './ports/read-models.js'
import type { SessionActivity } from './ports/session-activity.js'
import type { SessionHandovers } from './ports/session-handovers.js'
import type { Reminders } from './ports/reminders.js'
import type { SnapshotStore } from './ports/snapshots.js'
import type { StartedSessions } from './ports/started-sessions.js'
import type { SudoProofs } from './ports/sudo-proofs.js'
import type { SealedBox } from './secrets/sealed-box.js'
import type { Stores } from './ports/stores.js'
import type { Totp } from './ports/totp.js'
import type { Tickets } from './ports/tickets.js'

/** Every kind of aggregate, as `domain/aggregates.ts` lists them. */
export type Aggregates = {
  readonly [Name in AggregateName]: Aggregate<StateOf<Name>, CommandOf<Name>>
}

/** The queries of all read models. */
export interface AllQueries {
  readonly accounts: AccountQueries
  readonly accountSearch: AccountSearchQueries
  readonly adminAudit: AdminAuditQueries
  readonly adminKeys: AdminKeyQueries
  readonly applications: ApplicationQueries
  readonly auditLog: AuditLogQueries
  readonly directorySearch: DirectorySearchQueries
  readonly discovery: DiscoveryQueries
  readonly discoveryReviews: ReviewQueries
  readonly erasures: ErasureQueries
  readonly blocklists: BlocklistQueries
  readonly gifts: GiftQueries
  readonly guildBans: GuildBanQueries
  readonly guilds: GuildQueries
  readonly images: ImageQueries
  readonly invites: InviteQueries
  readonly members: MemberQueries
  readonly networkBans: NetworkBanQueries
  readonly oauth2: OAuth2Queries
  readonly sessions: SessionQueries
  readonly passkeys: PasskeyQueries
  readonly positions: PositionQueries
  readonly premium: PremiumQueries
  readonly privateChannels: PrivateChannelQueries
  readonly registrations: RegistrationQueries
  readonly relationships: RelationshipQueries
  readonly reports: ReportQueries
  readonly storePurchases: StorePurchaseQueries
  readonly threads: ThreadQueries
  readonly unfinished: UnfinishedQueries
  readonly userChangeLog: UserChangeLogQueries
  readonly userSettings: UserSettingsQueries
}

/** The operator's settings. */
export interface Instance {
  /** The service's own name, in lower case. Usernames and custom codes may not contain it. */
  readonly serviceName: string
  readonly version: string
  /** The base of URLs in answers, without a slash at the end. */
  readonly publicUrl: string
  /** The base of the URLs that people are sent to, without a slash at the end: the server's own pages, or a client of the operator's. */
  readonly webappUrl: string
  /** The origins of clients that the operator has named (CORS_ORIGINS). */
  readonly clientOrigins: readonly string[]
  /** The Gateway's URL. Every answer that names it uses this same text. */
  readonly gatewayUrl: string
  /** True for the hosted service, false for a self-hosted instance. */
  readonly hosted: boolean
}

/** All ports of the use cases. A use case takes the few that it needs. */
export interface Ports {
  readonly aggregates: Aggregates
  readonly queries: AllQueries
  readonly readModels: ReadModels
  readonly locks: Locks
  readonly reservations: Reservations
  readonly limits: Limits
  readonly deferred: DeferredTasks
  readonly allowances: Allowances
  readonly archives: Archives
  /** Seals what links to archives say. */
  readonly archiveLinkBox: SealedBox
  readonly backgroundJobs: BackgroundJobs
  readonly discoveryClaims: DiscoveryClaims
  readonly jobs: Jobs
  readonly presence: Presence
  readonly passkeys: Passkeys
  readonly passwords: Passwords
  /** For erasure: nothing else destroys a key. */
  readonly personalDataKeys: Pick<PersonalDataKeys, 'destroy'>
  readonly sessionActivity: SessionActivity
  readonly sessionHandovers: SessionHandovers
  readonly snapshots: Pick<SnapshotStore, 'forget'>
  readonly reminders: Reminders
  readonly startedSessions: StartedSessions
  readonly sudoProofs: SudoProofs
  readonly totp: Totp
  readonly tickets: Tickets
  readonly mail: Mail
  readonly messages: Messages
  readonly networkLookups: NetworkLookups
  readonly authorMessages: AuthorMessages
  readonly testMailServer: TestMailServer
  /** A keyed hash of a normalised e-mail address, in hex: the id of the address's stream. */
  readonly addressHash: (address: string) => string
  /** A keyed hash of issuer and subject at an OpenID provider, in hex: the id of the identity's stream. */
  readonly identityHash: (issuer: string, subject: string) => string
  readonly openIdProvider: OpenIdProvider
  /** A keyed hash, in hex. It chains the entries of the admin audit log. */
  readonly adminAuditHash: (text: string) => string
  /** Hashes blocklist values to entry ids, and seals personal values. */
  readonly blocklistBox: SealedBox
  /** Hashes gift codes to the ids of gifts, and seals them. */
  readonly giftBox: SealedBox
  /** A keyed hash, in hex, of what names a purchase in its store, and of its secrets: the id of the purchase's stream. */
  readonly storeHash: (text: string) => string
  /** Seals what jobs keep of notifications: they name purchases. */
  readonly storeBox: SealedBox
  readonly stores: Stores
  /** Addresses that are never banned: private networks and trusted proxies. */
  readonly isProtectedAddress: AddressList
  readonly images: Images
  readonly instance: Instance
  readonly instancePolicies: InstancePolicies
}
