import type { AggregateName, CommandOf, StateOf } from '../domain/aggregates.ts'
import type { Aggregate } from './aggregates/aggregates.ts'
import type { AccountNotes } from './ports/account-notes.ts'
import type { RecentMentions } from './ports/recent-mentions.ts'
import type { SavedMessages } from './ports/saved-messages.ts'
import type { Reservations } from './ports/reservations.ts'
import type { DeferredTasks } from './ports/deferred-tasks.ts'
import type { AddressList } from './content-rules/address-list.ts'
import type { ContentFilter } from './content-rules/content-filter.ts'
import type { Allowances } from './ports/allowances.ts'
import type { AuthorMessages } from './ports/author-messages.ts'
import type { Archives } from './ports/archives.ts'
import type { AttachmentAddresses, AttachmentFiles } from './ports/attachments.ts'
import type { BackgroundJobs } from './ports/background-jobs.ts'
import type { DiscoveryClaims } from './ports/discovery-claims.ts'
import type { EventStore, RecordedEvent, StreamAsOf } from './ports/event-store.ts'
import type { ErasureNotes } from './ports/erasure-notes.ts'
import type { Images } from './ports/images.ts'
import type { InstanceStatus } from './ports/instance-status.ts'
import type { InstancePolicies } from './ports/instance-policy.ts'
import type { Jobs } from './ports/jobs.ts'
import type { LinkPreviews } from './ports/link-previews.ts'
import type { Limits } from './ports/limits.ts'
import type { TestMailServer } from './ports/mail-server-test.ts'
import type { Locks } from './ports/locks.ts'
import type { Mail } from './ports/mail.ts'
import type { Messages } from './ports/messages.ts'
import type { NetworkLookups } from './ports/network-lookups.ts'
import type { OpenIdProvider } from './ports/openid-provider.ts'
import type { Passkeys } from './ports/passkeys.ts'
import type { PersonalDataKeys } from './ports/personal-data-keys.ts'
import type { Passwords } from './ports/passwords.ts'
import type { Presence } from './ports/presence.ts'
import type { AccountQueries } from './ports/queries/account-queries.ts'
import type { AccountSearchQueries } from './ports/queries/account-search-queries.ts'
import type { ExpressionQueries } from './ports/queries/expression-queries.ts'
import type { ErasureQueries } from './ports/queries/erasure-queries.ts'
import type { AdminAuditQueries } from './ports/queries/admin-audit-queries.ts'
import type { AdminKeyQueries } from './ports/queries/admin-key-queries.ts'
import type { ApplicationQueries } from './ports/queries/application-queries.ts'
import type { AuditLogQueries } from './ports/queries/audit-log-queries.ts'
import type { BlocklistQueries } from './ports/queries/blocklist-queries.ts'
import type { DirectorySearchQueries } from './ports/queries/directory-search-queries.ts'
import type { DiscoveryQueries } from './ports/queries/discovery-queries.ts'
import type { GiftQueries } from './ports/queries/gift-queries.ts'
import type { GuildBanQueries } from './ports/queries/guild-ban-queries.ts'
import type { GuildQueries } from './ports/queries/guild-queries.ts'
import type { GuildSearchQueries } from './ports/queries/guild-search-queries.ts'
import type { HistoryQueries } from './ports/queries/history-queries.ts'
import type { ImageQueries } from './ports/queries/image-queries.ts'
import type { InviteQueries } from './ports/queries/invite-queries.ts'
import type { MemberQueries } from './ports/queries/member-queries.ts'
import type { NetworkBanQueries } from './ports/queries/network-ban-queries.ts'
import type { OAuth2Queries } from './ports/queries/oauth2-queries.ts'
import type { ReviewQueries } from './ports/queries/review-queries.ts'
import type { SessionQueries } from './ports/queries/session-queries.ts'
import type { PasskeyQueries } from './ports/queries/passkey-queries.ts'
import type { PositionQueries } from './ports/queries/position-queries.ts'
import type { PremiumQueries } from './ports/queries/premium-queries.ts'
import type { PrivateChannelQueries } from './ports/queries/private-channel-queries.ts'
import type { RegistrationQueries } from './ports/queries/registration-queries.ts'
import type { ThreadQueries } from './ports/queries/thread-queries.ts'
import type { RelationshipQueries } from './ports/queries/relationship-queries.ts'
import type { ReportQueries } from './ports/queries/report-queries.ts'
import type { StorePurchaseQueries } from './ports/queries/store-purchase-queries.ts'
import type { UnfinishedQueries } from './ports/queries/unfinished-queries.ts'
import type { UserChangeLogQueries } from './ports/queries/user-change-log-queries.ts'
import type { UserSettingsQueries } from './ports/queries/user-settings-queries.ts'
import type { Copies } from './ports/copies.ts'
import type { WebhookQueries } from './ports/queries/webhook-queries.ts'
import type { MessageSearch } from './ports/message-search.ts'
import type { Reactions } from './ports/reactions.ts'
import type { ReadStates } from './ports/read-states.ts'
import type { ReadModels } from './ports/read-models.ts'
import type { SessionActivity } from './ports/session-activity.ts'
import type { SessionHandovers } from './ports/session-handovers.ts'
import type { Reminders } from './ports/reminders.ts'
import type { SnapshotStore } from './ports/snapshots.ts'
import type { StartedSessions } from './ports/started-sessions.ts'
import type { SudoProofs } from './ports/sudo-proofs.ts'
import type { SealedBox } from './secrets/sealed-box.ts'
import type { Stores } from './ports/stores.ts'
import type { Totp } from './ports/totp.ts'
import type { Typing } from './ports/typing.ts'
import type { Tickets } from './ports/tickets.ts'
import type { UploadAddresses, Uploads } from './ports/uploads.ts'

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
  readonly expressions: ExpressionQueries
  readonly blocklists: BlocklistQueries
  readonly gifts: GiftQueries
  readonly guildBans: GuildBanQueries
  readonly guilds: GuildQueries
  readonly guildSearch: GuildSearchQueries
  readonly history: HistoryQueries
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
  readonly webhooks: WebhookQueries
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
  /** Whether it has the console of administrators. */
  readonly console: boolean
}

/** All ports of the use cases. A use case takes the few that it needs. */
export interface Ports {
  readonly aggregates: Aggregates
  /** What changes aggregates, for an act that was chosen by what streams held: it refuses with CONFLICT if one has had other events since. */
  readonly asOf: (chosen: readonly StreamAsOf[]) => Pick<Ports, 'aggregates' | 'instancePolicies' | 'limits'>
  readonly queries: AllQueries
  readonly readModels: ReadModels
  /** The names of the dispatches that an event may lead to. */
  readonly dispatchesOf: (event: RecordedEvent) => readonly string[]
  /** The HTTP status with which an operation answers what succeeds; undefined for a name that none has. */
  readonly successStatusOf: (operation: string) => number | undefined
  /** For those who read history. Use cases change aggregates through `aggregates` alone. */
  readonly events: Pick<EventStore, 'readStream' | 'eventAt' | 'follow' | 'end'>
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
  readonly linkPreviews: LinkPreviews
  /** Whether texts are on a list of what may not be said; in processes that serve no API, none is. */
  readonly contentFilter: Pick<ContentFilter, 'blocks'>
  readonly presence: Presence
  readonly passkeys: Passkeys
  readonly passwords: Passwords
  /** For erasure: nothing else destroys a key. */
  readonly personalDataKeys: Pick<PersonalDataKeys, 'destroy'>
  readonly erasureNotes: ErasureNotes
  readonly sessionActivity: SessionActivity
  readonly sessionHandovers: SessionHandovers
  readonly snapshots: Pick<SnapshotStore, 'forget'>
  readonly reminders: Reminders
  readonly startedSessions: StartedSessions
  readonly typing: Typing
  readonly sudoProofs: SudoProofs
  readonly totp: Totp
  readonly tickets: Tickets
  readonly mail: Mail
  readonly messages: Messages
  readonly networkLookups: NetworkLookups
  readonly reactions: Reactions
  readonly readStates: ReadStates
  readonly savedMessages: SavedMessages
  readonly recentMentions: RecentMentions
  readonly accountNotes: AccountNotes
  readonly messageSearch: MessageSearch
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
  readonly copies: Copies
  /** Seals the tokens of webhooks. */
  readonly webhookBox: SealedBox
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
  readonly attachmentAddresses: AttachmentAddresses
  readonly attachmentFiles: AttachmentFiles
  readonly uploads: Uploads
  readonly uploadAddresses: UploadAddresses
  readonly instance: Instance
  readonly instancePolicies: InstancePolicies
  readonly instanceStatus: InstanceStatus
}
