import type { AccountId } from '../../domain/ids/ids.ts'
import { presenceGrace_ms, retention_ms } from '../limits.ts'
import type { Ticker } from '../ticker.ts'
import type { World } from '../visibility/world.ts'
import type { Session, Wire } from './session.ts'

/** All sessions, with and without a transport: how they get one, lose it and end. */
export class Sessions {
  readonly #world: World
  readonly #ticker: Ticker
  readonly #byId = new Map<string, Session>()
  /** The timers of sessions without a transport. */
  readonly #waiting = new Map<Session, readonly (() => void)[]>()

  constructor(world: World, ticker: Ticker) {
    this.#world = world
    this.#ticker = ticker
  }

  get count(): number {
    return this.#byId.size
  }

  find(id: string): Session | undefined {
    return this.#byId.get(id)
  }

  all(): readonly Session[] {
    return [...this.#byId.values()]
  }

  add(session: Session): void {
    this.#byId.set(session.id, session)
  }

  /** Gives a session a transport, and displaces an earlier one. */
  attach(session: Session, wire: Wire): void {
    const displaced = session.wire
    this.#stopWaiting(session)
    session.wire = wire
    session.address = wire.address
    session.isOffline = false
    this.#world.recountOnline(session)
    if (displaced && displaced !== wire) displaced.displace()
  }

  /** Removes an ended transport from its session, which is kept for a while, whatever the close code. */
  detach(session: Session, wire: Wire): void {
    if (session.wire !== wire || session.isEnded) return
    session.wire = undefined
    const goOffline = this.#ticker.after(presenceGrace_ms, () => {
      session.isOffline = true
      this.#world.recountOnline(session)
    })
    const expire = this.#ticker.after(retention_ms, () => {
      this.end(session)
    })
    this.#waiting.set(session, [goOffline, expire])
  }

  /**
   * Ends a session for good, whatever ends it: its client gets op 9, and keeps its socket for as long as it may take to identify
   * (rules/gateway#how-a-session-ends).
   */
  end(session: Session): void {
    if (session.isEnded) return
    const { wire } = session
    session.end()
    this.#stopWaiting(session)
    this.#byId.delete(session.id)
    this.#world.remove(session)
    wire?.invalidate()
  }

  /** Ends the sessions of a revoked token. */
  revoke(account: AccountId, tokenHash: string): void {
    for (const session of this.ofToken(account, tokenHash)) this.end(session)
  }

  /** Ends all sessions of an account. */
  endAllOf(account: AccountId): void {
    for (const session of this.#world.sessionsOf(account)) this.end(session)
  }

  /** The sessions of an account that began with a token. */
  ofToken(account: AccountId, tokenHash: string): readonly Session[] {
    return this.#world.sessionsOf(account).filter((session) => session.tokenHash === tokenHash)
  }

  #stopWaiting(session: Session): void {
    for (const cancel of this.#waiting.get(session) ?? []) cancel()
    this.#waiting.delete(session)
  }
}
