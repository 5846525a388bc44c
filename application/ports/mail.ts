import type { AccountId } from '../../domain/ids/ids.ts'
import type { Timestamp } from '../../domain/kernel/timestamp.ts'
import type { WorkCause } from '../commands/command-context.ts'

/** Every mail that the service sends, and the values in its text. */
export interface MailValues {
  /** To the account's address. The token verifies the address. */
  readonly email_verification: { readonly username: string; readonly token: string }
  /** A token with which the holder chooses a new password. */
  readonly password_reset: { readonly username: string; readonly token: string }
  /** To the account's previous address. The token reverts the change. */
  readonly email_revert: { readonly username: string; readonly newEmail: string; readonly token: string }
  /** To the account's current address, before a change. */
  readonly email_change_original: { readonly username: string; readonly code: string }
  /** To the account's new address, before a change. */
  readonly email_change_new: { readonly username: string; readonly code: string }
  /** The code that a change of the password by ticket asks for. */
  readonly password_change: { readonly username: string; readonly code: string }
  /** The code that shows the backup codes without sudo mode. */
  readonly backup_codes: { readonly username: string; readonly code: string }
  /** Somebody signs in from a network that the account does not know. The token lets that device in. */
  readonly ip_authorization: {
    readonly username: string
    readonly ip: string
    readonly userAgent: string | null
    readonly token: string
  }
  /** The holder scheduled the deletion; signing in before it is due cancels it. */
  readonly account_deletion_scheduled: { readonly username: string; readonly dueAt: Timestamp }
  /** An administrator scheduled the deletion: neutral notices, then those of enforcement. */
  readonly account_deletion_scheduled_requested: DeletionValues
  readonly account_deletion_scheduled_inactivity: DeletionValues
  readonly scheduled_deletion_notification: DeletionValues
  readonly account_scheduled_deletion: DeletionValues
  /** An administrator cancelled a scheduled deletion. */
  readonly account_deletion_cancelled: {
    readonly username: string
    /** It has subscriptions, which may have been revoked. */
    readonly hasSubscriptions?: true
  }
  /** After a password was changed or reset. */
  readonly password_changed: { readonly username: string; readonly at: Timestamp }
  /** After a session began on a network that the account had not signed in from before. */
  readonly new_sign_in: SecurityValues & { readonly ip: string; readonly userAgent: string | null }
  /** `name`: the passkey's name, which its holder or an intruder chose. */
  readonly passkey_registered: SecurityValues & { readonly name: string }
  readonly totp_enabled: SecurityValues
  readonly totp_disabled: SecurityValues
  readonly backup_codes_replaced: SecurityValues
  readonly admin_key_created: SecurityValues & { readonly name: string }
  /** `reason`: as the administrator wrote it for the holder; null if none was given. */
  readonly account_banned: {
    readonly username: string
    readonly duration_hours: number
    readonly until: Timestamp
    readonly reason: string | null
  }
  /** The same for lifting the ban. */
  readonly account_ban_lifted: { readonly username: string; readonly reason: string | null }
  /** To the reporter. `publicComment`: what the administrator says; null for nothing. */
  readonly report_resolved: { readonly username: string; readonly publicComment: string | null }
}

/** `publicReason`: what the administrator tells the holder; null for nothing. */
interface DeletionValues {
  readonly username: string
  readonly dueAt: Timestamp
  readonly publicReason: string | null
}

/** The values of every mail about a change in how to get into an account (decision 53). */
interface SecurityValues {
  readonly username: string
  readonly at: Timestamp
}

export type MailTemplate = keyof MailValues

/** The notices of a deletion that an administrator scheduled. */
export type DeletionNotice =
  | 'account_deletion_scheduled_requested'
  | 'account_deletion_scheduled_inactivity'
  | 'scheduled_deletion_notification'
  | 'account_scheduled_deletion'

export interface LetterOf<Template extends MailTemplate> {
  /** The account that the mail is about. It is deleted with the account. */
  readonly accountId: AccountId
  /** One address, as an account has it. */
  readonly to: string
  readonly template: Template
  readonly values: MailValues[Template]
  /** The account's locale; a locale without texts falls back to en-US. */
  readonly locale: string
  /** Identifies this letter: a second one with the same key is not sent. For example the id of the event behind it. */
  readonly key: string
  readonly cause: WorkCause
}

/** A mail to be sent: a template with its values. */
export type Letter = { readonly [Template in MailTemplate]: LetterOf<Template> }[MailTemplate]

/** A mail without its content, by what led to it. */
export interface CausedMail {
  readonly id: string
  readonly causationId: string
  /** Null once its account is forgotten. */
  readonly template: string | null
  readonly accountId: AccountId
  /** `kept` without a mail server; `parked` where it refuses the mail; `deleted` with its account, or as too many were unsent. */
  readonly state: 'waiting' | 'kept' | 'parked' | 'sent' | 'deleted'
  readonly createdAt: Timestamp
}

/** A mail that was not sent, without its subject and text, which hold codes and links. */
export interface UnsentMail {
  /** A number that grows from mail to mail. */
  readonly id: string
  /** Null from a version before. */
  readonly template: string | null
  /** Null from a version before. */
  readonly accountId: AccountId | null
  readonly to: string
  /** `kept` without a mail server; `parked` where it refuses the mail. */
  readonly state: 'waiting' | 'kept' | 'parked'
  /** With the one that is under way. */
  readonly tries: number
  readonly createdAt: Timestamp
  /** When a waiting mail is tried next; while it is being sent, when another process may try it. */
  readonly dueAt: Timestamp | null
  /** The code of the last try's failure. */
  readonly failure: string | null
}

/** Which unsent mails are wanted: of a state, about an account, and older than one; null for all. */
export interface WantedMails {
  readonly state: UnsentMail['state'] | null
  readonly accountId: AccountId | null
  readonly after: string | null
  readonly limit: number
}

/** Sends mails, or keeps them for the operator if there is no mail server. */
export interface Mail {
  /** Whether there is a mail server. Without one, addresses count as verified. */
  readonly canSend: boolean
  /**
   * Resolves once the letter is safely stored; it is then sent, even after a restart. A letter with a known key changes nothing;
   * keys are known for at least `mailKey_days`. Throws if `to` is not a single address, which is a mistake of the caller.
   */
  send(letter: Letter): Promise<void>
  /**
   * Does the same, and waits until the mail server has taken the letter, `deliveryWait_ms_max` at most. False if it has not by then,
   * has refused this try, or if there is no mail server: the letter then stays stored, and is sent as any other.
   */
  deliver(letter: Letter): Promise<boolean>
  /** What is known of the mails of a request, oldest first, at most `limit`: for as long as their keys are. */
  ofRequest(correlationId: string, limit: number): Promise<readonly CausedMail[]>
  /** The mails that were not sent, the newest first, at most `limit`. */
  unsent(wanted: WantedMails): Promise<readonly UnsentMail[]>
  /** Deletes the stored and waiting mails about an account. One that is already on its way to the mail server arrives. */
  forget(account: AccountId): Promise<void>
}
