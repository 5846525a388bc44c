import type { Operation } from '../operation.js'
import { instanceOperations } from './instance.js'
import { adminUserOperations } from './administration/users.js'
import { adminUserPeopleOperations } from './administration/user-people.js'
import { userListOperations } from './administration/user-lists.js'
import { userReadOperations } from './administration/user-reads.js'
import { userContactOperations } from './administration/user-contacts.js'
import { userMessageOperations } from './administration/user-messages.js'
import { userCorrectionOperations } from './administration/user-corrections.js'
import { userFactOperations } from './administration/user-facts.js'
import { userBanOperations } from './administration/user-bans.js'
import { userDeletionOperations } from './administration/user-deletion.js'
import { instanceConfigOperations } from './administration/instance.js'
import { registrationOperations } from './administration/registrations.js'
import { limitConfigOperations } from './administration/limit-config.js'
import { adminKeyOperations } from './administration/keys.js'
import { adminAuditLogOperations } from './administration/audit-log.js'
import { adminReportOperations } from './administration/reports.js'
import { discoveryQueueOperations } from './administration/discovery-queue.js'
import { discoveryReviewOperations } from './administration/discovery.js'
import { blocklistOperations } from './administration/blocklists.js'
import { bulkJobOperations } from './administration/bulk-jobs.js'
import { archiveOperations } from './administration/archives.js'
import { jobOperations } from './administration/jobs.js'
import { giftCodeOperations } from './administration/gift-codes.js'
import { purchaseOperations } from './identity/purchases.js'
import { storeNotificationOperations } from './stores/notifications.js'
import { userPurchaseOperations } from './administration/user-purchases.js'
import { premiumOperations } from './identity/premium.js'
import { authOperations } from './identity/auth.js'
import { mfaOperations } from './identity/mfa.js'
import { backupCodesChallengeOperations } from './identity/backup-codes-challenge.js'
import { sudoOperations } from './identity/sudo.js'
import { sessionOperations } from './identity/sessions.js'
import { recoveryOperations } from './identity/recovery.js'
import { handoffOperations } from './identity/handoff.js'
import { ipAuthorizationOperations } from './identity/ip-authorization.js'
import { singleSignOnOperations } from './identity/single-sign-on.js'
import { passkeySignInOperations } from './identity/passkey-sign-in.js'
import { authorizedAddressOperations } from './identity/authorized-addresses.js'
import { passkeyOperations } from './identity/passkeys.js'
import { recoveryKitOperations } from './identity/recovery-kit.js'
import { ownAccountOperations } from './identity/account/own-account.js'
import { messageDeletionOperations } from './identity/account/message-deletion.js'
import { harvestOperations } from './identity/account/harvests.js'
import { userSettingsOperations } from './identity/account/user-settings.js'
import { emailChangeOperations } from './identity/account/email-change.js'
import { passwordChangeOperations } from './identity/account/password-change.js'
import { userOperations } from './identity/account/users.js'
import { relationshipOperations } from './conversations/relationships.js'
import { applicationOperations } from './apps/applications.js'
import { authorizationOperations } from './apps/authorization.js'
import { guildOperations } from './communities/guilds.js'
import { directoryOperations } from './communities/directory.js'
import { discoveryOperations } from './communities/discovery.js'
import { vanityUrlOperations } from './communities/vanity-url.js'
import { ownershipOperations } from './communities/ownership.js'
import { auditLogOperations } from './communities/audit-log.js'
import { reportOperations } from './communities/reports.js'
import { roleOperations } from './communities/roles.js'
import { memberOperations } from './communities/members.js'
import { banOperations } from './communities/bans.js'
import { guildChannelOperations } from './communities/channels.js'
import { channelOperations } from './communities/any-channel.js'
import { inviteOperations } from './communities/invites.js'
import { threadOperations } from './conversations/threads.js'
import { threadMemberOperations } from './conversations/thread-members.js'
import { messageOperations } from './conversations/messages.js'
import { privateChannelOperations } from './conversations/private-channels.js'

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
  ...discoveryReviewOperations,
  ...discoveryQueueOperations,
  ...blocklistOperations,
  ...adminReportOperations,
  ...bulkJobOperations,
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
  ...memberOperations,
  ...banOperations,
  ...guildChannelOperations,
  ...channelOperations,
  ...inviteOperations,
  ...reportOperations,
  ...threadOperations,
  ...threadMemberOperations,
  ...messageOperations,
  ...privateChannelOperations,
]
