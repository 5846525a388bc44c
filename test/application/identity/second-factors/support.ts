import { completeWithTotp } from '../../../../application/identity/second-factors/complete-with-totp.ts'
import { enableTotp } from '../../../../application/identity/second-factors/enable-totp.ts'
import { login } from '../../../../application/identity/accounts/login.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { msOf } from '../../../../domain/kernel/timestamp.ts'
import { authenticator, type Authenticator } from '../../../support/authenticator.ts'
import type { World } from '../../support/world.ts'

export interface Protected {
  readonly id: AccountId
  readonly app: Authenticator
  /** A code that is valid now; at most two of them. */
  code(): string
  readonly backupCodes: readonly string[]
}

/** An account with an address, a password and TOTP; one of the two current codes is used. */
export async function protectedAccount(on: World, name = 'Ada'): Promise<Protected> {
  const id = await on.newcomer(name)
  const app = authenticator()
  const code = () => app.code(msOf(on.now))
  const { backup_codes: codes } = await enableTotp(on.ports)(await on.as(id), { secret: app.secret, code: code() })
  return { id, app, code, backupCodes: codes.map((one) => one.code) }
}

/** The answer to a right password. */
export const logIn = (on: World, name = 'Ada') =>
  login(on.ports)(on.requester(), { email: `${name}@example.com`, password: 'a password', inviteCode: null })

/** The ticket of the challenge that follows a right password. */
export async function ticketOf(on: World, name = 'Ada'): Promise<string> {
  const answer = await logIn(on, name)
  if (!('mfa' in answer)) throw new Error('No second factor was asked for')
  return answer.ticket
}

export const complete = (on: World, ticket: string, code: string) =>
  completeWithTotp(on.ports)(on.requester(), { ticket, code })
