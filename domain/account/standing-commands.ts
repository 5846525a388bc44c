import type { AccountId } from '../ids/ids.ts'
import type { Timestamp } from '../kernel/timestamp.ts'

/** Commands about what an account is and may do: mostly those of administrators. */
export type StandingCommand =
  | UpdateFlags
  | ChangeBotFlags
  | NoteGatewaySession
  | SetTraits
  | SetBotStatus
  | SetSystemStatus
  | ChangeDateOfBirth
  | BanAccount
  | LiftAccountBan
  | EndExpiredBan
  | ScheduleDeletion
  | CancelDeletion
  | ScheduleMessageDeletion
  | CancelMessageDeletion
  | WithdrawMessageDeletion
  | FinishMessageDeletion

/**
 * A command that may close an account. With `onlyWithoutAcls`, an account that holds an ACL by now refuses it with CONFLICT: what
 * is done to an administrator has its turn in the queue of ACLs.
 */
export interface WithoutAcls {
  readonly onlyWithoutAcls?: boolean
}

/** Adds flags, then removes some: a flag in both ends cleared. Each is an unsigned 64-bit decimal string, with any number of bits. */
export interface UpdateFlags extends WithoutAcls {
  readonly type: 'UpdateFlags'
  readonly add: readonly string[]
  readonly remove: readonly string[]
}

/** `flags`: bits of `botFlags`; the account's other flags stay as they are. */
export interface ChangeBotFlags {
  readonly type: 'ChangeBotFlags'
  readonly flags: number
}

/** The account has started a Gateway session: from the first one on it has HAS_SESSION_STARTED. */
export interface NoteGatewaySession {
  readonly type: 'NoteGatewaySession'
}

/** Replaces all traits. */
export interface SetTraits {
  readonly type: 'SetTraits'
  readonly traits: readonly string[]
}

/** An account that is no bot any more is no system account either. */
export interface SetBotStatus {
  readonly type: 'SetBotStatus'
  readonly bot: boolean
}

export interface SetSystemStatus {
  readonly type: 'SetSystemStatus'
  readonly system: boolean
}

export interface ChangeDateOfBirth {
  readonly type: 'ChangeDateOfBirth'
  /** YYYY-MM-DD. */
  readonly dateOfBirth: string
}

/** Bans the account and ends all sessions. A later ban replaces an earlier one. */
export interface BanAccount extends WithoutAcls {
  readonly type: 'BanAccount'
  /** 0-8760; 0 bans permanently. */
  readonly duration_hours: number
  readonly now: Timestamp
}

/** Ends the ban, if there is one, and removes DISABLED. */
export interface LiftAccountBan {
  readonly type: 'LiftAccountBan'
}

/** Ends a ban that is over. Changes nothing about any other. */
export interface EndExpiredBan {
  readonly type: 'EndExpiredBan'
  readonly now: Timestamp
}

/** Schedules the deletion of the account and ends all sessions. */
export interface ScheduleDeletion extends WithoutAcls {
  readonly type: 'ScheduleDeletion'
  /** Of the deletion reason registry. */
  readonly reasonCode: number
  /** Raised to the minimum of the reason. */
  readonly delay_days: number
  /** The operator's own act: it is due now, whatever the reason's minimum. */
  readonly isDueAtOnce?: boolean
  readonly publicReason: string | null
  readonly auditLogReason: string | null
  readonly scheduledBy: AccountId
  /** When the deletion is due that this one replaces; null if none is pending. */
  readonly replaces: Timestamp | null
  readonly now: Timestamp
}

export interface CancelDeletion {
  readonly type: 'CancelDeletion'
  /** When the deletion to cancel is due. */
  readonly dueAt: Timestamp
}

/** Schedules the deletion of all messages of the account, at its holder's wish. */
export interface ScheduleMessageDeletion {
  readonly type: 'ScheduleMessageDeletion'
  readonly dueAt: Timestamp
  readonly channelCount: number
  readonly messageCount: number
}

/** Cancels it as an administrator, which the holder's clients are not told. Changes nothing where none is scheduled. */
export interface CancelMessageDeletion {
  readonly type: 'CancelMessageDeletion'
}

/** Cancels it as the holder, whose clients are always told, also where none is scheduled. */
export interface WithdrawMessageDeletion {
  readonly type: 'WithdrawMessageDeletion'
}

/** All messages are deleted. Changes nothing if the deletion was cancelled or replaced since. */
export interface FinishMessageDeletion {
  readonly type: 'FinishMessageDeletion'
  /** When the finished deletion was due. */
  readonly dueAt: Timestamp
}
