import { expect, it } from 'vitest'
import { lateAnswers, refusalRate, wait_ms_max } from '../../../../adapters/http/brakes/late-answers.ts'

/** Whether each refusal so far was answered, closed, or waits. */
function refusals() {
  const clock = { now: 0 }
  const ending = new AbortController()
  const late = lateAnswers(ending.signal, () => clock.now)
  const seen: ('answered' | 'closed' | 'waits')[] = []
  async function refuse(sender: string, times: number, mayClose = true): Promise<readonly string[]> {
    const first = seen.length
    for (let time = 0; time < times; time += 1) {
      const at = seen.push('waits') - 1
      void late.turn(sender, mayClose).then((isAnswered) => (seen[at] = isAnswered ? 'answered' : 'closed'))
    }
    await new Promise((resolve) => setImmediate(resolve))
    return seen.slice(first)
  }
  return { clock, ending, seen, refuse }
}

const waiting_max = (wait_ms_max / 1000) * (refusalRate.requests / refusalRate.seconds)

it('answers the first refusals of a sender at once, the next ones later, and closes its connection at last', async () => {
  const { ending, seen, refuse } = refusals()
  expect(await refuse('ada', refusalRate.requests)).toEqual(Array(refusalRate.requests).fill('answered'))
  expect(await refuse('ada', waiting_max)).toEqual(Array(waiting_max).fill('waits'))
  expect(await refuse('ada', 3)).toEqual(['closed', 'closed', 'closed'])
  expect(await refuse('bob', 1)).toEqual(['answered'])
  ending.abort()
  await expect.poll(() => seen.filter((each) => each === 'waits')).toEqual([])
})

it('closes no connection of a proxy: each further refusal waits as long as any may', async () => {
  const { ending, seen, refuse } = refusals()
  await refuse('ada', refusalRate.requests + waiting_max, false)
  expect(await refuse('ada', 3, false)).toEqual(['waits', 'waits', 'waits'])
  ending.abort()
  await expect.poll(() => seen.filter((each) => each !== 'answered')).toEqual([])
})

it('forgives a sender that waits', async () => {
  const { clock, ending, refuse } = refusals()
  await refuse('ada', refusalRate.requests + waiting_max + 50)
  clock.now += wait_ms_max + refusalRate.seconds * 1000
  expect(await refuse('ada', refusalRate.requests)).toEqual(Array(refusalRate.requests).fill('answered'))
  ending.abort()
})
