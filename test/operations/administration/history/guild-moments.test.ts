import fc from 'fast-check'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { administrator } from '../../../support/administrators.ts'
import type { TestAccount } from '../../../support/test-guildhall.ts'
import { accept, bodyOf, crowd, found, invite } from '../../support/answers.ts'
import { openServer } from '../../support/scene.ts'
import { carryOut, guildActs } from './guild-acts.ts'
import { viewAt, viewNow, type GuildView } from './guild-views.ts'

const acts_count = 60
/** How many pairs of moments are compared. */
const pairs_count = 60
/** Like that of properties: the same number plays the same acts. */
const seed = Number(process.env['PROPERTY_SEED'] ?? Date.now() % 2 ** 31)

const guildhall = await openServer({})

interface Moment {
  readonly at: string
  readonly view: GuildView
}

/** Now, with nothing that happens later at the same millisecond. */
async function instant(): Promise<string> {
  const ms = Date.now()
  while (Date.now() <= ms) await pause(1)
  return new Date(ms).toISOString()
}

async function changesBetween(
  id: string,
  { token }: TestAccount,
  from: Moment,
  to: Moment,
): Promise<readonly string[]> {
  const path = `/v1/admin/history/guilds/${id}/changes?from=${from.at}&to=${to.at}`
  const { changes } = bodyOf(await guildhall.request('GET', path, { token }))
  return (changes as readonly { readonly text: string }[]).map(({ text }) => text)
}

describe('a guild to which anything happens', () => {
  const name = `is at each moment what its readers saw then, and differs in words where it differs (PROPERTY_SEED=${seed})`
  it(name, async () => {
    const reader = await administrator(guildhall, '*')
    const [owner, ...others] = await crowd(guildhall, 5)
    const [first, ...rest] = others
    if (!owner || !first) expect.fail('nobody is there')
    const { id, channel } = await found(guildhall, owner)
    const code = await invite(guildhall, owner, channel)
    for (const account of others) bodyOf(await accept(guildhall, account, code))
    const moments: Moment[] = [{ view: await viewNow(guildhall, owner, id), at: await instant() }]
    const [acts = []] = fc.sample(guildActs(acts_count), { seed, numRuns: 1 })
    let accepted_count = 0
    for (const act of acts) {
      const { view } = moments.at(-1) ?? expect.fail()
      const status = await carryOut(act, { guildhall, guildId: id, owner, others: [first, ...rest], view })
      expect(status).toBeLessThan(500)
      if (status < 300) accepted_count += 1
      moments.push({ view: await viewNow(guildhall, owner, id), at: await instant() })
    }
    expect(accepted_count).toBeGreaterThan(acts_count / 5)

    // One after another: many at once wait for each other, and a busy server sheds those that wait too long.
    const shown: GuildView[] = []
    for (const { at } of moments) shown.push(await viewAt(guildhall, reader, id, at))
    expect(shown).toEqual(moments.map(({ view }) => view))

    const one = fc.nat({ max: moments.length - 1 })
    const near = fc.tuple(one, fc.nat({ max: 3 })).map(([index, more]) => [index, index + more] as const)
    const pairs = fc.sample(fc.oneof(near, fc.tuple(one, one)), { seed, numRuns: pairs_count })
    for (const pair of pairs) {
      const [from, to] = pair.toSorted((some, other) => some - other).map((index) => moments[index])
      if (!from || !to) continue
      const texts = await changesBetween(id, reader, from, to)
      const isSame = JSON.stringify(from.view) === JSON.stringify(to.view)
      expect({ from, to, texts, isSame: texts.length === 0 }).toMatchObject({ isSame })
    }
  })
})
