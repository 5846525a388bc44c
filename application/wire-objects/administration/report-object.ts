import type { AccountId, ChannelId } from '../../../domain/ids/ids.ts'
import { reportTypes } from '../../../domain/report/categories.ts'
import type { ReportedMessage } from '../../../domain/report/events.ts'
import { sentAt } from '../../ports/messages.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import { reportStatuses, type ReportRecord } from '../../ports/queries/report-queries.ts'
import { paddedDiscriminator } from './admin-resolved-user.ts'

/** A report for administrators. */
export type ReportObject = ReturnType<typeof reportObject>

export interface ReportDetailObject extends ReportObject {
  /** The direct message between the reporter and the reported account. */
  readonly mutual_dm_channel_id: ChannelId | null
  readonly message_context: readonly ContextMessageObject[]
  /** Those of the context that answer the reported message. */
  readonly message_responses: readonly ContextMessageObject[]
}

/**
 * `reporter`: the account now; undefined once it is gone. `showsContact`: whether the viewer holds report:view:reporter_pii. The
 * last members, claimed_* and those of the profile, are our own addition.
 */
export function reportObject(
  report: ReportRecord,
  reporter: AccountRecord | undefined,
  { showsContact }: { readonly showsContact: boolean },
) {
  const { reported, resolution, claim, profile } = report
  return {
    report_id: report.id,
    reporter_id: report.reporterId,
    ...reporterMembers(reporter, showsContact),
    reported_at: report.reportedAt,
    status: reportStatuses[resolution ? 'resolved' : 'pending'],
    report_type: reportTypes[reported.kind],
    category: report.category,
    additional_info: report.additionalInfo,
    reported_user_id: reported.accountId,
    reported_user_tag: profile && tagOf(profile),
    reported_user_username: profile?.username ?? null,
    reported_user_global_name: profile?.globalName ?? null,
    reported_user_discriminator: profile && paddedDiscriminator(profile.discriminator),
    reported_user_avatar_hash: profile?.avatar ?? null,
    reported_guild_id: reported.guild?.id ?? null,
    reported_guild_name: reported.guild?.name ?? null,
    reported_guild_icon_hash: reported.guild?.icon ?? null,
    reported_guild_nsfw_level: reported.guild && nsfwLevel(reported.guild.nsfw),
    reported_message_id: reported.messageId,
    reported_channel_id: reported.channel?.id ?? null,
    reported_channel_name: reported.channel?.name ?? null,
    reported_channel_nsfw: reported.channel?.nsfw ?? null,
    reported_guild_invite_code: reported.inviteCode,
    resolved_at: resolution?.at ?? null,
    resolved_by_admin_id: resolution?.adminId ?? null,
    public_comment: resolution?.publicComment ?? null,
    guild_context_id: reported.guildContextId,
    claimed_at: claim?.at ?? null,
    claimed_by_admin_id: claim?.adminId ?? null,
    reported_user_banner_hash: profile?.banner ?? null,
    reported_user_bio: profile?.bio ?? null,
    reported_user_pronouns: profile?.pronouns ?? null,
  }
}

/** Only public forms, which this server does not have, ask for a legal name and a country. */
function reporterMembers(reporter: AccountRecord | undefined, showsContact: boolean) {
  return {
    reporter_tag: reporter ? tagOf(reporter) : null,
    reporter_username: reporter?.username ?? null,
    reporter_global_name: reporter?.profile.globalName ?? null,
    reporter_discriminator: reporter ? paddedDiscriminator(reporter.discriminator) : null,
    reporter_email: showsContact ? (reporter?.email ?? null) : null,
    reporter_full_legal_name: null,
    reporter_country_of_residence: null,
  }
}

export type ContextMessageObject = ReturnType<typeof contextMessage>

/** A message around a reported one. `author`: undefined for an unknown account. */
export function contextMessage(
  { id, type, flags, content, editedAt, repliesTo, authorId }: ReportedMessage & { readonly authorId: AccountId },
  channelId: ChannelId,
  author: AccountRecord | undefined,
) {
  return {
    id,
    channel_id: channelId,
    author_id: authorId,
    author_username: author?.username ?? null,
    author_discriminator: author ? paddedDiscriminator(author.discriminator) : null,
    type,
    flags,
    content,
    timestamp: sentAt({ id }),
    edited_timestamp: editedAt,
    reply_to_id: repliesTo,
  }
}

const tagOf = ({ username, discriminator }: Pick<AccountRecord, 'username' | 'discriminator'>): string =>
  `${username}#${paddedDiscriminator(discriminator)}`

/** The number that guild objects have for it. */
const nsfwLevel = (isNsfw: boolean): number => (isNsfw ? 3 : 0)
