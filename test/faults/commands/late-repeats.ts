import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, send } from '../../support/load-api.ts'
import { deleteMessage, listMessages, newAuthor, sendMessage, type Author } from './message-stage.ts'
import type { OnProduct } from './killable-product.ts'

const runs = isLong ? 60 : 6
/** Processes are killed in so many of the first runs: one during the request, one after it. */
const deadlyRuns = isLong ? runs : 3
const repeats = 4

export function lateRepeats(on: OnProduct): void {
  describe('F33: a key that is repeated after its effect was undone', () => {
    let author: Author
    beforeAll(async () => {
      const { url } = on().product
      author = await newAuthor(url, url, 'repeating')
    })

    const channel = () => author.channel
    const noticeCount = async (kind: string): Promise<number> =>
      (await on().test.database.pool.query('select from messages.notices where kind = $1', [kind])).rows.length

    it('brings nothing back, whether or not the process was killed in between', async () => {
      let [resurrections, untold, stuck_s] = [0, 0, 0]
      for (let run = 0; run < runs; run += 1) {
        const key = randomUUID()
        const request = sendMessage(author, channel(), `message ${run}`)
        // Where the process is killed during the request, only later checks show whether the message was written.
        const first = send(on().product.url, request, key).catch(() => undefined)
        if (run % 3 === 2 && run < deadlyRuns) await on().restart()
        const known = await first
        const made = known ?? (await send(on().product.url, request, key))
        expect(made.status).toBe(200)
        const { id } = request.parse(made.body)
        await call(on().product.url, deleteMessage(author, channel(), id))
        if (run % 3 === 1 && run < deadlyRuns) await on().restart()
        const told = await noticeCount('created')
        const began = performance.now()
        const late = await Promise.all(Array.from({ length: repeats }, () => send(on().product.url, request, key)))
        stuck_s = Math.max(stuck_s, (performance.now() - began) / 1000)
        expect(late.map(({ status }) => status)).toStrictEqual(late.map(() => 410))
        resurrections += (await call(on().product.url, listMessages(author, channel()))).length
        untold += (await noticeCount('created')) - told
      }
      const counts = { lost: 0, repeated: resurrections + untold, reordered: 0, divergent: 0 }
      noteFault('F33', { title: 'late repeats after an undo', runs: runs * repeats, ...counts, stuck_s })
      expect(counts.repeated).toBe(0)
    })
  })
}
