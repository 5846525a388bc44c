import { compareSnowflakes, type Snowflake } from './snowflake.ts'

declare const kind: unique symbol
type Id<Kind extends string> = Snowflake & { readonly [kind]: Kind }

export type AccountId = Id<'account'>
export type ApplicationId = Id<'application'>
export type GuildId = Id<'guild'>
export type RoleId = Id<'role'>
export type ChannelId = Id<'channel'>
export type MessageId = Id<'message'>
export type EntryId = Id<'entry'>
export type RegistrationUrlId = Id<'registration_url'>
export type AdminKeyId = Id<'admin_key'>
export type BackgroundJobId = Id<'background_job'>
export type ReportId = Id<'report'>
export type StorePurchaseId = Id<'store_purchase'>
export type ArchiveId = Id<'archive'>
export type AttachmentId = Id<'attachment'>
export type EmojiId = Id<'emoji'>
export type StickerId = Id<'sticker'>
export type WebhookId = Id<'webhook'>

declare const inviteCodeBrand: unique symbol
/** An invite's code as stored: exact case for a random code, lowercase for a custom one. */
export type InviteCode = string & { readonly [inviteCodeBrand]: true }

export const accountId = (id: Snowflake): AccountId => id as AccountId
export const applicationId = (id: Snowflake): ApplicationId => id as ApplicationId
export const guildId = (id: Snowflake): GuildId => id as GuildId
export const roleId = (id: Snowflake): RoleId => id as RoleId
export const channelId = (id: Snowflake): ChannelId => id as ChannelId
export const messageId = (id: Snowflake): MessageId => id as MessageId
export const entryId = (id: Snowflake): EntryId => id as EntryId
export const registrationUrlId = (id: Snowflake): RegistrationUrlId => id as RegistrationUrlId
export const adminKeyId = (id: Snowflake): AdminKeyId => id as AdminKeyId
export const storePurchaseId = (id: Snowflake): StorePurchaseId => id as StorePurchaseId
export const backgroundJobId = (id: Snowflake): BackgroundJobId => id as BackgroundJobId
export const reportId = (id: Snowflake): ReportId => id as ReportId
export const archiveId = (id: Snowflake): ArchiveId => id as ArchiveId
export const attachmentId = (id: Snowflake): AttachmentId => id as AttachmentId
export const emojiId = (id: Snowflake): EmojiId => id as EmojiId
export const stickerId = (id: Snowflake): StickerId => id as StickerId
export const webhookId = (id: Snowflake): WebhookId => id as WebhookId
export const inviteCode = (code: string): InviteCode => code as InviteCode

/** The everyone role of a guild has the guild's own id. */
export const everyoneRoleId = (guild: GuildId): RoleId => roleId(guild)

/** The bot account of an application has the application's own id. */
export const botOf = (application: ApplicationId): AccountId => accountId(application)

/** The application of a bot's account. */
export const applicationOf = (bot: AccountId): ApplicationId => applicationId(bot)

/** The id of the stream for an account's authorisation of an application. */
export const authorizationId = (account: AccountId, application: ApplicationId): string => `${account}-${application}`

/** The id of the stream for an account's membership in a guild. */
export const membershipId = (guild: GuildId, account: AccountId): string => `${guild}-${account}`

/** The id of the stream for a pair of accounts, lower id first, so that both orders name the same stream. */
export const pairId = (one: AccountId, other: AccountId): string =>
  compareSnowflakes(one, other) < 0 ? `${one}-${other}` : `${other}-${one}`
