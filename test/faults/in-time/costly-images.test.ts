import { describe, expect, it } from 'vitest'
import sharp from 'sharp'
import { openDecoder } from '../../../adapters/media/decoding/decoder.ts'
import { decodingLimits } from '../../../adapters/media/decoding/limits.ts'
import {
  processorBudget,
  processorBudgets,
  type ProcessorBudget,
} from '../../../adapters/media/decoding/processor-budget.ts'
import { Refused } from '../../../application/commands/refused.ts'
import { accountId } from '../../../domain/ids/ids.ts'
import { snowflake } from '../../../domain/ids/snowflake.ts'
import { afterThisTest } from '../../adapters/http/support.ts'
import { svgBomb } from '../../abuse/support/svg-bomb.ts'
import { paced } from '../../support/pace.ts'

/** Small images that keep the decoder busy at the cost of everybody else. */

const program = new URL('../../../dist/adapters/media/decoding/worker.js', import.meta.url)

const asker = (ip: string, id: string) => ({ ip, account: { id: accountId(snowflake(id)) } })
const picture = () =>
  sharp({ create: { width: 16, height: 12, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

function decoderWith(settings: { readonly svgTime_ms_max?: number; readonly budgets?: ProcessorBudget } = {}) {
  const decoder = openDecoder({ program, ...settings })
  afterThisTest(() => decoder.close())
  return decoder
}

describe('a small SVG that needs much work', () => {
  it('has the decoder for at most two seconds', async () => {
    expect(decodingLimits.svgTime_ms_max).toBe(2000)
    const began = performance.now()
    expect(await decoderWith().decode(svgBomb, asker('192.0.2.1', '1'))).toBe('unreadable')
    expect(performance.now() - began).toBeLessThan(paced(8000))
  })

  it('delays the image of another account by one turn, however many there are', async () => {
    const decoder = decoderWith({ svgTime_ms_max: 250 })
    const order: string[] = []
    const attack = ['1', '2', '3'].flatMap((id) =>
      [1, 2].map(async () => {
        await decoder.decode(svgBomb, asker('192.0.2.1', id))
        order.push('bomb')
      }),
    )
    expect(await decoder.decode(await picture(), asker('192.0.2.2', '4'))).toMatchObject({ width: 16 })
    order.push('picture')
    await Promise.all(attack)
    expect(order.indexOf('picture')).toBeLessThanOrEqual(2)
  })

  it('is charged only to the budget of its account', async () => {
    let now = 0
    const budgets = processorBudgets(() => now)
    const decoder = decoderWith({ svgTime_ms_max: 250, budgets })
    budgets.charge('1', processorBudget.spent_ms_max - 100)
    await decoder.decode(svgBomb, asker('192.0.2.1', '1'))
    const refused = await decoder.decode(await picture(), asker('192.0.2.3', '1')).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Refused)
    expect((refused as Refused).refusal).toMatchObject({ code: 'RATE_LIMITED', details: { global: false } })
    expect(await decoder.decode(await picture(), asker('192.0.2.1', '2'))).toMatchObject({ width: 16 })
    now += processorBudget.over_ms
    expect(await decoder.decode(await picture(), asker('192.0.2.1', '1'))).toMatchObject({ width: 16 })
  })
})

describe('the budget of an account', () => {
  it('is a leaky bucket that one image may overdraw', () => {
    let now = 1_000_000
    const budgets = processorBudgets(() => now)
    const { spent_ms_max, over_ms } = processorBudget
    budgets.charge('ada', spent_ms_max - 1)
    expect(budgets.wait_ms('ada')).toBe(0)
    budgets.charge('ada', spent_ms_max / 10 + 1)
    expect(budgets.wait_ms('ada')).toBeCloseTo(over_ms / 10)
    expect(budgets.wait_ms('brian')).toBe(0)
    now += over_ms / 10
    expect(budgets.wait_ms('ada')).toBe(0)
  })
})

describe('an image that takes long to recognise', () => {
  it('takes the process that serves nothing, whatever its bytes are', async () => {
    const chunks = Buffer.alloc(12 * 860_000)
    for (let at = 0; at < chunks.length; at += 12) chunks.write('tEXt', at + 4, 'latin1')
    const comments = Buffer.from(`${'<!---->'.repeat(40)}x`)
    const decoder = decoderWith()
    for (const bytes of [Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), chunks]), comments]) {
      const began = process.cpuUsage()
      const decoded = decoder.decode(bytes, asker('192.0.2.4', '5'))
      const { user } = process.cpuUsage(began)
      expect(await decoded).toBe('unreadable')
      // In microseconds. Recognising took 400,000, and without an end.
      expect(user).toBeLessThan(paced(60) * 1000)
    }
  })
})
