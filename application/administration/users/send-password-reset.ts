import type { AccountId } from '../../../domain/ids/ids.ts'
import type { Caller } from '../../caller.ts'
import { sendResetMail } from '../../identity/recovery/send-reset-mail.ts'
import type { Ports } from '../../ports.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { requireTarget, requireAddress } from './target-account.ts'

/**
 * Mails the holder of an account a token to choose a new password, and gives the address. Refuses with UNKNOWN_USER and
 * with INVALID_FORM_BODY with USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS, and as `requireMayAct`. A bot with an address is
 * accepted.
 */
export function sendPasswordReset(ports: ActNeeds & Pick<Ports, 'addressHash' | 'mail' | 'tickets'>) {
  return (caller: Caller, target: AccountId): Promise<string> =>
    actOnAccount(ports, caller, target, { act: 'Send password reset' }, async () => {
      const account = await requireTarget(ports, target)
      const email = requireAddress(account)
      const { username, locale } = account
      await sendResetMail(ports, { accountId: target, email, username, locale }, caller.context)
      return email
    })
}
