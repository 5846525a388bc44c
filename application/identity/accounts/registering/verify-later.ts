import type { AccountId } from '../../../../domain/ids/ids.js'
import type { Requester } from '../../../caller.js'
import type { InstancePolicy } from '../../../../domain/instance/policy.js'
import type { Ports } from '../../../ports.js'
import { sendVerificationMail } from '../../recovery/send-verification-mail.js'

/**
 * An instance without a mail server has no way to verify addresses, and one on which people sign in by username has none to
 * verify: there they count as verified (supplement, Instance defaults; contract part 3, Verify user email).
 */
export function needsNoVerification(
  { mail }: Pick<Ports, 'mail'>,
  { accountIdentity }: InstancePolicy,
  email: string | null,
): boolean {
  return accountIdentity.signIn === 'username' || (email !== null && !mail.canSend)
}

/** Mails a token to an address that does not count as verified. */
export async function verifyLater(
  ports: Pick<Ports, 'aggregates' | 'mail' | 'tickets'>,
  { context }: Requester,
  accountId: AccountId,
): Promise<void> {
  const { state } = await ports.aggregates.account.load(accountId)
  if (state.status !== 'registered' || state.email === null || state.emailVerified) return
  const { email, username, locale } = state
  await sendVerificationMail(ports, { accountId, email, username, locale }, context)
}
