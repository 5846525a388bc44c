import { hasEnded } from '../../../../domain/kernel/timestamp.ts'
import type { Account } from '../../../../domain/account/state.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { claimAddress, releaseAddress } from '../../accounts/claim-identity.ts'
import { holdingAddress } from '../../accounts/holding-address.ts'
import { ownAccountState } from '../../accounts/own-account-state.ts'
import { bySession } from '../../../access/by-session.ts'
import type { Caller } from '../../../caller.ts'
import type { CommandContext } from '../../../commands/command-context.ts'
import { reject, Refused } from '../../../commands/refused.ts'
import type { PrivateUserObject } from '../../../wire-objects/identity/user-objects.ts'
import type { Ports } from '../../../ports.ts'
import { tellEarlierAddress } from '../../recovery/tell-earlier-address.ts'
import { renewedUser } from '../renewed-user.ts'
import { emailTokenTicket } from './email-change-ticket.ts'

type Needs = Pick<Ports, 'addressHash' | 'aggregates' | 'locks' | 'mail' | 'tickets'>

/**
 * Changes the address of the caller's account to the one that a token proves; sessions survive. Refuses with
 * INVALID_FORM_BODY on `email_token` with INVALID_EMAIL_TOKEN, EMAIL_TOKEN_EXPIRED or EMAIL_ALREADY_IN_USE, and with
 * CONFLICT while another change is in progress. See rules/users#a-new-address.
 */
export function applyEmailChange(ports: Needs & Pick<Ports, 'queries' | 'readModels'>) {
  return async (caller: Caller, token: string): Promise<PrivateUserObject> => {
    await applyEmailToken(ports, caller, await ownAccountState(ports, caller), token)
    return renewedUser(ports, caller)
  }
}

/** The payload of the account's token, which stays valid. Refuses with INVALID_EMAIL_TOKEN and EMAIL_TOKEN_EXPIRED. */
export async function requireEmailToken(
  { tickets }: Pick<Ports, 'tickets'>,
  account: Account,
  token: string,
  { now }: CommandContext,
): Promise<void> {
  const found = await tickets.look(emailTokenTicket, token)
  if (found?.accountId !== account.id || found.from !== account.email) return refuseToken('INVALID_EMAIL_TOKEN')
  if (hasEnded(found.expiresAt, now)) refuseToken('EMAIL_TOKEN_EXPIRED')
}

/** Uses up a token and gives the account its address, verified. Refuses as `applyEmailChange`. */
export async function applyEmailToken(ports: Needs, caller: Caller, account: Account, token: string): Promise<void> {
  await requireEmailToken(ports, account, token, caller.context)
  const taken = await ports.tickets.take(emailTokenTicket, token)
  // Another request used the token first.
  if (!taken) return refuseToken('INVALID_EMAIL_TOKEN')
  await changeAddress(ports, caller, account, taken.email, 'email_token')
}

/**
 * Claims the new address first and releases the old one last. If the process dies in between, a process manager mails the token and
 * releases the address that the account does not have. The token, mailed to the old address, can revert the change. Refuses with
 * INVALID_FORM_BODY with EMAIL_ALREADY_IN_USE on `path`, and as `holdingAddress`.
 */
export function changeAddress(
  ports: Needs,
  { credential, context }: Pick<Caller, 'context' | 'credential'>,
  account: Account,
  email: string,
  path: 'email_token' | 'new_email',
): Promise<void> {
  return holdingAddress(ports, account.id, async () => {
    const { id, email: from } = account
    const fromHash = from === null ? undefined : ports.addressHash(from)
    try {
      await claimAddress(ports, ports.addressHash(email), id, context, fromHash)
    } catch (error) {
      // The address was free when the change was requested.
      if (!(error instanceof Refused) || error.refusal.code !== 'INVALID_FORM_BODY') throw error
      return reject('INVALID_FORM_BODY', field(path, 'EMAIL_ALREADY_IN_USE'))
    }
    const address = { email, from, verified: true, ...bySession({ credential }) }
    const change = { type: 'ChangeEmailAddress', ...address, now: context.now } as const
    const { state } = await ports.aggregates.account.execute(id, change, context)
    if (from === null || fromHash === undefined || state.status !== 'registered') return
    // In a repeat of this command, an earlier try made the change, and it may be reverted already.
    if (state.email === email) await tellEarlierAddress(ports, state, fromHash, context)
    if (state.email !== from) await releaseAddress(ports, fromHash, id, context)
  })
}

function refuseToken(code: 'INVALID_EMAIL_TOKEN' | 'EMAIL_TOKEN_EXPIRED'): never {
  return reject('INVALID_FORM_BODY', field('email_token', code))
}
