import { accountId as accountIdOf, type AccountId } from '../../domain/ids/ids.js'
import { snowflake } from '../../domain/ids/snowflake.js'
import { field } from '../../domain/kernel/refusal.js'
import type { Requester } from '../caller.js'
import { reject } from '../commands/refused.js'
import type { Ports } from '../ports.js'
import { acceptCarriedInvite } from './accept-carried-invite.js'
import { chargeLogin } from './sign-in-allowances.js'
import { signIn, type MfaChallenge } from './sign-in.js'
import type { AuthToken } from './start-session.js'

export interface Credentials {
  /** Normalised. */
  readonly email: string
  readonly password: string
  /** An invite to accept once signed in, where that takes no second factor; its failure does not fail the login. */
  readonly inviteCode: string | null
}

type Needs = Pick<
  Ports,
  | 'addressHash'
  | 'aggregates'
  | 'allowances'
  | 'limits'
  | 'passwords'
  | 'presence'
  | 'queries'
  | 'readModels'
  | 'room'
  | 'tickets'
>

/** Whose credentials are looked at where an address is nobody's, so that nobody can tell by the time it takes. */
const nobody = accountIdOf(snowflake('0'))

/**
 * Signs in by e-mail address and password. A wrong address and a wrong password are one and the same: INVALID_FORM_BODY with
 * INVALID_EMAIL_OR_PASSWORD on both fields, after the same work. Refuses with RATE_LIMITED before. Who has a second factor gets
 * a challenge in place of a session. Reference identity 4.4.
 */
export function login(ports: Needs) {
  return async (
    requester: Requester,
    { email, password, inviteCode }: Credentials,
  ): Promise<AuthToken | MfaChallenge> => {
    const addressHash = ports.addressHash(email)
    await chargeLogin(ports, addressHash, requester.ip)
    const { holder, passwordHash } = await credentialsBehind(ports, addressHash)
    const isRight = await ports.passwords.verify(password, passwordHash)
    if (!isRight || holder === undefined) return refuse()
    const signedIn = await signIn(ports, requester, holder)
    if (signedIn.outcome === 'signed in') await acceptCarriedInvite(ports, signedIn.caller, inviteCode)
    return signedIn.answer
  }
}

async function credentialsBehind({ aggregates }: Needs, addressHash: string) {
  const { state: address } = await aggregates.emailAddress.load(addressHash)
  const holder: AccountId | undefined = address.status === 'held' ? address.accountId : undefined
  const { state: account } = await aggregates.account.load(holder ?? nobody)
  return { holder, passwordHash: account.status === 'registered' ? account.passwordHash : null }
}

function refuse(): never {
  const code = 'INVALID_EMAIL_OR_PASSWORD'
  return reject('INVALID_FORM_BODY', field('email', code), field('password', code))
}
