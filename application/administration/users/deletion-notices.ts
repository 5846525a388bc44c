import { deletionReasons } from '../../../domain/account/deletion-reasons.ts'
import type { Account } from '../../../domain/account/state.ts'
import type { Timestamp } from '../../../domain/kernel/timestamp.ts'
import { causeOf, type CommandContext } from '../../commands/command-context.ts'
import type { DeletionNotice, LetterOf } from '../../ports/mail.ts'

type Notice = { readonly [Template in DeletionNotice]: LetterOf<Template> }[DeletionNotice]

interface NoticedDeletion {
  readonly reasonCode: number
  readonly publicReason: string | null
  readonly dueAt: Timestamp
}

/**
 * The mail that tells the holder of the deletion: a neutral notice for USER_REQUESTED and INACTIVITY, a notice of enforcement for
 * every other reason. Null for an account without an address. An unverified address counts: there is no other way to the holder.
 */
export function deletionNotice(
  { id: accountId, email, username, locale }: Pick<Account, 'id' | 'email' | 'username' | 'locale'>,
  { reasonCode, publicReason, dueAt }: NoticedDeletion,
  context: CommandContext,
): Notice | null {
  if (email === null) return null
  const template = templateFor(reasonCode)
  // An empty reason says nothing.
  const values = { username, dueAt, publicReason: publicReason === '' ? null : publicReason }
  const key = `${template} ${context.commandId}`
  return { accountId, to: email, locale, template, values, key, cause: causeOf(context) }
}

function templateFor(reasonCode: number): DeletionNotice {
  switch (reasonCode) {
    case deletionReasons.USER_REQUESTED:
      return 'account_deletion_scheduled_requested'
    case deletionReasons.INACTIVITY:
      return 'account_deletion_scheduled_inactivity'
    case deletionReasons.OTHER:
      return 'scheduled_deletion_notification'
    default:
      return 'account_scheduled_deletion'
  }
}
