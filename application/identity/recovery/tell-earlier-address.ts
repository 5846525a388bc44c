import { revert_s, type Account } from '../../../domain/account/state.ts'
import { causeOf, type WorkCause } from '../../commands/command-context.ts'
import type { Ports } from '../../ports.ts'
import { revertEmailTicket } from './mailed-tokens.ts'

/**
 * Mails a token to the address that the account had before, with which its holder reverts the change. Does nothing if
 * the change was reverted since, or tells nobody. A second mail of a change is not sent.
 */
export async function tellEarlierAddress(
  { addressHash, mail, tickets }: Pick<Ports, 'addressHash' | 'mail' | 'tickets'>,
  { id: accountId, username, locale, email: newEmail, standingChanges }: Account,
  earlierHash: string,
  context: WorkCause,
): Promise<void> {
  const made = standingChanges.findLast(({ tells }) => tells !== null && addressHash(tells) === earlierHash)
  if (!made || made.tells === null || newEmail === null) return
  const payload = { accountId, email: made.tells, changedAt: made.at }
  const token = await tickets.issue(revertEmailTicket, payload, revert_s, accountId)
  const values = { username, newEmail, token }
  const key = `revert ${accountId} ${made.at}`
  const cause = causeOf(context)
  await mail.send({ accountId, to: made.tells, template: 'email_revert', values, locale, key, cause })
}
