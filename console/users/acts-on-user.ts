import type { Act } from '../acts/act.ts'
import type { OperationId } from '../api/operations.ts'
import type { User } from './user-list.tsx'

/** What can be done to an account, in groups. Which of it the reader may do, the buttons ask. */
export function actsOnUser(user: User): readonly { readonly group: string; readonly acts: readonly Act[] }[] {
  const act = (id: OperationId, values?: Act['values'], fixed?: Act['fixed']): Act => ({
    id,
    path: { user_id: user.id },
    ...(values && { values: { body: values } }),
    ...(fixed && { fixed }),
  })
  const deletion = { expected_pending_deletion_at: user.pending_deletion_at }
  return [
    {
      group: 'standing',
      acts: [
        user.temp_banned_until === null ? act('banUser') : act('liftBan'),
        act('scheduleUserDeletion', undefined, user.pending_deletion_at === null ? undefined : deletion),
        ...(user.pending_deletion_at === null ? [] : [act('cancelUserDeletion', undefined, deletion)]),
        act('updateUserFlags'),
        act('updateUserPremiumFlags'),
        act('setUserTraits', { traits: user.traits }),
        act('setUserACLs', { acls: user.acls }),
        act('setUserBotStatus', { bot: user.bot }),
        act('setUserSystemStatus', { system: user.system }),
      ],
    },
    {
      group: 'identity',
      acts: [
        act('changeUserUsername', { username: user.username, discriminator: user.discriminator }),
        act('changeUserEmail', { email: user.email }),
        act('changeUserDateOfBirth', { date_of_birth: user.date_of_birth }),
        act('clearUserProfileFields'),
        act('verifyUserEmail'),
        act('resendVerificationEmail'),
      ],
    },
    {
      group: 'sign_in',
      acts: [
        act('terminateUserSessions'),
        act('disableUserMFA'),
        act('deleteRecoveryKit'),
        act('sendPasswordReset'),
        act('createPasswordResetLink'),
      ],
    },
    {
      group: 'content',
      acts: [
        act('deleteAllUserMessages'),
        act('shredUserMessages'),
        ...(user.pending_bulk_message_deletion_at === null ? [] : [act('cancelScheduledMessageDeletion')]),
        act('removeUserRelationshipsByCategory'),
        act('refreshUserStorePurchases'),
        act('triggerUserArchive'),
      ],
    },
  ]
}
