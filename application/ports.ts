import type { AccountCommand } from '../domain/account/commands.js'
import type { AccountState } from '../domain/account/state.js'
import type { AdminAuditCommand } from '../domain/admin-audit/commands.js'
import type { AdminAuditState } from '../domain/admin-audit/state.js'
import type { AdminKeyCommand } from '../domain/admin-key/commands.js'
import type { AdminKeyState } from '../domain/admin-key/state.js'
import type { ApplicationCommand } from '../domain/application/commands.js'
import type { ApplicationState } from '../domain/application/state.js'
import type { BlocklistEntryCommand } from '../domain/blocklist-entry/commands.js'
import type { BlocklistEntryState } from '../domain/blocklist-entry/state.js'
import type { DirectChannelCommand } from '../domain/direct-channel/commands.js'
import type { DirectChannelState } from '../domain/direct-channel/state.js'
import type { EmailAddressCommand } from '../domain/email-address/commands.js'
import type { EmailAddressState } from '../domain/email-address/state.js'
import type { GuildCommand } from '../domain/guild/commands.js'
import type { GuildState } from '../domain/guild/state.js'
import type { GuildAuditCommand } from '../domain/guild-audit/commands.js'
import type { GuildAuditState } from '../domain/guild-audit/state.js'
import type { HandleCommand } from '../domain/handle/commands.js'
import type { HandleState } from '../domain/handle/state.js'
import type { InstanceCommand } from '../domain/instance/commands.js'
import type { InstanceState } from '../domain/instance/state.js'
import type { InviteCommand } from '../domain/invite/commands.js'
import type { InviteState } from '../domain/invite/state.js'
import type { MembershipCommand } from '../domain/membership/commands.js'
import type { MembershipState } from '../domain/membership/state.js'
import type { PrivateChannelCommand } from '../domain/private-channel/commands.js'
import type { PrivateChannelState } from '../domain/private-channel/state.js'
import type { RegistrationUrlCommand } from '../domain/registration-url/commands.js'
import type { RegistrationUrlState } from '../domain/registration-url/state.js'
import type { NetworkBanCommand } from '../domain/network-ban/commands.js'
import type { NetworkBanState } from '../domain/network-ban/state.js'
import type { RelationshipCommand } from '../domain/relationship/commands.js'
import type { RelationshipState } from '../domain/relationship/state.js'
import type { SingleSignOnIdentityCommand } from '../domain/single-sign-on-identity/commands.js'
import type { SingleSignOnIdentityState } from '../domain/single-sign-on-identity/state.js'
import type { ThreadCommand } from '../domain/thread/commands.js'
import type { ThreadState } from '../domain/thread/state.js'
import type { UserGuildSettingsCommand } from '../domain/user-guild-settings/commands.js'
import type { UserGuildSettingsState } from '../domain/user-guild-settings/state.js'
import type { UserSettingsCommand } from '../domain/user-settings/commands.js'
import type { UserSettingsState } from '../domain/user-settings/state.js'
import type { OAuth2AuthorizationCommand } from '../domain/oauth2-authorization/commands.js'
import type { OAuth2AuthorizationState } from '../domain/oauth2-authorization/state.js'
import type { Aggregate } from './aggregates/aggregates.js'
import type { AdmissionRoom } from './ports/admission-room.js'
import type { Afterwards } from './ports/afterwards.js'
import type { AddressList } from './content-rules/address-list.js'
import type { Allowances } from './ports/allowances.js'
import type { BackgroundJobs } from './ports/background-jobs.js'
import type { Images } from './ports/images.js'
import type { InstancePolicies } from './ports/instance-policy.js'
import type { Limits } from './ports/limits.js'
import type { TestMailServer } from './ports/mail-server-test.js'
import type { Locks } from './ports/locks.js'
import type { Mail } from './ports/mail.js'
import type { Messages } from './ports/messages.js'
import type { OpenIdProvider } from './ports/openid-provider.js'
import type { Passkeys } from './ports/passkeys.js'
import type { PersonalDataKeys } from './ports/personal-data-keys.js'
import type { Passwords } from './ports/passwords.js'
import type { Presence } from './ports/presence.js'
import type { AccountQueries } from './ports/queries/account-queries.js'
import type { ErasureQueries } from './ports/queries/erasure-queries.js'
import type { AdminAuditQueries } from './ports/queries/admin-audit-queries.js'
import type { AdminKeyQueries } from './ports/queries/admin-key-queries.js'
import type { ApplicationQueries } from './ports/queries/application-queries.js'
import type { AuditLogQueries } from './ports/queries/audit-log-queries.js'
import type { BlocklistQueries } from './ports/queries/blocklist-queries.js'
import type { GuildBanQueries } from './ports/queries/guild-ban-queries.js'
import type { GuildQueries } from './ports/queries/guild-queries.js'
import type { ImageQueries } from './ports/queries/image-queries.js'
import type { InviteQueries } from './ports/queries/invite-queries.js'
import type { MemberQueries } from './ports/queries/member-queries.js'
import type { OAuth2Queries } from './ports/queries/oauth2-queries.js'
import type { SessionQueries } from './ports/queries/session-queries.js'
import type { PasskeyQueries } from './ports/queries/passkey-queries.js'
import type { PositionQueries } from './ports/queries/position-queries.js'
import type { PrivateChannelQueries } from './ports/queries/private-channel-queries.js'
import type { RegistrationQueries } from './ports/queries/registration-queries.js'
import type { ThreadQueries } from './ports/queries/thread-queries.js'
import type { RelationshipQueries } from './ports/queries/relationship-queries.js'
import type { UnfinishedQueries } from './ports/queries/unfinished-queries.js'
import type { UserSettingsQueries } from './ports/queries/user-settings-queries.js'
import type { ReadModels } from './ports/read-models.js'
import type { SessionActivity } from './ports/session-activity.js'
import type { SessionHandovers } from './ports/session-handovers.js'
import type { SettingsReminders } from './ports/settings-reminders.js'
import type { SnapshotStore } from './ports/snapshots.js'
import type { StartedSessions } from './ports/started-sessions.js'
import type { SudoProofs } from './ports/sudo-proofs.js'
import type { SealedBox } from './secrets/sealed-box.js'
import type { Totp } from './ports/totp.js'
import type { Tickets } from './ports/tickets.js'

/** The aggregates, by category. */
export interface Aggregates {
  readonly account: Aggregate<AccountState, AccountCommand>
  readonly adminAudit: Aggregate<AdminAuditState, AdminAuditCommand>
  readonly adminKey: Aggregate<AdminKeyState, AdminKeyCommand>
  readonly application: Aggregate<ApplicationState, ApplicationCommand>
  readonly blocklistEntry: Aggregate<BlocklistEntryState, BlocklistEntryCommand>
  readonly directChannel: Aggregate<DirectChannelState, DirectChannelCommand>
  readonly emailAddress: Aggregate<EmailAddressState, EmailAddressCommand>
  readonly guild: Aggregate<GuildState, GuildCommand>
  readonly guildAudit: Aggregate<GuildAuditState, GuildAuditCommand>
  readonly handle: Aggregate<HandleState, HandleCommand>
  readonly instance: Aggregate<InstanceState, InstanceCommand>
  readonly invite: Aggregate<InviteState, InviteCommand>
  readonly membership: Aggregate<MembershipState, MembershipCommand>
  readonly privateChannel: Aggregate<PrivateChannelState, PrivateChannelCommand>
  readonly registrationUrl: Aggregate<RegistrationUrlState, RegistrationUrlCommand>
  readonly networkBan: Aggregate<NetworkBanState, NetworkBanCommand>
  readonly relationship: Aggregate<RelationshipState, RelationshipCommand>
  readonly singleSignOnIdentity: Aggregate<SingleSignOnIdentityState, SingleSignOnIdentityCommand>
  readonly thread: Aggregate<ThreadState, ThreadCommand>
  readonly userGuildSettings: Aggregate<UserGuildSettingsState, UserGuildSettingsCommand>
  readonly userSettings: Aggregate<UserSettingsState, UserSettingsCommand>
  readonly oauth2Authorization: Aggregate<OAuth2AuthorizationState, OAuth2AuthorizationCommand>
}

/** The queries of all read models. */
export interface AllQueries {
  readonly accounts: AccountQueries
  readonly adminAudit: AdminAuditQueries
  readonly adminKeys: AdminKeyQueries
  readonly applications: ApplicationQueries
  readonly auditLog: AuditLogQueries
  readonly erasures: ErasureQueries
  readonly blocklists: BlocklistQueries
  readonly guildBans: GuildBanQueries
  readonly guilds: GuildQueries
  readonly images: ImageQueries
  readonly invites: InviteQueries
  readonly members: MemberQueries
  readonly oauth2: OAuth2Queries
  readonly sessions: SessionQueries
  readonly passkeys: PasskeyQueries
  readonly positions: PositionQueries
  readonly privateChannels: PrivateChannelQueries
  readonly registrations: RegistrationQueries
  readonly relationships: RelationshipQueries
  readonly threads: ThreadQueries
  readonly unfinished: UnfinishedQueries
  readonly userSettings: UserSettingsQueries
}

/** The operator's settings (supplement, Settings and Instance defaults). */
export interface Instance {
  /** The service's own name, in lower case. Usernames and custom codes may not contain it. */
  readonly serviceName: string
  readonly version: string
  /** The base of URLs in answers, without a slash at the end. */
  readonly publicUrl: string
  /** The Gateway's URL. Every answer that names it uses this same text (reference gateway 1.1). */
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
  readonly room: AdmissionRoom
  readonly limits: Limits
  readonly afterwards: Afterwards
  readonly allowances: Allowances
  readonly backgroundJobs: BackgroundJobs
  readonly presence: Presence
  readonly passkeys: Passkeys
  readonly passwords: Passwords
  /** For erasure: nothing else destroys a key. */
  readonly personalDataKeys: Pick<PersonalDataKeys, 'destroy'>
  readonly sessionActivity: SessionActivity
  readonly sessionHandovers: SessionHandovers
  readonly snapshots: Pick<SnapshotStore, 'forget'>
  readonly settingsReminders: SettingsReminders
  readonly startedSessions: StartedSessions
  readonly sudoProofs: SudoProofs
  readonly totp: Totp
  readonly tickets: Tickets
  readonly mail: Mail
  readonly messages: Messages
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
  /** Addresses that are never banned: private networks and trusted proxies. */
  readonly isProtectedAddress: AddressList
  readonly images: Images
  readonly instance: Instance
  readonly instancePolicies: InstancePolicies
}
