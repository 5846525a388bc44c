import type { AccountId } from '../ids/ids.js'
import type { Timestamp } from '../kernel/timestamp.js'
import type { AccountRegistered } from './events.js'
import type { ProfileChanges } from './profile.js'
import type { SecondFactorCommand } from './second-factor-commands.js'
import type { SingleSignOnLink } from './state.js'

export type AccountCommand =
  | RegisterAccount
  | StartSession
  | EndSession
  | EndSessions
  | EndOtherSessions
  | EndAllSessions
  | ForgetIpAddresses
  | GrantAcls
  | SetAcls
  | ChangeTag
  | ChangeProfile
  | ChangePassword
  | ChangeEmailAddress
  | VerifyEmailAddress
  | RevertEmailAddress
  | DisableAccount
  | ScheduleSelfDeletion
  | ReturnToAccount
  | StartErasure
  | FinishErasure
  | MarkEmailAddressBounced
  | EraseBot
  | ChangeBotFlags
  | AcceptTerms
  | SecondFactorCommand
  | ChooseVoiceActivitySharing
  | LinkSingleSignOn
  | ApproveRegistration
  | RejectRegistration
  | CreateRecoveryKit
  | RevokeRecoveryKit
  | ResetByRecoveryKit

export interface RegisterAccount extends Omit<AccountRegistered, 'registeredAt'> {
  readonly type: 'RegisterAccount'
  /** The identity that the account is made for; absent where it is made for none. */
  readonly singleSignOn?: SingleSignOnLink
  readonly now: Timestamp
}

export interface StartSession {
  readonly type: 'StartSession'
  readonly tokenHash: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** The network that it is begun from, where signing in from there is to take no mail any more. */
  readonly authorizes?: string
  /** The session that asks for it, which has to live still; absent where the account proved who it is by itself. */
  readonly vouchedBy?: string
  readonly now: Timestamp
}

/** Ending a session that is not there changes nothing. */
export interface EndSession {
  readonly type: 'EndSession'
  readonly tokenHash: string
}

/** Ends the sessions with these hashes; those that are not there change nothing. */
export interface EndSessions {
  readonly type: 'EndSessions'
  readonly tokenHashes: readonly string[]
}

/** Signs out everywhere but in the session that asks; null where no session does. */
export interface EndOtherSessions {
  readonly type: 'EndOtherSessions'
  readonly except: string | null
}

/** Signs out everywhere. */
export interface EndAllSessions {
  readonly type: 'EndAllSessions'
}

/** Signing in takes a mail again from wherever it did before. */
export interface ForgetIpAddresses {
  readonly type: 'ForgetIpAddresses'
}

export interface GrantAcls {
  readonly type: 'GrantAcls'
  readonly accountId: AccountId
  readonly acls: readonly string[]
}

/** Replaces the ACLs that the account holds; repeats collapse. Whether they may be given is settled before. */
export interface SetAcls {
  readonly type: 'SetAcls'
  readonly acls: readonly string[]
}

/** Takes the name that was claimed for the account. */
export interface ChangeTag {
  readonly type: 'ChangeTag'
  readonly username: string
  readonly discriminator: number
  /** What the account is called until now, as far as whoever claimed the name knows. */
  readonly from: { readonly username: string; readonly discriminator: number }
}

export interface ChangeProfile {
  readonly type: 'ChangeProfile'
  readonly changes: ProfileChanges
}

/** Ends every session but one. */
export interface ChangePassword {
  readonly type: 'ChangePassword'
  readonly passwordHash: string
  /** The session that goes on; null for none. */
  readonly except: string | null
  /** A session that begins in place of those that end; absent where none does. */
  readonly successor?: Pick<StartSession, 'tokenHash' | 'ip' | 'userAgent'>
  readonly now: Timestamp
}

/** Takes the address that was claimed for the account. */
export interface ChangeEmailAddress {
  readonly type: 'ChangeEmailAddress'
  readonly email: string
  /** The address that the account has until now, as far as whoever claimed the new one knows; null for none. */
  readonly from: string | null
  readonly verified: boolean
  readonly now: Timestamp
}

export interface VerifyEmailAddress {
  readonly type: 'VerifyEmailAddress'
}

/** Gives the account back to the holder of its earlier address: no second factor and no session stays (reference identity 4.10). */
export interface RevertEmailAddress {
  readonly type: 'RevertEmailAddress'
  readonly email: string
  /** When the change was made that is taken back. */
  readonly changedAt: Timestamp
  readonly passwordHash: string
  readonly now: Timestamp
}

/** Ends every session; signing in enables the account again. */
export interface DisableAccount {
  readonly type: 'DisableAccount'
}

/** Ends every session; signing in before `dueAt` cancels the deletion. */
export interface ScheduleSelfDeletion {
  readonly type: 'ScheduleSelfDeletion'
  readonly dueAt: Timestamp
}

/** The right password was given: what the holder did to the account is undone (reference identity 4.4). */
export interface ReturnToAccount {
  readonly type: 'ReturnToAccount'
}

/** Begins to erase the account whose deletion is due. */
export interface StartErasure {
  readonly type: 'StartErasure'
  /** The address that the account has, as far as whoever hashed it knows; null for none. */
  readonly email: string | null
  /** Its keyed hash; null without one. */
  readonly addressHash: string | null
  readonly now: Timestamp
}

/** All that was to be erased is gone. */
export interface FinishErasure {
  readonly type: 'FinishErasure'
  readonly now: Timestamp
}

/** A mail server has refused this address for good. It changes nothing where the account has another one by now. */
export interface MarkEmailAddressBounced {
  readonly type: 'MarkEmailAddressBounced'
  readonly email: string
  readonly now: Timestamp
}

/** The application is deleted whose bot it is. An account that is nobody's bot is left alone: UNKNOWN_USER. */
export interface EraseBot {
  readonly type: 'EraseBot'
  readonly now: Timestamp
}

/** `flags`: bits of `botFlags`; the account's other flags stay as they are. */
export interface ChangeBotFlags {
  readonly type: 'ChangeBotFlags'
  readonly flags: number
}

export interface AcceptTerms {
  readonly type: 'AcceptTerms'
  readonly now: Timestamp
}

/** A provider vouches that the holder of an identity holds the account's address. */
export interface LinkSingleSignOn extends SingleSignOnLink {
  readonly type: 'LinkSingleSignOn'
  /** The address that the provider has verified. */
  readonly email: string
  readonly now: Timestamp
}

/** Lets an account in that waits for it. */
export interface ApproveRegistration {
  readonly type: 'ApproveRegistration'
}

export interface RejectRegistration {
  readonly type: 'RejectRegistration'
}

/** `keyHash`: base64url SHA-256 of a new recovery key. */
export interface CreateRecoveryKit {
  readonly type: 'CreateRecoveryKit'
  readonly keyHash: string
  readonly now: Timestamp
}

export interface RevokeRecoveryKit {
  readonly type: 'RevokeRecoveryKit'
}

/** The holder has shown the key with this hash. */
export interface ResetByRecoveryKit {
  readonly type: 'ResetByRecoveryKit'
  readonly keyHash: string
  readonly passwordHash: string
  readonly now: Timestamp
}

/** Whether friends see from now on in which voice channels the account is. */
export interface ChooseVoiceActivitySharing {
  readonly type: 'ChooseVoiceActivitySharing'
  readonly shared: boolean
  readonly now: Timestamp
}
