import type { Operation } from '../../../operation.js'
import { checkTagOperation, getCurrentUserOperation, getProfileOperation, getUserOperation } from './users.js'
import {
  acceptTermsOperation,
  deleteCurrentUserOperation,
  disableCurrentUserOperation,
  modifyCurrentUserOperation,
} from './own-account.js'
import {
  getUserSettingsOperation,
  modifyPrivateChannelSettingsOperation,
  modifyUserGuildSettingsOperation,
  modifyUserSettingsOperation,
  shareVoiceActivityOperation,
} from './user-settings.js'
import {
  applyEmailChangeOperation,
  proveNewAddressOperation,
  provePresentAddressOperation,
  proveReplacingAddressOperation,
  replaceBouncedAddressOperation,
  requestNewAddressOperation,
  resendToNewAddressOperation,
  resendToPresentAddressOperation,
  resendToReplacingAddressOperation,
  startEmailChangeOperation,
} from './email-change.js'
import {
  completePasswordChangeOperation,
  resendPasswordChangeOperation,
  startPasswordChangeOperation,
  verifyPasswordChangeOperation,
} from './password-change.js'
import {
  acceptOrBlockOperation,
  ignoreRequestsOperation,
  listRelationshipsOperation,
  nameFriendOperation,
  removeRelationshipOperation,
  sendFriendRequestByTagOperation,
  sendFriendRequestOperation,
} from '../../conversations/relationships.js'

/** What people do with their own account, and read of others. */
export const accountOperations: readonly Operation[] = [
  getCurrentUserOperation,
  modifyCurrentUserOperation,
  disableCurrentUserOperation,
  deleteCurrentUserOperation,
  acceptTermsOperation,
  getUserSettingsOperation,
  modifyUserSettingsOperation,
  shareVoiceActivityOperation,
  modifyPrivateChannelSettingsOperation,
  modifyUserGuildSettingsOperation,
  startEmailChangeOperation,
  resendToPresentAddressOperation,
  provePresentAddressOperation,
  requestNewAddressOperation,
  resendToNewAddressOperation,
  proveNewAddressOperation,
  applyEmailChangeOperation,
  replaceBouncedAddressOperation,
  resendToReplacingAddressOperation,
  proveReplacingAddressOperation,
  startPasswordChangeOperation,
  resendPasswordChangeOperation,
  verifyPasswordChangeOperation,
  completePasswordChangeOperation,
  checkTagOperation,
  getUserOperation,
  getProfileOperation,
  listRelationshipsOperation,
  sendFriendRequestByTagOperation,
  ignoreRequestsOperation,
  sendFriendRequestOperation,
  acceptOrBlockOperation,
  nameFriendOperation,
  removeRelationshipOperation,
]
