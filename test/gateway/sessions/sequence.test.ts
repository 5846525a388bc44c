import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Payload } from '../support/client.ts'
import { joined, left } from '../support/facts.ts'
import { openStage, type Account, type Place, type Stage } from '../support/stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ rateLimits: false })
})
afterAll(async () => {
  await stage.end()
})

/** What can happen to a session: single events or many at once, the loss of its connection, and the ways back. */
const fates = ['event', 'burst', 'terminate', 'close', 'resume', 'steal', 'acknowledge', 'acknowledge less'] as const

/** A session that loses its connection again and again, and one of the same account that never does. */
class Pair {
  readonly watching: Client
  readonly #ada: Account
  readonly #home: Place
  readonly #sessionId: string
  #dropping: Client
  /** What the dropping session got, over all its sockets. */
  readonly had: Payload[] = []

  constructor(ada: Account, home: Place, watching: Client, dropping: Client) {
    this.#ada = ada
    this.#home = home
    this.watching = watching
    this.#dropping = dropping
    this.#sessionId = dropping.sessionId
  }

  async meet(fate: (typeof fates)[number]): Promise<void> {
    switch (fate) {
      case 'event':
        this.#event()
        return
      case 'burst':
        for (let count = 0; count < 30; count += 1) this.#event()
        return
      case 'terminate':
        this.#dropping.socket.terminate()
        return
      case 'close':
        this.#dropping.close(4321)
        return
      case 'resume':
        await this.#dropping.closed
        return this.return()
      case 'steal':
        return this.return()
      case 'acknowledge':
        this.#acknowledge(this.#has())
        return
      case 'acknowledge less':
        this.#acknowledge(Math.floor(this.#has() / 2))
    }
  }

  /** Resumes on another socket from what it has. */
  async return(): Promise<void> {
    const { socket } = this.#dropping
    // Reads nothing more from the abandoned socket, as if the network had lost it.
    socket.removeAllListeners('message')
    this.#keep()
    this.#dropping = await stage.resume(this.#ada, this.#sessionId, this.#has())
    await this.#dropping.dispatch('RESUMED')
    socket.terminate()
  }

  async settle(): Promise<void> {
    await stage.heard(this.#home, this.watching, this.#dropping)
    this.#keep()
  }

  #event(): void {
    const stranger = stage.account()
    stage.happen(joined(this.#home.id, stranger.id), left(this.#home.id, stranger.id))
  }

  #acknowledge(seq: number): void {
    if (this.#dropping.socket.readyState === this.#dropping.socket.OPEN) this.#dropping.send(1, seq)
  }

  #has(): number {
    return Math.max(...[...this.had, ...this.#dropping.dispatches].map(({ s = 0 }) => s))
  }

  #keep(): void {
    for (const payload of this.#dropping.dispatches) {
      if (payload.t !== 'RESUMED' && !this.had.includes(payload)) this.had.push(payload)
    }
  }
}

describe('a session that drops and resumes', () => {
  it('gets the same dispatches, in the same order and with the same numbers, as one that never drops', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...fates), { maxLength: 25 }), async (lot) => {
        const ada = stage.account()
        const home = stage.found(ada)
        const pair = new Pair(ada, home, await stage.identify(ada), await stage.identify(ada))
        let isGone = false
        for (const fate of lot) {
          if (isGone !== (fate === 'resume') && fate !== 'event' && fate !== 'burst') continue
          isGone = fate === 'terminate' || fate === 'close' || (isGone && fate !== 'resume')
          await pair.meet(fate)
        }
        await pair.return()
        await pair.settle()
        const told = pair.watching.dispatches
        expect(pair.had.slice(1)).toStrictEqual(told.slice(1))
        expect(told.map(({ s }) => s)).toStrictEqual(told.map((_, index) => index + 1))
      }),
      { numRuns: 60 },
    )
  })
})
