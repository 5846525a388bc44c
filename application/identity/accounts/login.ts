import { accountId as accountIdOf, type AccountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { field } from '../../../domain/kernel/refusal.ts'
import { refuseBot } from '../../access/refuse-bots.ts'
import type { Caller, Requester } from '../../caller.ts'
import { insteadOf, reject } from '../../commands/refused.ts'
import type { Ports } from '../../ports.ts'
import { acceptCarriedInvite } from './accept-carried-invite.ts'
import { isPasswordOf } from './is-password-of.ts'
import { knownDevice } from './known-device.ts'
import { chargeKnownDevice, chargeLogin, refuseByBrake } from './sign-in-allowances.ts'
import { signIn, type MfaChallenge } from './sign-in.ts'
import type { AuthToken } from './start-session.ts'
import { holderOfTag, tagKey, tagMeant } from './tag-text.ts'

export interface Credentials {
  /** Normalised; null if not sent. The instance decides which name signs in. */
  readonly email: string | null
  /** As sent; null or absent if not sent. */
  readonly username?: string | null
  readonly password: string
  /** An invite to accept after the sign-in, unless that needs a second factor. If accepting fails, the login still succeeds. */
  readonly inviteCode: string | null
}

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'aggregates'
  | 'allowances'
  | 'deferred'
  | 'instancePolicies'
  | 'limits'
  | 'locks'
  | 'mail'
  | 'messages'
  | 'passwords'
  | 'presence'
  | 'queries'
  | 'readModels'
  | 'reservations'
  | 'tickets'
>

/** A request that may carry a session, which can show that the device is known. */
export type LoginRequester = Requester & Partial<Pick<Caller, 'account' | 'credential'>>

/** Its credentials are checked for an unknown name, so that the time taken does not reveal that it is unknown. */
const nobody = accountIdOf(snowflake('0'))

/**
 * Signs in by password, and by e-mail address or username as the instance requires. A wrong name and a wrong password
 * get the same refusal after the same work: INVALID_FORM_BODY with INVALID_EMAIL_OR_PASSWORD on both fields. Before
 * that, refuses with INVALID_FORMAT on a missing name, and with RATE_LIMITED after five tries in 15 minutes under one
 * name. A device that the account knows passes this brake with the right password; with a wrong one it gets the same
 * answer as a stranger, so strangers learn of no known devices (decision 177). An account with a second factor gets a
 * challenge instead of a session, and a bot BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED. See rules/credentials#sign-in.
 */
export function login(ports: Needs) {
  return async (
    requester: LoginRequester,
    { password, inviteCode, ...names }: Credentials,
  ): Promise<AuthToken | MfaChallenge> => {
    const { accountIdentity } = await ports.instancePolicies.current()
    const { signIn: by } = accountIdentity
    const name = by === 'email' ? nameByEmail(ports, names) : nameByTag(ports, names)
    const brake = await chargeLogin(ports, name.key, requester.ip)
    const { holder, account } = await credentialsOf(ports, await name.holder())
    if (brake) {
      const device = account && knownDevice(account, requester)
      if (device === undefined) return refuseByBrake(brake)
      await chargeKnownDevice(ports, name.key, device, requester.ip)
    }
    const isRight = await isPasswordOf(ports, account, password, requester)
    const refuseAsWrong = (): never => (brake ? refuseByBrake(brake) : refuse(by))
    if (!isRight || holder === undefined || account === undefined) return refuseAsWrong()
    await refuseBot(ports, holder)
    // The password changed, or the erasure of the account began, after the password was checked.
    const signedIn = await signIn(ports, requester, holder, { provedUnder: account.credentialVersion })
      .catch(insteadOf('UNAUTHORIZED', refuseAsWrong))
      .catch(insteadOf('UNKNOWN_USER', refuseAsWrong))
    if (signedIn.outcome === 'signed in') await acceptCarriedInvite(ports, signedIn.caller, inviteCode)
    return signedIn.answer
  }
}

/** The name that somebody signs in with. */
interface SignInName {
  /** The name's key for the allowances. */
  readonly key: string
  readonly holder: () => Promise<AccountId | undefined>
}

function nameByEmail({ addressHash, aggregates }: Needs, { email }: Pick<Credentials, 'email'>): SignInName {
  if (email === null) return reject('INVALID_FORM_BODY', field('email', 'INVALID_FORMAT'))
  const key = addressHash(email)
  const holder = async (): Promise<AccountId | undefined> => {
    const { state } = await aggregates.emailAddress.load(key)
    return state.status === 'held' ? state.accountId : undefined
  }
  return { key, holder }
}

function nameByTag(ports: Needs, { username = null }: Pick<Credentials, 'username'>): SignInName {
  if (username === null) return reject('INVALID_FORM_BODY', field('username', 'INVALID_FORMAT'))
  const tag = tagMeant(username)
  return { key: tagKey(tag), holder: () => holderOfTag(ports, tag) }
}

async function credentialsOf({ aggregates }: Needs, holder: AccountId | undefined) {
  const { state } = await aggregates.account.load(holder ?? nobody)
  return { holder, account: state.status === 'registered' ? state : undefined }
}

function refuse(name: 'email' | 'username'): never {
  const code = 'INVALID_EMAIL_OR_PASSWORD'
  return reject('INVALID_FORM_BODY', field(name, code), field('password', code))
}
