import type { AccountId } from '../../../domain/ids/ids.js'
import { msOf } from '../../../domain/kernel/timestamp.js'
import { startSession } from '../accounts/start-session.js'
import { sessionTokenHash } from '../tokens/session-token.js'
import type { Caller, Requester } from '../../caller.js'
import { reject } from '../../commands/refused.js'
import type { AccountRecord } from '../../ports/queries/account-queries.js'
import type { Ports } from '../../ports.js'
import { clientInfo, type ClientInfo } from '../sessions/client-info.js'
import { countFailure, requireNotBlocked } from './failed-attempts.js'
import {
  handoffLookups_max,
  handoffTicket,
  handoffToken_s_min,
  typedHandoffCode,
  type Handoff,
  type HandoffState,
} from './handoff.js'

/** Reference identity 4.1, Handoff info. */
export interface HandoffInfo {
  readonly status: 'pending' | 'expired'
  readonly client_info: ClientInfo | null
}

/** The body of Complete handoff. */
export interface HandoffCompletion {
  readonly code: string
  /** Wins over the header; null where none is given. */
  readonly token: string | null
  readonly userId: AccountId
}

/** Somebody who may have sent a credential. */
export type Signatory = Requester & Partial<Pick<Caller, 'account' | 'credential'>>

type Needs = Pick<Ports, 'aggregates' | 'allowances' | 'mail' | 'queries' | 'readModels' | 'tickets'>

/**
 * What device waits under a code, at most `handoffLookups_max` times a code: who is to sign it in has to look first. A code that is
 * none reads as expired and is counted. Refuses with INVALID_HANDOFF_CODE, also whoever has tried too many. Reference identity
 * 4.14, row 25.
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
 * Signs the device in that waits under a code, by a session of the caller's account: the new one is from where that device is.
 * Refuses in this order: UNAUTHORIZED without a token, INVALID_TOKEN for a dead one, SESSION_TOKEN_MISMATCH where it is another
 * account's, BOT_USER_AUTH_SESSION_CREATION_DENIED, and INVALID_HANDOFF_CODE for a code that is unknown, was not looked at, or is
 * done, which is counted, and for whoever has tried too many. Reference identity 4.14, row 26.
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

/** Whose session vouches for the device. */
interface Voucher {
  readonly account: AccountRecord
  readonly vouchedBy: string | undefined
}

/** The account of the token in the body, or else of the header's. */
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

/** Of those who complete it at the same moment, one does. */
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
  /** The session that signs the device in: signing out everywhere meanwhile ends it, and with it the handoff. */
  readonly vouchedBy: string | undefined
}

/** Where no session may begin for the account, the device goes on waiting; where it has given up meanwhile, its session ends. */
async function signIn(
  ports: Needs,
  requester: Requester,
  { typed, handoff, accountId, vouchedBy }: Reserved,
): Promise<void> {
  const { aggregates, tickets } = ports
  const { ip, userAgent, expiresAt } = handoff
  const settle = (state: HandoffState, lifetime_s?: number): Promise<Handoff | undefined> =>
    tickets.change(handoffTicket, typed, (kept) => ({ ...kept, state }), lifetime_s)
  const terms = vouchedBy === undefined ? {} : { vouchedBy }
  const { answer } = await startSession(ports, { ...requester, ip, userAgent }, accountId, terms).catch(
    async (error: unknown) => {
      await settle({ is: 'pending' })
      throw error
    },
  )
  const left_s = (msOf(expiresAt) - msOf(requester.context.now)) / 1000
  const completed = { is: 'completed', accountId, token: answer.token } as const
  if (await settle(completed, Math.max(left_s, handoffToken_s_min))) return
  const end = { type: 'EndSession', tokenHash: sessionTokenHash(answer.token) } as const
  await aggregates.account.execute(accountId, end, requester.context)
  reject('INVALID_HANDOFF_CODE')
}
