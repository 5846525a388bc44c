import { accountId as accountIdOf, type AccountId } from '../../../domain/ids/ids.js'
import { snowflake } from '../../../domain/ids/snowflake.js'
import { field } from '../../../domain/kernel/refusal.js'
import { refuseBot } from '../../access/refuse-bots.js'
import type { Caller, Requester } from '../../caller.js'
import { reject, Refused } from '../../commands/refused.js'
import type { Ports } from '../../ports.js'
import { acceptCarriedInvite } from './accept-carried-invite.js'
import { knownDevice } from './known-device.js'
import { chargeKnownDevice, chargeLogin, refuseByBrake } from './sign-in-allowances.js'
import { signIn, type MfaChallenge } from './sign-in.js'
import type { AuthToken } from './start-session.js'
import { holderOfTag, tagKey, tagMeant } from './tag-text.js'

export interface Credentials {
  /** Normalised; null where none was sent. What one signs in with is for the instance to say. */
  readonly email: string | null
  /** As it was sent; null or absent where none was. */
  readonly username?: string | null
  readonly password: string
  /** An invite to accept once signed in, where that takes no second factor; its failure does not fail the login. */
  readonly inviteCode: string | null
}

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'aggregates'
  | 'allowances'
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

/** A request that may carry a session, which is told apart from a stranger's. */
export type LoginRequester = Requester & Partial<Pick<Caller, 'account' | 'credential'>>

/** Whose credentials are looked at where an address is nobody's, so that nobody can tell by the time it takes. */
const nobody = accountIdOf(snowflake('0'))

/**
 * Signs in by password, and by e-mail address or username as the instance has it. A wrong name and a wrong password are one and
 * the same: INVALID_FORM_BODY with INVALID_EMAIL_OR_PASSWORD on both fields, after the same work. Refuses before with
 * INVALID_FORMAT on the name that was not sent, and with RATE_LIMITED: after five tries in 15 minutes under one name whoever sends
 * another, but for a device that the account knows, which signs in with the right password; with a wrong one it is told the same as
 * a stranger, who so learns of no device (decision 53). Who has a second factor gets a challenge in place of a
 * session, and a bot BOT_USER_AUTH_ENDPOINT_ACCESS_DENIED. Reference identity 4.4.
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
    const isRight = await ports.passwords.verify(password, account?.passwordHash ?? null, requester)
    if (!isRight || holder === undefined) return brake ? refuseByBrake(brake) : refuse(by)
    await refuseBot(ports, holder)
    const signedIn = await signIn(ports, requester, holder).catch((error: unknown) => {
      // Erasing the account has begun since its password was looked at.
      if (error instanceof Refused && error.refusal.code === 'UNKNOWN_USER') return refuse(by)
      throw error
    })
    if (signedIn.outcome === 'signed in') await acceptCarriedInvite(ports, signedIn.caller, inviteCode)
    return signedIn.answer
  }
}

/** By what somebody says who they are. */
interface SignInName {
  /** Names it to the allowances. */
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
