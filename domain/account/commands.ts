import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'
import type { AccountRegistered } from './events.ts'
import type { PremiumCommand } from '../premium/premium-commands.ts'
import type { ProfileChanges } from './profile.ts'
import type { SecondFactorCommand } from './second-factor-commands.ts'
import type { StandingCommand, WithoutAcls } from './standing-commands.ts'
import type { ByProof, BySession } from './by-session.ts'
import type { SingleSignOnLink } from './state.ts'

export type AccountCommand =
  | RegisterAccount
  | StartSession
  | EndSession
  | EndSessions
  | EndAllSessions
  | SignOutEverywhere
  | ForgetIpAddresses
  | GrantAcls
  | SetAcls
  | ChangeTag
  | ChangeProfile
  | ChangePassword
  | RenewPasswordHash
  | ChangeEmailAddress
  | VerifyEmailAddress
  | RevertEmailAddress
  | DisableAccount
  | ScheduleSelfDeletion
  | ReturnToAccount
  | StartErasure
  | FinishErasure
  | NoteMessagesAnonymised
  | CreateAnonymousAccount
  | MarkEmailAddressBounced
  | EraseBot
  | AcceptTerms
  | SecondFactorCommand
  | ChooseVoiceActivitySharing
  | LinkSingleSignOn
  | ApproveRegistration
  | RejectRegistration
  | CreateRecoveryKit
  | RevokeRecoveryKit
  | ResetByRecoveryKit
  | StandingCommand
  | PremiumCommand

export interface RegisterAccount extends Omit<AccountRegistered, 'registeredAt'> {
  readonly type: 'RegisterAccount'
  /** The identity that the account is made for; absent without one. */
  readonly singleSignOn?: SingleSignOnLink
  readonly now: Timestamp
}

export interface StartSession extends ByProof {
  readonly type: 'StartSession'
  readonly tokenHash: string
  readonly ip: string | null
  readonly userAgent: string | null
  /** The network of the session, if later sign-ins from there should need no mail. */
  readonly authorizes?: string
  /** The session that vouches for this one and must still live; absent if the account proved itself. */
  readonly vouchedBy?: string
  /** Whether the request is of another device than the session. */
  readonly forOtherDevice?: boolean
  readonly now: Timestamp
}

/** Ending a session that does not exist changes nothing. */
export interface EndSession {
  readonly type: 'EndSession'
  readonly tokenHash: string
}

/** Ends the sessions with these hashes; unknown ones change nothing. */
export interface EndSessions {
  readonly type: 'EndSessions'
  readonly tokenHashes: readonly string[]
}

/** Ends all sessions, and nothing else. */
export interface EndAllSessions {
  readonly type: 'EndAllSessions'
}

/** Ends all sessions, and all delegations with them. */
export interface SignOutEverywhere extends Required<BySession> {
  readonly type: 'SignOutEverywhere'
  readonly now: Timestamp
}

/** Removes all authorised networks: signing in takes a mail again from each of them. */
export interface ForgetIpAddresses {
  readonly type: 'ForgetIpAddresses'
}

export interface GrantAcls {
  readonly type: 'GrantAcls'
  readonly accountId: AccountId
  readonly acls: readonly string[]
}

/** Replaces the ACLs of the account, without repeats. The caller has checked that they may be granted. */
export interface SetAcls {
  readonly type: 'SetAcls'
  readonly acls: readonly string[]
}

/** Changes the tag to the one claimed for the account. */
export interface ChangeTag {
  readonly type: 'ChangeTag'
  readonly username: string
  readonly discriminator: number
  /** The tag that the claim assumed the account to have. */
  readonly from: { readonly username: string; readonly discriminator: number }
}

export interface ChangeProfile {
  readonly type: 'ChangeProfile'
  readonly changes: ProfileChanges
}

/** Ends every session but one. */
export interface ChangePassword extends BySession, ByProof {
  readonly type: 'ChangePassword'
  readonly passwordHash: string
  /** The session that stays; null for none. */
  readonly except: string | null
  /** A session that replaces the ended ones; absent for none. */
  readonly successor?: Pick<StartSession, 'tokenHash' | 'ip' | 'userAgent'>
  readonly now: Timestamp
}

/** Replaces the hash of a password that was just verified. Changes nothing if the account has another hash by now. */
export interface RenewPasswordHash {
  readonly type: 'RenewPasswordHash'
  /** The hash that the password was verified against. */
  readonly from: string
  readonly passwordHash: string
}

/** Changes the address to the one claimed for the account. */
export interface ChangeEmailAddress extends BySession {
  readonly type: 'ChangeEmailAddress'
  readonly email: string
  /** The address that the claim assumed the account to have; null for none. */
  readonly from: string | null
  readonly verified: boolean
  /** Whether the account keeps its bounce marker; absent for a change by the holder, which clears it. */
  readonly keepsBounce?: true
  readonly now: Timestamp
}

export interface VerifyEmailAddress {
  readonly type: 'VerifyEmailAddress'
  /** The address that a token was mailed to. Absent if an administrator vouches for whichever the account has, or for none. */
  readonly email?: string
}

/**
 * Returns the account to the holder of its earlier address. Removes all second factors and sessions, and begins one for
 * the holder.
 */
export interface RevertEmailAddress {
  readonly type: 'RevertEmailAddress'
  readonly email: string
  /** The time of the change to revert. */
  readonly changedAt: Timestamp
  readonly passwordHash: string
  /** The holder's session; absent for none. It begins in the same append: whoever reverts another change next ends it, too. */
  readonly successor?: Pick<StartSession, 'tokenHash' | 'ip' | 'userAgent' | 'authorizes'>
  readonly now: Timestamp
}

/** Disables the account and ends all sessions; signing in enables it again. */
export interface DisableAccount extends BySession {
  readonly type: 'DisableAccount'
}

/** Ends all sessions; signing in before `dueAt` cancels the deletion. */
export interface ScheduleSelfDeletion extends WithoutAcls, BySession {
  readonly type: 'ScheduleSelfDeletion'
  readonly dueAt: Timestamp
}

/** The right password was given: undoes what the holder did to the account. */
export interface ReturnToAccount extends ByProof {
  readonly type: 'ReturnToAccount'
  readonly now: Timestamp
}

/** Starts to erase an account whose deletion is due. */
export interface StartErasure {
  readonly type: 'StartErasure'
  /** The address that was hashed, which must still be the account's; null for none. */
  readonly email: string | null
  /** Its keyed hash; null without an address. */
  readonly addressHash: string | null
  readonly now: Timestamp
}

/** Everything that had to be erased is gone. */
export interface FinishErasure {
  readonly type: 'FinishErasure'
  readonly now: Timestamp
}

/** The messages of an erased account have another author. */
export interface NoteMessagesAnonymised {
  readonly type: 'NoteMessagesAnonymised'
  readonly now: Timestamp
}

/** Creates an account that nobody holds, as the author of an erased account's messages. */
export interface CreateAnonymousAccount {
  readonly type: 'CreateAnonymousAccount'
  readonly accountId: AccountId
  readonly now: Timestamp
}

/** A mail server has rejected this address permanently. Changes nothing if the account has another address by now. */
export interface MarkEmailAddressBounced {
  readonly type: 'MarkEmailAddressBounced'
  readonly email: string
  readonly now: Timestamp
}

/** The bot's application was deleted. An account that is not a bot is refused: UNKNOWN_USER. */
export interface EraseBot extends Omit<StartErasure, 'type'> {
  readonly type: 'EraseBot'
}

export interface AcceptTerms {
  readonly type: 'AcceptTerms'
  readonly now: Timestamp
}

/** A provider vouches that the holder of an identity also holds the account's address. */
export interface LinkSingleSignOn extends SingleSignOnLink {
  readonly type: 'LinkSingleSignOn'
  /** The address, verified by the provider. */
  readonly email: string
  readonly now: Timestamp
}

/** Approves a registration that waits. */
export interface ApproveRegistration {
  readonly type: 'ApproveRegistration'
}

export interface RejectRegistration extends WithoutAcls {
  readonly type: 'RejectRegistration'
}

/** `keyHash`: base64url SHA-256 of a new recovery key. */
export interface CreateRecoveryKit extends BySession {
  readonly type: 'CreateRecoveryKit'
  readonly keyHash: string
  readonly now: Timestamp
}

export interface RevokeRecoveryKit extends BySession {
  readonly type: 'RevokeRecoveryKit'
}

/** The holder has presented the key with this hash. */
export interface ResetByRecoveryKit {
  readonly type: 'ResetByRecoveryKit'
  readonly keyHash: string
  readonly passwordHash: string
  readonly now: Timestamp
}

/** Sets whether friends see which voice channels the account is in. */
export interface ChooseVoiceActivitySharing {
  readonly type: 'ChooseVoiceActivitySharing'
  readonly shared: boolean
  readonly now: Timestamp
}
