import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { processesOn } from '../../adapters/postgres/embedded/support.ts'
import { noteFault } from '../../support/fault-table.ts'
import {
  call,
  createGuild,
  createInvite,
  getGuild,
  register,
  send,
  type ApiAnswer,
  type FoundedGuild,
  type Person,
} from '../../support/load-api.ts'
import type { LoadSite } from '../../support/load-site.ts'
import { factsOf } from '../history-facts.ts'
import { divergentRows, wholeHistory, withStore } from '../store-checks.ts'
import { paced } from '../../support/pace.ts'

const clients = 16
const answers_min = 200
const stop_ms_max = 10_000
const frame = z.object({ op: z.int() })

/** One request: what it asked for, and the result. */
interface Sent {
  readonly maxAge: number
  /** Undefined if the connection broke or was refused. */
  readonly answer: ApiAnswer | undefined
}

/** It leaves no process. */
export function toldToEnd(site: LoadSite): void {
  describe('SIGTERM under load', () => {
    let owner: Person
    let guild: FoundedGuild
    let answers = 0

    beforeAll(async () => {
      const { url } = site.product
      owner = await call(url, register('owner_at_the_end'))
      const { id } = await call(url, createGuild(owner, 'The last one'))
      guild = await call(url, getGuild(owner, id))
    })

    /** Sends requests one after another until the server accepts no more. */
    async function client(number: number): Promise<readonly Sent[]> {
      const all: Sent[] = []
      for (let index = 0; ; index += 1) {
        const maxAge = 3600 + number * 10_000 + index
        const request = createInvite(owner, guild.textChannel, { max_uses: 1, max_age: maxAge })
        const answer = await send(site.product.url, request).catch((error: unknown) => void error)
        all.push({ maxAge, answer })
        if (answer?.status !== 200) return all
        answers += 1
      }
    }

    it('loses no accepted request: answered requests have their effects, and unanswered ones have left nothing', async () => {
      const running = Array.from({ length: clients }, (_none, number) => client(number))
      while (answers < answers_min) await sleep(5)
      const began = performance.now()
      // Resolves only for exit code 0.
      await site.product.stop()
      const stop_ms = performance.now() - began
      expect(stop_ms).toBeLessThan(paced(stop_ms_max))
      expect(processesOn(`${site.dataDir}/postgres`)).toEqual([])
      const sent = (await Promise.all(running)).flat()
      const answered = sent.filter(({ answer }) => answer?.status === 200)
      expect(answered.length).toBeGreaterThanOrEqual(answers_min)

      await site.start()
      await withStore(site.dataDir, async (store) => {
        const { codes } = factsOf(await wholeHistory(store))
        const effects = ({ maxAge }: Sent): number => codes.get(String(maxAge))?.length ?? 0
        const lost = answered.filter((request) => effects(request) !== 1)
        const unanswered = sent.filter((request) => request.answer?.status !== 200 && effects(request) > 0)
        const divergent = await divergentRows(store)
        noteFault('F27a', {
          title: 'One process told to end under load',
          runs: 1,
          lost: lost.length + unanswered.length,
          repeated: 0,
          reordered: 0,
          divergent: divergent.length,
          stuck_s: stop_ms / 1000,
          note: `${answered.length} requests answered; the time is that of the stop`,
        })
        expect({ lost, unanswered, divergent }).toEqual({ lost: [], unanswered: [], divergent: [] })
      })
    })

    it('asks Gateway sessions to reconnect: Reconnect, and close code 4000', async () => {
      const socket = new WebSocket(`${site.product.url.replace('http', 'ws')}/gateway?v=1&encoding=json`)
      const opcodes: number[] = []
      const closed = new Promise<number>((resolve) => socket.on('close', resolve))
      const ready = new Promise<void>((resolve) => {
        socket.on('message', (bytes: Buffer) => {
          const { op } = frame.parse(JSON.parse(bytes.toString()))
          opcodes.push(op)
          if (op === 10)
            socket.send(
              JSON.stringify({ op: 2, d: { token: owner.token, properties: { os: '', browser: '', device: '' } } }),
            )
          if (op === 0) resolve()
        })
      })
      await ready
      await site.product.stop()
      expect(await closed).toBe(4000)
      expect(opcodes).toContain(7)
    })
  })
}
