import { whereSignInIsBy } from '../../../application/administration/instance/sign-in-style.js'
import { acceptTerms } from '../../../application/identity/own-account/accept-terms.js'
import { changeOwnAccount } from '../../../application/identity/own-account/change-own-account.js'
import { deleteOwnAccount, disableOwnAccount } from '../../../application/identity/own-account/leave-account.js'
import { getProfile } from '../../../application/identity/own-account/get-profile.js'
import { checkTag, getUser } from '../../../application/identity/own-account/read-users.js'
import {
  proveReplacingAddress,
  replaceBouncedAddress,
  resendToReplacingAddress,
} from '../../../application/identity/own-account/ticketed/change-bounced-address.js'
import { applyEmailChange } from '../../../application/identity/own-account/ticketed/apply-email-change.js'
import {
  completePasswordChange,
  resendPasswordChange,
  startPasswordChange,
  verifyPasswordChange,
} from '../../../application/identity/own-account/ticketed/password-change.js'
import {
  proveNewAddress,
  requestNewAddress,
  resendToNewAddress,
} from '../../../application/identity/own-account/ticketed/prove-new-address.js'
import {
  provePresentAddress,
  resendToPresentAddress,
  startEmailChange,
} from '../../../application/identity/own-account/ticketed/prove-present-address.js'
import type { Ports } from '../../../application/ports.js'
import { forgotPassword } from '../../../application/identity/recovery/forgot-password.js'
import { resetPassword, resetTokenValidity } from '../../../application/identity/recovery/reset-password.js'
import { revertEmailAddress } from '../../../application/identity/recovery/revert-email-address.js'
import { resendVerification, verifyEmailAddress } from '../../../application/identity/recovery/verify-email-address.js'
import { completeSignOn } from '../../../application/identity/single-sign-on/complete-sign-on.js'
import { signOnStatus } from '../../../application/identity/single-sign-on/sign-on-policy.js'
import { startSignOn } from '../../../application/identity/single-sign-on/start-sign-on.js'
import { endOwnSessions } from '../../../application/identity/sessions/end-own-sessions.js'
import { listOwnSessions } from '../../../application/identity/sessions/list-own-sessions.js'
import { signOutEverywhere } from '../../../application/apps/sign-out-everywhere.js'
import { changeUserGuildSettings } from '../../../application/identity/settings/change-user-guild-settings.js'
import { changeUserSettings } from '../../../application/identity/settings/change-user-settings.js'
import {
  acceptFriendRequest,
  blockAccount,
  ignoreRequests,
  nameFriend,
  removeRelationship,
} from '../../../application/conversations/relationships/change-relationships.js'
import { listRelationships } from '../../../application/conversations/relationships/read-relationships.js'
import {
  sendFriendRequest,
  sendFriendRequestByTag,
} from '../../../application/conversations/relationships/send-friend-request.js'
import { readUserSettings } from '../../../application/identity/settings/read-user-settings.js'
import { shareVoiceActivity } from '../../../application/identity/settings/share-voice-activity.js'
import { handoffUseCases, provingUseCases } from './proving-use-cases.js'

/** How people get back what is theirs, and manage it. */
export function identityUseCases(ports: Ports) {
  const byEmail = whereSignInIsBy('email', ports)
  return {
    recovery: {
      forgotPassword: byEmail(forgotPassword(ports)),
      resendVerification: byEmail(resendVerification(ports)),
      resetPassword: resetPassword(ports),
      resetTokenValidity: resetTokenValidity(ports),
      revertEmailAddress: byEmail(revertEmailAddress(ports)),
      verifyEmailAddress: byEmail(verifyEmailAddress(ports)),
    },
    sessions: {
      endOwn: endOwnSessions(ports),
      listOwn: listOwnSessions(ports),
      signOutEverywhere: signOutEverywhere(ports),
    },
    ownAccount: {
      acceptTerms: acceptTerms(ports),
      applyEmailChange: byEmail(applyEmailChange(ports)),
      change: changeOwnAccount(ports),
      completePasswordChange: byEmail(completePasswordChange(ports)),
      delete: deleteOwnAccount(ports),
      disable: disableOwnAccount(ports),
      proveNewAddress: byEmail(proveNewAddress(ports)),
      proveReplacingAddress: byEmail(proveReplacingAddress(ports)),
      replaceBouncedAddress: byEmail(replaceBouncedAddress(ports)),
      resendToReplacingAddress: byEmail(resendToReplacingAddress(ports)),
      provePresentAddress: byEmail(provePresentAddress(ports)),
      requestNewAddress: byEmail(requestNewAddress(ports)),
      resendPasswordChange: byEmail(resendPasswordChange(ports)),
      resendToNewAddress: byEmail(resendToNewAddress(ports)),
      resendToPresentAddress: byEmail(resendToPresentAddress(ports)),
      startEmailChange: byEmail(startEmailChange(ports)),
      startPasswordChange: byEmail(startPasswordChange(ports)),
      verifyPasswordChange: byEmail(verifyPasswordChange(ports)),
    },
    singleSignOn: {
      complete: completeSignOn(ports),
      start: startSignOn(ports),
      status: signOnStatus(ports),
    },
    userSettings: {
      change: changeUserSettings(ports),
      changeForGuild: changeUserGuildSettings(ports),
      read: readUserSettings(ports),
      shareVoiceActivity: shareVoiceActivity(ports),
    },
    users: {
      checkTag: checkTag(ports),
      get: getUser(ports),
      getProfile: getProfile(ports),
    },
    relationships: relationshipUseCases(ports),
    ...handoffUseCases(ports),
    ...provingUseCases(ports),
  }
}

/** What accounts are to each other. */
function relationshipUseCases(ports: Ports) {
  return {
    accept: acceptFriendRequest(ports),
    block: blockAccount(ports),
    ignoreRequests: ignoreRequests(ports),
    list: listRelationships(ports),
    nameFriend: nameFriend(ports),
    remove: removeRelationship(ports),
    request: sendFriendRequest(ports),
    requestByTag: sendFriendRequestByTag(ports),
  }
}
