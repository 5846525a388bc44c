import type { AccountId } from '../../../domain/ids/ids.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import type { Caller } from '../../caller.ts'
import { resendVerificationTo, type ResendingNeeds } from '../../identity/recovery/verify-email-address.ts'
import type { Ports } from '../../ports.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { requireTarget, requireAddress } from './target-account.ts'

/**
 * Mails the holder of an account another token that verifies its address, and gives the address. Sends nothing if the
 * address is verified already and has not bounced since. Refuses with UNKNOWN_USER,
 * BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED, INVALID_FORM_BODY with USER_DOES_NOT_HAVE_AN_EMAIL_ADDRESS, RATE_LIMITED, and
 * as `requireMayAct`.
 */
export function resendUserVerification(ports: ActNeeds & ResendingNeeds & Pick<Ports, 'aggregates' | 'queries'>) {
  return (caller: Caller, target: AccountId): Promise<string> =>
    actOnAccount(ports, caller, target, { act: 'Resend verification email' }, async () => {
      const account = await requireTarget(ports, target)
      await refuseBot(ports, target)
      const email = requireAddress(account)
      await resendVerificationTo(ports, account, caller.context)
      return email
    })
}
