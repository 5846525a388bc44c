import type { AccountId } from '../../../domain/ids/ids.ts'
import { secondsAfter, type Timestamp } from '../../../domain/kernel/timestamp.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import type { Caller } from '../../caller.ts'
import { resetPassword_s, resetPasswordTicket } from '../../identity/recovery/mailed-tokens.ts'
import type { Ports } from '../../ports.ts'
import { actOnAccount, type ActNeeds } from '../acls/act-on-account.ts'
import { requireTarget } from './target-account.ts'

/** A link with which the holder of an account chooses a new password. */
export interface PasswordResetLinkObject {
  /** Carries the token in the fragment, which browsers send to no server. */
  readonly url: string
  readonly expires_at: Timestamp
}

/**
 * Makes a link to choose a new password for an account of an instance with sign-in by username. Every earlier reset
 * token and the recovery kit become invalid. Refuses with UNKNOWN_USER, BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED, and
 * MISSING_ACL if the acting credential lacks an ACL of the account. The link becomes invalid once the account gains an
 * ACL (decision 75). See rules/administration#accounts.
 */
export function createPasswordResetLink(ports: ActNeeds & Pick<Ports, 'instance' | 'queries' | 'tickets'>) {
  return async (caller: Caller, target: AccountId): Promise<PasswordResetLinkObject> => {
    const { aggregates, instance, tickets } = ports
    const { context } = caller
    return actOnAccount(ports, caller, target, { act: 'Create password reset link' }, async (guard) => {
      const { aclGains } = await requireTarget(ports, target, guard)
      await refuseBot(ports, target)
      await tickets.revokeAll(resetPasswordTicket, target)
      await aggregates.account.execute(target, { type: 'RevokeRecoveryKit' }, context)
      const payload = { accountId: target, aclGains }
      const token = await tickets.issue(resetPasswordTicket, payload, resetPassword_s, target)
      return {
        url: `${instance.webappUrl}/reset#token=${token}`,
        expires_at: secondsAfter(context.now, resetPassword_s),
      }
    })
  }
}
