import { openCommunitySite, type Community } from '../communities/community-site.ts'
import type { LineSettings } from '../support/line.ts'
import { compare, quantile, type Comparison, type Sample } from '../support/rounds.ts'

const sizes = { small: 10, large: 100_000 } as const
const warmUp_count = 20
const target = 0.8

/** Each task, and its undo, which is not measured. */
const tasks: Readonly<Record<string, readonly [Task, Task?]>> = {
  'send, to the answer': [(at) => at.send()],
  'send, to a session': [(at) => at.sendAndHear()],
  join: [(at) => at.join(), (at) => at.leave()],
  leave: [(at) => at.leave(), (at) => at.join()],
  'modify guild': [(at) => at.modify()],
}

type Task = (community: Community) => Promise<unknown>

/** The same commands one after another in a guild of 100,000 members, beside one of 10 in the same instance. */
export async function communitySizeLine({ seconds, rounds }: LineSettings): Promise<readonly Comparison[]> {
  const site = await openCommunitySite()
  try {
    const began = performance.now()
    const small = await site.found('small', sizes.small)
    const large = await site.found('large', sizes.large)
    console.log(`  ${sizes.large} members are there after ${Math.round(performance.now() - began)} ms`)
    const comparisons: Comparison[] = []
    for (const [name, [task, undo]] of Object.entries(tasks)) {
      // Before leaving, the guest has to be a member.
      if (name === 'leave') for (const community of [small, large]) await community.join()
      for (const community of [small, large])
        for (let count = 0; count < warmUp_count; count += 1) await timed(community, task, undo)
      const side = (community: Community) => () => measured(community, seconds, task, undo)
      const line = `community size: ${name}`
      const sides = { unit: '1/s (by p50)', target, rounds, baseline: side(small), product: side(large) }
      comparisons.push(withTimes(await compare({ line, ...sides })))
      if (name === 'leave') for (const community of [small, large]) await community.leave()
    }
    return comparisons
  } finally {
    await site.close()
  }
}

async function timed(community: Community, task: Task, undo: Task | undefined): Promise<number> {
  const began = performance.now()
  await task(community)
  const took_ms = performance.now() - began
  await undo?.(community)
  return took_ms
}

async function measured(community: Community, seconds: number, task: Task, undo: Task | undefined): Promise<Sample> {
  const times: number[] = []
  const deadline = performance.now() + seconds * 1000
  while (performance.now() < deadline) times.push(await timed(community, task, undo))
  const sorted = times.toSorted((a, b) => a - b)
  const p50_ms = quantile(sorted, 0.5)
  return { rate: 1000 / p50_ms, cores: {}, details: { p50_ms, p99_ms: quantile(sorted, 0.99), count: times.length } }
}

function withTimes(comparison: Comparison): Comparison {
  const times = (side: 'product' | 'baseline'): string => {
    const median = (name: 'p50_ms' | 'p99_ms'): string => {
      const values = comparison.samples.map((sample) => sample[side].details[name] ?? Number.NaN)
      return quantile(
        values.toSorted((a, b) => a - b),
        0.5,
      ).toFixed(1)
    }
    return `p50 ${median('p50_ms')} ms, p99 ${median('p99_ms')} ms`
  }
  return {
    ...comparison,
    notes: [
      `in a guild of ${sizes.large.toLocaleString('en')} members ${times('product')}; of ${sizes.small} ${times('baseline')}; one request at a time`,
    ],
  }
}
