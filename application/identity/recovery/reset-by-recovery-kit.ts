import type { Account } from '../../../domain/account/state.ts'
import { accountId as accountIdOf, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { requireMayHaveSession } from '../accounts/require-may-have-session.ts'
import { requireUncommonPassword } from '../accounts/registering/require-uncommon-password.ts'
import { signIn, type MfaChallenge, type SignInNeeds } from '../accounts/sign-in.ts'
import type { AuthToken } from '../accounts/start-session.ts'
import { holderOfTag, tagKey, tagMeant } from '../accounts/tag-text.ts'
import type { Requester } from '../../caller.ts'
import { contextWith } from '../../commands/following-context.ts'
import { reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { chargeRecovery } from './recovery-allowances.ts'
import { isRecoveryKey, recoveryKeyHash } from './recovery-key.ts'

/** A recovery key, the account's name, and the new password. */
export interface KitReset {
  /** As sent: a username, or a tag on instances with discriminators. */
  readonly username: string
  readonly recoveryKey: string
  readonly password: string
}

type Needs = SignInNeeds & Pick<Ports, 'allowances' | 'passwords'>

/** The account whose kit is checked for an unknown name, so that the work is the same. */
const nobody = accountIdOf(snowflake('0'))

/**
 * Sets a new password by an account's recovery key, which works once. All sessions end; then a new one starts, or a second factor
 * is needed. An unknown name, an account without a kit, and a wrong key get the same refusal: INVALID_FORM_BODY with INVALID_CODE
 * on `username` and `recovery_key`. Before that, refuses with PASSWORD_IS_TOO_COMMON on `password`, RATE_LIMITED, and as
 * `requireMayHaveSession`; these do not use up the kit.
 */
export function resetByRecoveryKit(ports: Needs) {
  return async (requester: Requester, given: KitReset): Promise<AuthToken | MfaChallenge> => {
    const { aggregates, passwords } = ports
    const { recoveryKey, password } = given
    requireUncommonPassword(password)
    const tag = tagMeant(given.username)
    await chargeRecovery(ports, tagKey(tag), requester.ip)
    const account = await keptBy(ports, (await holderOfTag(ports, tag)) ?? nobody, recoveryKey)
    if (!account) return refuseKey()
    requireMayHaveSession(account, requester.context.now)
    const passwordHash = await passwords.hash(password, requester)
    const context = contextWith(requester.context, { actor: { kind: 'account', id: account.id } })
    const keyHash = recoveryKeyHash(recoveryKey)
    const reset = { type: 'ResetByRecoveryKit', keyHash, passwordHash, now: context.now } as const
    const { state } = await aggregates.account.execute(account.id, reset, context)
    if (state.status !== 'registered') return refuseKey()
    const { answer } = await signIn(ports, requester, account.id, { provedUnder: state.credentialVersion })
    return answer
  }
}

/** The account, if the key is the one of its kit. */
async function keptBy(
  { aggregates }: Pick<Ports, 'aggregates'>,
  id: AccountId,
  key: string,
): Promise<Account | undefined> {
  const { state } = await aggregates.account.load(id)
  const account = state.status === 'registered' ? state : undefined
  return isRecoveryKey(account?.recoveryKit?.keyHash ?? null, key) ? account : undefined
}

function refuseKey(): never {
  return reject('INVALID_FORM_BODY', field('username', 'INVALID_CODE'), field('recovery_key', 'INVALID_CODE'))
}
