import type { AccountId } from '../../../../domain/ids/ids.ts'
import type { Requester } from '../../../caller.ts'
import type { InstancePolicy } from '../../../../domain/instance/policy.ts'
import type { Ports } from '../../../ports.ts'
import { sendVerificationMail } from '../../recovery/send-verification-mail.ts'

/**
 * Addresses count as verified on an instance without a mail server, which cannot verify them, and on one with sign-in
 * by username, which has none.
 */
export function needsNoVerification(
  { mail }: Pick<Ports, 'mail'>,
  { accountIdentity }: InstancePolicy,
  email: string | null,
): boolean {
  return accountIdentity.signIn === 'username' || (email !== null && !mail.canSend)
}

/** Mails a token to an address that does not count as verified yet. */
export async function verifyLater(
  ports: Pick<Ports, 'addressHash' | 'aggregates' | 'mail' | 'tickets'>,
  { context }: Requester,
  accountId: AccountId,
): Promise<void> {
  const { state } = await ports.aggregates.account.load(accountId)
  if (state.status !== 'registered' || state.email === null || state.emailVerified) return
  const { email, username, locale } = state
  await sendVerificationMail(ports, { accountId, email, username, locale }, context)
}
