import fc from 'fast-check'
import { afterAll, describe, it } from 'vitest'
import { crowd } from '../../operations/support/answers.ts'
import { openServer } from '../../operations/support/scene.ts'
import { Play } from './play.ts'
import { members_count, steps } from './steps.ts'

/**
 * Random steps in a guild: overwrites, roles, members who leave and join, threads, webhooks, emojis and stickers, what is said and read,
 * and looks at lists of members. SIGHT_SEED=<seed> repeats a run, SIGHT_RUNS is the number of runs.
 */

const runs = Number(process.env['SIGHT_RUNS'] ?? 8)
const given = process.env['SIGHT_SEED'] ?? '20261129'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
const steps_max = 40
/** Of a planted defect it is enough that it is found (test/defects/run.mjs): the shortest play takes minutes. */
const isPlanted = process.env['PATIENCE_MS'] !== undefined

const guildhall = await openServer()
const open: Play[] = []
afterAll(() => {
  for (const play of open) play.end()
})

describe('what a session hears', () => {
  it(`is what HTTP shows to its account at that moment, live and replayed (SIGHT_SEED=${seed})`, async () => {
    const plays = fc.array(steps, { maxLength: steps_max, size: 'max' })
    const play = async (list: Parameters<Play['take']>[0][]): Promise<void> => {
      // New people for each run: an account is in a bounded number of guilds.
      const stage = await Play.open(guildhall, await crowd(guildhall, 1 + members_count))
      open.push(stage)
      for (const step of list) await stage.take(step)
      await stage.settle()
      stage.end()
    }
    await fc.assert(fc.asyncProperty(plays, play), {
      seed,
      numRuns: runs,
      endOnFailure: isPlanted,
      includeErrorInReport: true,
    })
  }, 3_600_000)
})
