import type { AccountId } from '../../domain/ids/ids.js'
import type { Timestamp } from '../../domain/kernel/timestamp.js'

/** Every mail that the service sends, and what its text needs. */
export interface MailValues {
  /** To the address of the account, which its token verifies (reference identity 4.8). */
  readonly email_verification: { readonly username: string; readonly token: string }
  /** Reference identity 4.9. */
  readonly password_reset: { readonly username: string; readonly token: string }
  /** To the address that the account had until now; its token takes the change back (reference identity 4.10). */
  readonly email_revert: { readonly username: string; readonly newEmail: string; readonly token: string }
  /** To the address that the account has, before it may be changed (reference identity 6.5). */
  readonly email_change_original: { readonly username: string; readonly code: string }
  /** To the address that the account is to have (reference identity 6.5). */
  readonly email_change_new: { readonly username: string; readonly code: string }
  /** Reference identity 6.6. */
  readonly password_change: { readonly username: string; readonly code: string }
  /** Reference identity 5.5, the challenge for backup codes. */
  readonly backup_codes: { readonly username: string; readonly code: string }
  /** Reference identity 4.11. */
  readonly ip_authorization: {
    readonly username: string
    readonly ip: string
    readonly userAgent: string | null
    readonly token: string
  }
  /** Reference identity 6.3, Delete current account. */
  readonly account_deletion_scheduled: { readonly username: string; readonly dueAt: Timestamp }
  /** After a password was changed or reset. */
  readonly password_changed: { readonly username: string; readonly at: Timestamp }
  /** After a session began from a network that the account had not signed in from. */
  readonly new_sign_in: SecurityValues & { readonly ip: string; readonly userAgent: string | null }
  /** `name`: as its holder, or somebody else, has called it. */
  readonly passkey_registered: SecurityValues & { readonly name: string }
  readonly totp_enabled: SecurityValues
  readonly totp_disabled: SecurityValues
  readonly backup_codes_replaced: SecurityValues
  readonly admin_key_created: SecurityValues & { readonly name: string }
}

/** What every mail says that tells of what lets somebody into an account (decision 53). */
interface SecurityValues {
  readonly username: string
  readonly at: Timestamp
}

export type MailTemplate = keyof MailValues

export interface LetterOf<Template extends MailTemplate> {
  /** The account that it is about: it is forgotten with it. */
  readonly accountId: AccountId
  /** One address, as an account has it. */
  readonly to: string
  readonly template: Template
  readonly values: MailValues[Template]
  /** The account's; a language that has no texts is answered in en-US. */
  readonly locale: string
  /** Names this letter among all: a second one with the same key is not sent. Such as the event that it tells of. */
  readonly key: string
}

/** A mail to be sent: a template with its values. */
export type Letter = { readonly [Template in MailTemplate]: LetterOf<Template> }[MailTemplate]

/** Sends mails, or keeps them for the operator where there is no mail server. */
export interface Mail {
  /** Whether there is a mail server. Without one addresses count as verified (supplement, Instance defaults). */
  readonly canSend: boolean
  /**
   * Resolves once the letter is handed over for good: it is sent then, also after a restart. One whose key is known already,
   * for `mailKey_days` at least, changes nothing. Throws where `to` is no single address, which is a mistake of the caller.
   */
  send(letter: Letter): Promise<void>
  /** Forgets what is kept, or waits to be sent, about an account. One that is on its way to the mail server arrives. */
  forget(account: AccountId): Promise<void>
}

export const mailKey_days = 7
