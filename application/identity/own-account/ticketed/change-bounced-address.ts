import type { Account } from '../../../../domain/account/state.ts'
import type { AccountId } from '../../../../domain/ids/ids.ts'
import { field } from '../../../../domain/kernel/refusal.ts'
import { ownAccountState } from '../../accounts/own-account-state.ts'
import { requireUnlistedAddress } from '../../../content-rules/require-unlisted-address.ts'
import type { Caller } from '../../../caller.ts'
import { reject } from '../../../commands/refused.ts'
import { requireCooledDown, requireEmailedCode } from '../../emailed-codes/code-checks.ts'
import { newEmailedCode, type EmailedCode } from '../../emailed-codes/emailed-code.ts'
import type { PrivateUserObject } from '../../../wire-objects/identity/user-objects.ts'
import { ticketKind } from '../../../secrets/ticket-kind.ts'
import type { Ports } from '../../../ports.ts'
import { renewedUser } from '../renewed-user.ts'
import { changeAddress } from './apply-email-change.ts'
import { chargeMail } from './change-mail-allowances.ts'
import { emailChange_s } from './email-change-ticket.ts'
import {
  mailCodeToNewAddress,
  requestedAddress,
  requireFreeAddress,
  type RequestedAddress,
} from './prove-new-address.ts'

/**
 * Changes an address that cannot be proved, since mails to it bounce: with one code, to the new address. Each step
 * refuses with ACCESS_DENIED unless the current address is marked as bounced (rules/users#a-new-address).
 */
type Needs = Pick<Ports, 'addressHash' | 'aggregates' | 'allowances' | 'blocklistBox' | 'mail' | 'queries' | 'tickets'>

interface BouncedChange {
  readonly accountId: AccountId
  /** The bouncing address. Once the account has another one, the ticket is invalid. */
  readonly from: string | null
  readonly email: string
  readonly code: EmailedCode
  readonly isCompleted: boolean
}

const bouncedChangeTicket = ticketKind<BouncedChange>('bounced email change', 'uuid')

/**
 * Mails a code to the new address. Refuses with INVALID_FORM_BODY on `new_email` with NEW_EMAIL_MUST_BE_DIFFERENT or
 * EMAIL_ALREADY_IN_USE, with CONTENT_BLOCKED for a listed address, and with RATE_LIMITED.
 */
export function replaceBouncedAddress(ports: Needs) {
  return async (caller: Caller, newEmail: string): Promise<RequestedAddress> => {
    const account = await bouncedAccount(ports, caller)
    await requireFreeAddress(ports, account, newEmail)
    await requireUnlistedAddress(ports, newEmail)
    await chargeMail(ports, 'codes to new address', account.id)
    const { text, kept } = newEmailedCode(caller.context)
    const change = { accountId: account.id, from: account.email, email: newEmail, code: kept, isCompleted: false }
    const ticket = await ports.tickets.issue(bouncedChangeTicket, change, emailChange_s, account.id)
    await mailCodeToNewAddress(ports, caller, account, newEmail, text)
    return requestedAddress(ticket, newEmail, kept)
  }
}

/**
 * Mails a new code; the earlier one becomes invalid. Refuses with INVALID_FORM_BODY on `ticket` with INVALID_OR_EXPIRED_TICKET or
 * TICKET_ALREADY_COMPLETED, and with RATE_LIMITED, also within 30 s of the last mail.
 */
export function resendToReplacingAddress(ports: Needs) {
  return async (caller: Caller, ticket: string): Promise<void> => {
    const { context } = caller
    const account = await bouncedAccount(ports, caller)
    requireCooledDown(live(await ports.tickets.look(bouncedChangeTicket, ticket), account), context)
    await chargeMail(ports, 'codes to new address', account.id)
    const { text, kept } = newEmailedCode(context)
    const { email } = await moveOn(ports, account, ticket, (change) => {
      requireCooledDown(change, context)
      return { ...change, code: kept }
    })
    await mailCodeToNewAddress(ports, caller, account, email, text)
  }
}

/**
 * Uses up the code and gives the account the new address, verified; sessions survive. Refuses on `ticket` as resending does, on
 * `code` as `requireEmailedCode`, on `new_email` with EMAIL_ALREADY_IN_USE if somebody else has it by now, and as
 * `changeAddress`.
 */
export function proveReplacingAddress(ports: Needs & Pick<Ports, 'locks' | 'readModels'>) {
  return async (caller: Caller, ticket: string, code: string): Promise<PrivateUserObject> => {
    const { context } = caller
    const account = await bouncedAccount(ports, caller)
    const { email } = await moveOn(ports, account, ticket, (change) => {
      requireEmailedCode(change, code, context)
      return { ...change, isCompleted: true }
    })
    await changeAddress(ports, caller, account, email, 'new_email')
    return renewedUser(ports, caller)
  }
}

async function bouncedAccount(ports: Needs, caller: Caller): Promise<Account> {
  const account = await ownAccountState(ports, caller)
  return account.emailBounced ? account : reject('ACCESS_DENIED')
}

async function moveOn(
  { tickets }: Needs,
  account: Account,
  ticket: string,
  next: (change: BouncedChange) => BouncedChange,
): Promise<BouncedChange> {
  const changed = await tickets.change(bouncedChangeTicket, ticket, (found) => next(live(found, account)))
  return live(changed && { ...changed, isCompleted: false }, account)
}

function live(change: BouncedChange | undefined, account: Account): BouncedChange {
  if (change?.accountId !== account.id || change.from !== account.email) {
    return reject('INVALID_FORM_BODY', field('ticket', 'INVALID_OR_EXPIRED_TICKET'))
  }
  return change.isCompleted ? reject('INVALID_FORM_BODY', field('ticket', 'TICKET_ALREADY_COMPLETED')) : change
}
