import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { call, send } from '../../support/load-api.ts'
import { deleteMessage, listMessages, openMessageStage, sendMessage, type MessageStage } from './message-stage.ts'

const runs = isLong ? 60 : 6
/** Processes are killed in so many of the first runs: one during the request, one after it. */
const deadlyRuns = isLong ? runs : 3
const repeats = 4

describe('F33: a key that is repeated after its effect was undone', () => {
  let stage: MessageStage
  beforeAll(async () => {
    stage = await openMessageStage()
  })
  afterAll(() => stage.close())

  const channel = () => stage.guild.textChannel
  const noticeCount = async (kind: string): Promise<number> =>
    (await stage.test.database.pool.query('select from messages.notices where kind = $1', [kind])).rows.length

  it('brings nothing back, whether or not the process was killed in between', async () => {
    let [resurrections, untold, stuck_s] = [0, 0, 0]
    for (let run = 0; run < runs; run += 1) {
      const key = randomUUID()
      const request = sendMessage(stage.author, channel(), `message ${run}`)
      // Where the process is killed during the request, only later checks show whether the message was written.
      const first = send(stage.product.url, request, key).catch(() => undefined)
      if (run % 3 === 2 && run < deadlyRuns) await stage.restart()
      const known = await first
      const made = known ?? (await send(stage.product.url, request, key))
      expect(made.status).toBe(200)
      const { id } = request.parse(made.body)
      await call(stage.product.url, deleteMessage(stage.author, channel(), id))
      if (run % 3 === 1 && run < deadlyRuns) await stage.restart()
      const told = await noticeCount('created')
      const began = performance.now()
      const late = await Promise.all(Array.from({ length: repeats }, () => send(stage.product.url, request, key)))
      stuck_s = Math.max(stuck_s, (performance.now() - began) / 1000)
      expect(late.map(({ status }) => status)).toStrictEqual(late.map(() => 410))
      resurrections += (await call(stage.product.url, listMessages(stage.author, channel()))).length
      untold += (await noticeCount('created')) - told
    }
    const counts = { lost: 0, repeated: resurrections + untold, reordered: 0, divergent: 0 }
    noteFault('F33', { title: 'late repeats after an undo', runs: runs * repeats, ...counts, stuck_s })
    expect(counts.repeated).toBe(0)
  })
})
