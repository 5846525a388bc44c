import type { AdminAcl } from './acls.ts'

/** What an act of an administrator can take from the account that it is done to. */
export type Taken = 'rights' | 'sessions' | 'sign-in' | 'account'

export interface ActOnAccount {
  /** The ACL of the operation. */
  readonly acl: AdminAcl
  readonly takes: Taken
  /** `everybody`: the contract allows it on accounts with more ACLs than the caller's, and on the caller's own. */
  readonly reaches: 'whose ACLs the caller holds' | 'everybody'
}

const within = 'whose ACLs the caller holds'

/**
 * Every operation that changes an account and belongs to administrators, by the contract's name: what it can take from the
 * account, or null if it takes neither rights, sessions, a way to sign in nor the account. Queue bulk job has a line for each of
 * its tasks on accounts.
 */
export const actsOnAccounts = {
  'Set user ACLs': { acl: 'acl:set:user', takes: 'rights', reaches: within },
  'Update user flags': { acl: 'user:update:flags', takes: 'account', reaches: within },
  'Queue bulk job: update_user_flags': { acl: 'bulk:update:user_flags', takes: 'account', reaches: within },
  'Ban user': { acl: 'user:temp_ban', takes: 'account', reaches: within },
  'Update pending registration': { acl: 'instance:config:update', takes: 'account', reaches: within },
  // The contract lets its holders close every account this way: their own, and one that has more ACLs than they do.
  'Schedule user deletion': { acl: 'user:delete', takes: 'account', reaches: 'everybody' },
  'Queue bulk job: schedule_user_deletion': { acl: 'bulk:delete:users', takes: 'account', reaches: 'everybody' },
  'Terminate user sessions': { acl: 'user:update:flags', takes: 'sessions', reaches: within },
  'Disable user MFA': { acl: 'user:update:mfa', takes: 'sign-in', reaches: within },
  'Delete user WebAuthn credential': { acl: 'user:update:mfa', takes: 'sign-in', reaches: within },
  'Change user username': { acl: 'user:update:username', takes: 'sign-in', reaches: within },
  'Change user email': { acl: 'user:update:email', takes: 'sign-in', reaches: within },
  'Verify user email': { acl: 'user:update:email', takes: 'sign-in', reaches: within },
  'Resend verification email': { acl: 'user:update:email', takes: 'sign-in', reaches: within },
  'Send password reset': { acl: 'user:update:email', takes: 'sign-in', reaches: within },
  'Create password reset link': { acl: 'user:create:password_reset_link', takes: 'sign-in', reaches: within },
  'Delete recovery kit': { acl: 'user:delete:recovery_kit', takes: 'sign-in', reaches: within },
  // An account with ACLs cannot become a bot: the contract has ACCESS_DENIED for it.
  'Set user bot status': null,
  'Set user system status': null,
  'Set user traits': null,
  'Update user premium flags': null,
  'Refresh user store purchases': null,
  'Change user date of birth': null,
  'Clear user profile fields': null,
  'Lift ban': null,
  'Cancel user deletion': null,
  'Remove one user relationship': null,
  'Remove user relationships by category': null,
  // These do not look at the account, so that an unknown one is accepted.
  'Delete all user messages': null,
  'Shred user messages': null,
  'Cancel scheduled message deletion': null,
  'Trigger user archive': null,
} as const satisfies Readonly<Record<string, ActOnAccount | null>>

/** Whether an operation, by the contract's name, asks for every ACL of an account that it takes something from. */
export function asksForAclsOfAccount(operation: string): boolean {
  const acts: Readonly<Record<string, ActOnAccount | null>> = actsOnAccounts
  return acts[operation]?.reaches === within
}

type Acts = typeof actsOnAccounts

/** The acts that take something. */
export type TakingAct = { [Name in keyof Acts]: Acts[Name] extends null ? never : Name }[keyof Acts]
