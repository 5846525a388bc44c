import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { compareSnowflakes, snowflake } from '../../../domain/ids/snowflake.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, createGuild, send } from '../../support/load-api.ts'
import type { OnProduct } from './killable-product.ts'
import { listMessages, newAuthor, sendMessage, type Author } from './message-stage.ts'

const minute_ms = 60_000
const hour_ms = 60 * minute_ms
/** The offset of each process's clock from the clock of Postgres. So each one also differs from the one before it. */
const offsets_ms = [0, -30 * hour_ms, 30 * hour_ms, 0, -2 * minute_ms, 0]
const perStep = 8

/** Settings for a process whose clock is off by a number of milliseconds, or by an expression. */
function withClock(offset_ms: number | string): Readonly<Record<string, string>> {
  const shifted = `
    const Real = Date
    const now = () => Real.now() + (${offset_ms})
    globalThis.Date = class Date extends Real {
      constructor(...given) { if (given.length > 0) super(...given); else super(now()) }
      static now() { return now() }
    }`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shifted)}` }
}

/** Counts the ids that are not higher than the id before them. */
function inversionsIn(ids: readonly string[]): number {
  return ids.filter((id, index) => {
    const before = ids[index - 1]
    return before !== undefined && compareSnowflakes(snowflake(before), snowflake(id)) >= 0
  }).length
}

/** The last chapter: it leaves ids of hours to come. */
export function clockSteps(on: OnProduct): void {
  describe('F17, F35: a clock that steps', () => {
    let author: Author
    beforeAll(async () => {
      const { url } = on().product
      author = await newAuthor(url, url, 'punctual')
    })

    const saysBehind = (): boolean => on().product.lines.some((line) => line.includes('clock is behind the newest id'))

    it('leaves messages in the order in which they were sent, logs when it is behind by more than a minute, and lets no key run twice', async () => {
      const key = randomUUID()
      const founding = createGuild(author, 'Once')
      const answers: string[] = []
      const sent: string[] = []
      const behind: boolean[] = []
      for (const [step, offset_ms] of offsets_ms.entries()) {
        // The process that runs already has the first clock.
        if (step > 0) await on().restart(withClock(offset_ms))
        for (let index = 0; index < perStep; index += 1) {
          const request = sendMessage(author, author.channel, `message ${index} at ${offset_ms}`)
          // The ids of some messages are reserved for their keys.
          const { status, body } = await send(on().product.url, request, index % 2 === 0 ? randomUUID() : undefined)
          expect(status).toBe(200)
          sent.push(request.parse(body).id)
        }
        behind.push(saysBehind())
        answers.push(JSON.stringify(await send(on().product.url, founding, key)))
      }
      const inversions = inversionsIn(sent)
      const listed = await call(on().product.url, listMessages(author, author.channel))
      const lost = sent.filter((id) => !listed.includes(id)).length
      noteFault('F35', {
        title: 'clock steps before a start',
        runs: offsets_ms.length,
        lost,
        repeated: 0,
        reordered: inversions,
        divergent: 0,
        stuck_s: 0,
      })
      const differing = answers.filter((answer) => answer !== answers[0]).length
      noteFault('F35a', {
        title: 'keys of processes whose clocks are days apart',
        runs: answers.length - 1,
        lost: 0,
        repeated: differing,
        reordered: 0,
        divergent: 0,
        stuck_s: 0,
      })
      expect(JSON.parse(answers[0] ?? '')).toMatchObject({ status: 200 })
      expect([inversions, lost, differing]).toStrictEqual([0, 0, 0])
      expect(listed.toReversed()).toStrictEqual(sent)
      // Behind its own clock, then behind the third process, which was hours ahead.
      expect(behind).toStrictEqual([false, true, false, true, true, true])
    })

    it('may jump back and forth by hours while it runs: ids stay unique, and in the order of the requests', async () => {
      const jumps_max = 12
      const jump_ms = isLong ? 200 : 100
      const pause_ms = 20
      await on().restart(withClock(`[0, -1, 1, -2][Math.floor(performance.now() / ${jump_ms}) % 4] * ${hour_ms}`))
      const sent: string[] = []
      const until = performance.now() + jumps_max * jump_ms
      while (performance.now() < until) {
        const request = sendMessage(author, author.channel, `message ${sent.length}`)
        sent.push(request.parse((await send(on().product.url, request)).body).id)
        await sleep(pause_ms)
      }
      const inversions = inversionsIn(sent)
      noteFault('F17', {
        title: 'clock jumps while it runs',
        runs: jumps_max,
        lost: 0,
        repeated: sent.length - new Set(sent).size,
        reordered: inversions,
        divergent: 0,
        stuck_s: 0,
      })
      expect([inversions, new Set(sent).size]).toStrictEqual([0, sent.length])
      expect((await call(on().product.url, listMessages(author, author.channel)))[0]).toBe(sent.at(-1))
    })
  })
}
