import type { Operation } from '../operation.ts'
import { instanceOperations } from './instance.ts'
import { adminUserOperations } from './administration/users.ts'
import { adminUserPeopleOperations } from './administration/user-people.ts'
import { userListOperations } from './administration/user-lists.ts'
import { userReadOperations } from './administration/user-reads.ts'
import { userContactOperations } from './administration/user-contacts.ts'
import { userMessageOperations } from './administration/user-messages.ts'
import { userCorrectionOperations } from './administration/user-corrections.ts'
import { userFactOperations } from './administration/user-facts.ts'
import { undoOperations } from './administration/undo.ts'
import { userBanOperations } from './administration/user-bans.ts'
import { userDeletionOperations } from './administration/user-deletion.ts'
import { historyOperations } from './administration/history.ts'
import { instanceConfigOperations } from './administration/instance.ts'
import { registrationOperations } from './administration/registrations.ts'
import { limitConfigOperations } from './administration/limit-config.ts'
import { adminKeyOperations } from './administration/keys.ts'
import { adminAuditLogOperations } from './administration/audit-log.ts'
import { adminReportOperations } from './administration/reports.ts'
import { discoveryQueueOperations } from './administration/discovery-queue.ts'
import { discoveryReviewOperations } from './administration/discovery.ts'
import { blocklistOperations } from './administration/blocklists.ts'
import { instanceStatusOperations } from './administration/instance-status.ts'
import { mailOperations } from './administration/mails.ts'
import { networkBanOperations } from './administration/network-bans.ts'
import { bulkJobOperations } from './administration/bulk-jobs.ts'
import { guildListOperations } from './administration/guild-lists.ts'
import { guildChangeOperations } from './administration/guild-changes.ts'
import { guildMemberOperations } from './administration/guild-members.ts'
import { guildReadOperations } from './administration/guild-reads.ts'
import { guildRewindOperations } from './administration/guild-rewinds.ts'
import { archiveOperations } from './administration/archives.ts'
import { jobOperations } from './administration/jobs.ts'
import { giftCodeOperations } from './administration/gift-codes.ts'
import { purchaseOperations } from './identity/purchases.ts'
import { storeNotificationOperations } from './stores/notifications.ts'
import { userPurchaseOperations } from './administration/user-purchases.ts'
import { premiumOperations } from './identity/premium.ts'
import { authOperations } from './identity/auth.ts'
import { mfaOperations } from './identity/mfa.ts'
import { backupCodesChallengeOperations } from './identity/backup-codes-challenge.ts'
import { sudoOperations } from './identity/sudo.ts'
import { sessionOperations } from './identity/sessions.ts'
import { recoveryOperations } from './identity/recovery.ts'
import { handoffOperations } from './identity/handoff.ts'
import { ipAuthorizationOperations } from './identity/ip-authorization.ts'
import { singleSignOnOperations } from './identity/single-sign-on.ts'
import { passkeySignInOperations } from './identity/passkey-sign-in.ts'
import { authorizedAddressOperations } from './identity/authorized-addresses.ts'
import { passkeyOperations } from './identity/passkeys.ts'
import { recoveryKitOperations } from './identity/recovery-kit.ts'
import { ownAccountOperations } from './identity/account/own-account.ts'
import { messageDeletionOperations } from './identity/account/message-deletion.ts'
import { harvestOperations } from './identity/account/harvests.ts'
import { userSettingsOperations } from './identity/account/user-settings.ts'
import { emailChangeOperations } from './identity/account/email-change.ts'
import { passwordChangeOperations } from './identity/account/password-change.ts'
import { userOperations } from './identity/account/users.ts'
import { relationshipOperations } from './conversations/relationships.ts'
import { applicationOperations } from './apps/applications.ts'
import { authorizationOperations } from './apps/authorization.ts'
import { guildOperations } from './communities/guilds.ts'
import { directoryOperations } from './communities/directory.ts'
import { discoveryOperations } from './communities/discovery.ts'
import { vanityUrlOperations } from './communities/vanity-url.ts'
import { ownershipOperations } from './communities/ownership.ts'
import { auditLogOperations } from './communities/audit-log.ts'
import { reportOperations } from './communities/reports.ts'
import { emojiOperations } from './communities/emojis.ts'
import { stickerOperations } from './communities/stickers.ts'
import { roleOperations } from './communities/roles.ts'
import { memberOperations } from './communities/members.ts'
import { banOperations } from './communities/bans.ts'
import { guildChannelOperations } from './communities/channels.ts'
import { channelOperations } from './communities/any-channel.ts'
import { inviteOperations } from './communities/invites.ts'
import { announcementOperations } from './communities/announcements.ts'
import { webhookOperations } from './communities/webhooks.ts'
import { tokenWebhookOperations } from './communities/webhooks-by-token.ts'
import { threadOperations } from './conversations/threads.ts'
import { threadMemberOperations } from './conversations/thread-members.ts'
import { messageOperations } from './conversations/messages.ts'
import { accountNoteOperations } from './conversations/account-notes.ts'
import { pinOperations } from './conversations/pins.ts'
import { recentMentionOperations } from './conversations/recent-mentions.ts'
import { savedMessageOperations } from './conversations/saved-messages.ts'
import { readStateOperations } from './conversations/read-states.ts'
import { attachmentOperations } from './conversations/attachments.ts'
import { reactionOperations } from './conversations/reactions.ts'
import { messageSearchOperations } from './conversations/message-search.ts'
import { typingOperations } from './conversations/typing.ts'
import { privateChannelOperations } from './conversations/private-channels.ts'

/** Every operation of the server, by subject. Anything else is 404 NOT_FOUND. */
export const allOperations: readonly Operation[] = [
  ...instanceOperations,
  ...adminUserOperations,
  ...adminUserPeopleOperations,
  ...userListOperations,
  ...userReadOperations,
  ...userContactOperations,
  ...userMessageOperations,
  ...userCorrectionOperations,
  ...userFactOperations,
  ...userBanOperations,
  ...userDeletionOperations,
  ...instanceConfigOperations,
  ...registrationOperations,
  ...giftCodeOperations,
  ...premiumOperations,
  ...purchaseOperations,
  ...storeNotificationOperations,
  ...userPurchaseOperations,
  ...limitConfigOperations,
  ...adminKeyOperations,
  ...adminAuditLogOperations,
  ...historyOperations,
  ...undoOperations,
  ...discoveryReviewOperations,
  ...discoveryQueueOperations,
  ...blocklistOperations,
  ...adminReportOperations,
  ...instanceStatusOperations,
  ...mailOperations,
  ...networkBanOperations,
  ...bulkJobOperations,
  ...guildReadOperations,
  ...guildListOperations,
  ...guildChangeOperations,
  ...guildMemberOperations,
  ...guildRewindOperations,
  ...archiveOperations,
  ...jobOperations,
  ...authOperations,
  ...mfaOperations,
  ...backupCodesChallengeOperations,
  ...sudoOperations,
  ...sessionOperations,
  ...recoveryOperations,
  ...handoffOperations,
  ...ipAuthorizationOperations,
  ...singleSignOnOperations,
  ...passkeySignInOperations,
  ...authorizedAddressOperations,
  ...passkeyOperations,
  ...recoveryKitOperations,
  ...ownAccountOperations,
  ...messageDeletionOperations,
  ...harvestOperations,
  ...userSettingsOperations,
  ...emailChangeOperations,
  ...passwordChangeOperations,
  ...userOperations,
  ...relationshipOperations,
  ...applicationOperations,
  ...authorizationOperations,
  ...guildOperations,
  ...directoryOperations,
  ...discoveryOperations,
  ...vanityUrlOperations,
  ...ownershipOperations,
  ...auditLogOperations,
  ...roleOperations,
  ...emojiOperations,
  ...stickerOperations,
  ...memberOperations,
  ...banOperations,
  ...guildChannelOperations,
  ...channelOperations,
  ...inviteOperations,
  ...announcementOperations,
  ...webhookOperations,
  ...tokenWebhookOperations,
  ...reportOperations,
  ...threadOperations,
  ...threadMemberOperations,
  ...messageOperations,
  ...pinOperations,
  ...readStateOperations,
  ...savedMessageOperations,
  ...recentMentionOperations,
  ...accountNoteOperations,
  ...attachmentOperations,
  ...reactionOperations,
  ...messageSearchOperations,
  ...typingOperations,
  ...privateChannelOperations,
]
