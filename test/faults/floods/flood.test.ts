import { afterAll, beforeAll, expect, it } from 'vitest'
import { attacks } from '../../abuse/support/flood/attacks.ts'
import { openFloodSite, type FloodSite } from '../../abuse/support/flood/flood-site.ts'

/**
 * Runs the attacks by which one client once stopped the service for all, each alone and all at once, beside ordinary clients. How
 * much later these are answered, `npm run bench -- --only flood` measures.
 */

/** How long an attack goes on alone, and how long all of them do. */
const alone_ms = 800
const together_ms = 2000

let site: FloodSite
beforeAll(async () => {
  site = await openFloodSite()
})
afterAll(() => site.close())

async function servesEverybody(names: readonly string[], flood_ms: number): Promise<void> {
  const answers = await site.livedBeside(names, flood_ms)
  expect(answers.length).toBeGreaterThan(0)
  expect(answers.filter(({ status }) => status >= 300)).toEqual([])
  expect(await site.missed()).toEqual([])
}

it.each(Object.keys(attacks))(
  'refuses no ordinary client, and tells all of them all, beside one that sends %s',
  (name) => servesEverybody([name], alone_ms),
)

it('refuses no ordinary client, and tells all of them all, while all attacks go on', () =>
  servesEverybody(Object.keys(attacks), together_ms))
