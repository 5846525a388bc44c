import type { GuildEvent } from '../../domain/guild/events.ts'
import {
  changesShownAccount,
  isBetweenAccounts,
  isOfAccount,
  isOfExpressions,
  isOfGuild,
  isOfPrivateChannel,
  isOfWebhook,
  type Known,
  type KnownEvent,
  type OwnFact,
} from '../visibility/known-event.ts'
import type { UserChange } from '../../application/wire-objects/identity/user-changes.ts'
import { accountChanged, changesAccount } from './accounts/account-changed.ts'
import { auditLogEntries } from './guilds/audit-log-entry.ts'
import { channelsInSight } from './channels/channels.ts'
import { inTurn, untold, type Telling } from './telling.ts'
import { expressionsChanged } from './guilds/expressions.ts'
import { guildDeleted } from './guilds/guild-deleted.ts'
import { guildFeaturesChanged, guildSettingsChanged } from './guilds/guild-updated.ts'
import { webhooksChanged } from './guilds/webhooks.ts'
import { groupInviteCreated, groupInviteDeleted, inviteCreated, inviteDeleted } from './guilds/invites.ts'
import { memberChanged, shownAccountChanged } from './members/member-changed.ts'
import { memberJoined } from './members/member-joined.ts'
import { memberBanned, memberLeft, memberUnbanned } from './members/member-removed.ts'
import { passkeysChanged } from './accounts/passkeys-changed.ts'
import { privateChannelChanged } from './channels/private-channels.ts'
import { relationshipChanged } from './accounts/relationships.ts'
import { securityNotices } from './accounts/security-notices.ts'
import { roleChanged, roleCreated, roleDeleted, rolesReordered } from './guilds/roles.ts'
import {
  threadChanged,
  threadDeleted,
  threadMemberAdded,
  threadMemberRemoved,
  threadMemberSettingsChanged,
  threadStarted,
} from './channels/threads.ts'
import { userGuildSettingsChanged, userSettingsChanged } from './accounts/user-settings-changed.ts'

/**
 * The dispatches of an event, in this order: its own, those to the guilds of an account that looks different, a notice if it
 * concerns an account's security, the changes to the channels
 * that sessions see, and its entries in the guild's audit log.
 */
export function tellingOf(event: KnownEvent): Telling {
  const inGuilds = changesShownAccount(event) ? shownAccountChanged(event) : untold
  const notices = securityNotices(event)
  return inTurn([tellingByItself(event), inGuilds, notices, channelsInSight(event), auditLogEntries(event)])
}

/** The table: one row per event. */
function tellingByItself(event: KnownEvent): Telling {
  if (changesAccount(event)) return accountChanged(event)
  if (isOfAccount(event)) return tellingOfAccount(event)
  if (isOfGuild(event)) return tellingOfGuild(event)
  if (isOfExpressions(event)) return expressionsChanged(event)
  if (isOfPrivateChannel(event)) return privateChannelChanged(event)
  if (isOfWebhook(event)) return webhooksChanged(event)
  if (isBetweenAccounts(event)) return relationshipChanged(event)
  switch (event.type) {
    case 'MemberJoined':
      return memberJoined(event)
    case 'MemberLeft':
    case 'MemberKicked':
      return memberLeft(event)
    case 'MemberBanned':
      return memberBanned(event)
    case 'MemberUnbanned':
      return memberUnbanned(event)
    case 'MemberChanged':
    case 'MemberRolesChanged':
      return memberChanged(event)
    case 'InviteCreated':
      return inviteCreated(event)
    case 'InviteDeleted':
      return inviteDeleted(event)
    case 'GroupInviteCreated':
      return groupInviteCreated(event)
    case 'GroupInviteDeleted':
      return groupInviteDeleted(event)
    case 'ThreadStarted':
      return threadStarted(event)
    case 'ThreadChanged':
      return threadChanged(event)
    case 'ThreadMemberAdded':
      return threadMemberAdded(event)
    case 'ThreadMemberRemoved':
      return threadMemberRemoved(event)
    case 'ThreadMemberSettingsChanged':
      return threadMemberSettingsChanged(event)
    case 'ThreadDeleted':
      return threadDeleted(event)
    case 'MessageDeletionRecorded':
    case 'BulkDeletionRecorded':
    case 'MessagePinRecorded':
    case 'MessageDeletionsFolded':
    case 'InviteRedeemed':
    case 'InviteRedemptionReturned':
    case 'GroupInviteRedeemed':
    case 'CustomCodeClaimed':
    case 'CustomCodeReleased':
    case 'AdminKeyCreated':
    case 'AdminKeyChanged':
    case 'AdminKeyDeleted':
      return untold
  }
}

/** The events of a guild's own stream. Changes to channels are handled for every event. */
function tellingOfGuild(event: Known<GuildEvent['type']>): Telling {
  switch (event.type) {
    case 'GuildModified':
    case 'GuildSettingsChanged':
    case 'OwnershipTransferred':
      return guildSettingsChanged
    case 'VanityCodeChanged':
      return event.data.before?.code === event.data.after?.code ? untold : guildSettingsChanged
    case 'GuildFeaturesChanged':
      return guildFeaturesChanged(event)
    case 'GuildDeleted':
      return guildDeleted(event)
    case 'RoleCreated':
      return roleCreated(event)
    case 'RoleChanged':
      return roleChanged(event)
    case 'RolesReordered':
      return rolesReordered(event)
    case 'RoleDeleted':
      return roleDeleted(event)
    case 'GuildCreated':
    case 'ChannelCreated':
    case 'ChannelChanged':
    case 'ChannelOverwritesChanged':
    case 'ChannelMoved':
    case 'ChannelsReordered':
    case 'ChannelNamesNormalised':
    case 'ChannelDeleted':
    case 'ChannelMessagesRemoved':
      return untold
  }
}

/** The events of an account's own streams that do not change its shown data. */
function tellingOfAccount(event: Exclude<Known<OwnFact['type']>, Known<UserChange>>): Telling {
  switch (event.type) {
    case 'WebAuthnCredentialRegistered':
    case 'WebAuthnCredentialRenamed':
    case 'WebAuthnCredentialRemoved':
      return passkeysChanged(event)
    case 'UserSettingsChanged':
      return userSettingsChanged(event)
    case 'UserGuildSettingsChanged':
      return userGuildSettingsChanged(event)
    case 'AccountRegistered':
    case 'SessionStarted':
    case 'SessionEnded':
    case 'SessionsEnded':
    case 'DelegationsEnded':
    case 'IpAddressAuthorized':
    case 'IpAddressesForgotten':
    case 'GatewaySessionNoted':
    case 'AccountDisabled':
    case 'AccountEnabled':
    case 'SelfDeletionScheduled':
    case 'SelfDeletionCancelled':
    case 'MessageDeletionCancelled':
    case 'MessageDeletionFinished':
    case 'AccountErasureStarted':
    case 'AccountErased':
    case 'PasswordHashRenewed':
    case 'MessagesAnonymised':
    case 'AnonymousAccountCreated':
    case 'TotpStepSpent':
    case 'BackupCodesIssued':
    case 'BackupCodesRevoked':
    case 'BackupCodeConsumed':
    case 'WebAuthnCredentialUsed':
    case 'SingleSignOnLinked':
    case 'SingleSignOnUnlinked':
    case 'RegistrationApproved':
    case 'RegistrationRejected':
    case 'RecoveryKitCreated':
    case 'RecoveryKitRevoked':
    case 'RecoveryKitUsed':
    case 'PurchaseLinked':
    case 'PurchaseUnlinked':
    case 'StoreTokenMade':
    case 'SubscriptionsRevoked':
      return untold
  }
}
