import type { KnownEvent } from '../events/known-event.js'
import { accountChanged, changesAccount } from './account-changed.js'
import { auditLogEntries } from './audit-log-entry.js'
import { untold, type Telling } from './dispatch.js'
import { guildDeleted } from './guild-deleted.js'
import { channelCreated, roleCreated } from './guild-grown.js'
import { guildFeaturesChanged, guildSettingsChanged } from './guild-updated.js'
import { inviteCreated, inviteDeleted } from './invites.js'
import { memberJoined } from './member-joined.js'
import { memberBanned, memberLeft } from './member-removed.js'
import { passkeysChanged } from './passkeys-changed.js'
import { userGuildSettingsChanged, userSettingsChanged } from './user-settings-changed.js'

/** How an event is told: what follows from it by itself, and then its entry in the guild's audit log. */
export function tellingOf(event: KnownEvent): Telling {
  const { dispatches, ...lookups } = tellingByItself(event)
  return { ...lookups, dispatches: (scene) => [...dispatches(scene), ...auditLogEntries(event)] }
}

/** The table: one row an event. */
function tellingByItself(event: KnownEvent): Telling {
  if (changesAccount(event)) return accountChanged(event)
  switch (event.type) {
    case 'MemberJoined':
      return memberJoined(event)
    case 'MemberLeft':
      return memberLeft(event)
    case 'MemberBanned':
      return memberBanned(event)
    case 'GuildSettingsChanged':
      return guildSettingsChanged
    case 'GuildFeaturesChanged':
      return guildFeaturesChanged(event)
    case 'GuildDeleted':
      return guildDeleted(event)
    case 'RoleCreated':
      return roleCreated(event)
    case 'ChannelCreated':
      return channelCreated(event)
    case 'InviteCreated':
      return inviteCreated(event)
    case 'InviteDeleted':
      return inviteDeleted(event)
    case 'WebAuthnCredentialRegistered':
    case 'WebAuthnCredentialRenamed':
    case 'WebAuthnCredentialRemoved':
      return passkeysChanged(event)
    case 'UserSettingsChanged':
      return userSettingsChanged(event)
    case 'UserGuildSettingsChanged':
      return userGuildSettingsChanged(event)
    case 'GuildCreated':
    case 'MemberRolesChanged':
    case 'InviteRedeemed':
    case 'InviteRedemptionReturned':
    case 'AccountRegistered':
    case 'SessionStarted':
    case 'SessionEnded':
    case 'IpAddressAuthorized':
    case 'IpAddressesForgotten':
    case 'AccountDisabled':
    case 'AccountEnabled':
    case 'SelfDeletionScheduled':
    case 'SelfDeletionCancelled':
    case 'AccountErasureStarted':
    case 'AccountErased':
    case 'TotpStepSpent':
    case 'BackupCodesIssued':
    case 'BackupCodesRevoked':
    case 'BackupCodeConsumed':
    case 'WebAuthnCredentialUsed':
    case 'SingleSignOnLinked':
    case 'RegistrationApproved':
    case 'RegistrationRejected':
    case 'RecoveryKitCreated':
    case 'RecoveryKitRevoked':
    case 'RecoveryKitUsed':
      return untold
  }
}
