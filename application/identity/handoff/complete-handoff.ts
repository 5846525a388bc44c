import type { AccountId } from '../../../domain/ids/ids.ts'
import { msOf } from '../../../domain/kernel/timestamp.ts'
import { startSession } from '../accounts/start-session.ts'
import { sessionTokenHash } from '../tokens/session-token.ts'
import type { Caller, Requester } from '../../caller.ts'
import { reject } from '../../commands/refused.ts'
import type { AccountRecord } from '../../ports/queries/account-queries.ts'
import type { Ports } from '../../ports.ts'
import { clientInfo, type ClientInfo } from '../sessions/client-info.ts'
import { countFailure, requireNotBlocked } from './failed-attempts.ts'
import {
  handoffLookups_max,
  handoffTicket,
  handoffToken_s_min,
  typedHandoffCode,
  type Handoff,
  type HandoffState,
} from './handoff.ts'

/** What the signed-in device is shown of the waiting one. */
export interface HandoffInfo {
  readonly status: 'pending' | 'expired'
  readonly client_info: ClientInfo | null
}

/** The body of Complete handoff. */
export interface HandoffCompletion {
  readonly code: string
  /** Takes precedence over the header; null if not given. */
  readonly token: string | null
  readonly userId: AccountId
}

/** A requester who may have sent a credential. */
export type Signatory = Requester & Partial<Pick<Caller, 'account' | 'credential'>>

type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'queries' | 'readModels' | 'tickets'>

/**
 * Information about the device that waits under a code, at most `handoffLookups_max` times per code. The one who signs
 * the device in must look at it first. An unknown code reads as expired and counts as a failure. Refuses with
 * INVALID_HANDOFF_CODE, also after too many failures. See rules/credentials#handoff.
 */
export function getHandoffInfo(ports: Pick<Ports, 'allowances' | 'tickets'>) {
  return async (requester: Requester, code: string): Promise<HandoffInfo> => {
    await requireNotBlocked(ports, requester)
    const looked = { was: false }
    const found = await ports.tickets.change(handoffTicket, typedHandoffCode(code), (handoff) => {
      looked.was = handoff.state.is === 'pending' && handoff.lookups < handoffLookups_max
      return looked.was ? { ...handoff, lookups: handoff.lookups + 1 } : handoff
    })
    if (found && looked.was) return { status: 'pending', client_info: clientInfo(found.userAgent) }
    await countFailure(ports, requester)
    return { status: 'expired', client_info: null }
  }
}

/**
 * Signs in the device that waits under a code, by a session of the caller's account. The new session has the address of
 * that device. Refuses in this order: UNAUTHORIZED without a token, INVALID_TOKEN for a dead one,
 * SESSION_TOKEN_MISMATCH for another account's, BOT_USER_AUTH_SESSION_CREATION_DENIED, and INVALID_HANDOFF_CODE for a
 * code that is unknown, was not looked at, or was used, which counts as a failure, and after too many failures. See
 * rules/credentials#handoff.
 */
export function completeHandoff(ports: Needs) {
  return async (signatory: Signatory, { code, token, userId }: HandoffCompletion): Promise<void> => {
    const { account, vouchedBy } = await sessionBehind(ports, signatory, token)
    if (account.id !== userId) return reject('SESSION_TOKEN_MISMATCH')
    if (account.bot) return reject('BOT_USER_AUTH_SESSION_CREATION_DENIED')
    await requireNotBlocked(ports, signatory)
    const typed = typedHandoffCode(code)
    const handoff = await reserve(ports, typed)
    if (!handoff) {
      await countFailure(ports, signatory)
      return reject('INVALID_HANDOFF_CODE')
    }
    await signIn(ports, signatory, { typed, handoff, accountId: account.id, vouchedBy })
  }
}

/** The account and session that vouch for the device. */
interface Voucher {
  readonly account: AccountRecord
  readonly vouchedBy: string | undefined
}

/** The account of the token in the body, otherwise of the header's. */
async function sessionBehind(
  { queries }: Needs,
  { account, authorization, credential }: Signatory,
  token: string | null,
): Promise<Voucher> {
  if (token !== null) {
    const vouchedBy = sessionTokenHash(token)
    return { account: (await queries.accounts.bySession(vouchedBy)) ?? reject('INVALID_TOKEN'), vouchedBy }
  }
  if (authorization === null || authorization.trim() === '') return reject('UNAUTHORIZED')
  if (credential?.kind === 'bearer') return reject('ACCESS_DENIED')
  const vouchedBy = credential?.kind === 'session' ? credential.tokenHash : undefined
  return { account: account ?? reject('INVALID_TOKEN'), vouchedBy }
}

/** If several requests complete it at once, only one does. */
async function reserve({ tickets }: Needs, typed: string): Promise<Handoff | undefined> {
  const reserved = { is: false }
  const found = await tickets.change(handoffTicket, typed, (handoff) => {
    reserved.is = handoff.state.is === 'pending' && handoff.lookups > 0
    return reserved.is ? { ...handoff, state: { is: 'completing' } as const } : handoff
  })
  return reserved.is ? found : undefined
}

interface Reserved {
  readonly typed: string
  readonly handoff: Handoff
  readonly accountId: AccountId
  /** The session that signs the device in. Signing out everywhere meanwhile ends that session, and the handoff with it. */
  readonly vouchedBy: string | undefined
}

/** If the account may start no session, the device continues to wait. If the device has given up meanwhile, its session ends. */
async function signIn(
  ports: Needs,
  requester: Requester,
  { typed, handoff, accountId, vouchedBy }: Reserved,
): Promise<void> {
  const { aggregates, tickets } = ports
  const { ip, userAgent, expiresAt } = handoff
  const settle = (state: HandoffState, lifetime_s?: number): Promise<Handoff | undefined> =>
    tickets.change(handoffTicket, typed, (kept) => ({ ...kept, state }), lifetime_s)
  const terms = { device: { ip, userAgent }, ...(vouchedBy !== undefined && { vouchedBy }) }
  const { answer } = await startSession(ports, requester, accountId, terms).catch(async (error: unknown) => {
    await settle({ is: 'pending' })
    throw error
  })
  const left_s = (msOf(expiresAt) - msOf(requester.context.now)) / 1000
  const completed = { is: 'completed', accountId, token: answer.token } as const
  if (await settle(completed, Math.max(left_s, handoffToken_s_min))) return
  const end = { type: 'EndSession', tokenHash: sessionTokenHash(answer.token) } as const
  await aggregates.account.execute(accountId, end, requester.context)
  reject('INVALID_HANDOFF_CODE')
}
