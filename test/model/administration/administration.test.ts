import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { administrator } from '../../support/administrators.ts'
import { everyEvent, withoutCause } from '../../support/causes.ts'
import { deletionIsDue, erase } from '../../operations/support/erasure.ts'
import { openServer } from '../../operations/support/scene.ts'
import type { TestGuildhall } from '../../support/test-guildhall.ts'
import { auditOn } from './audit.ts'
import { earsOn } from './ears.ts'
import { Run, statuses, type Stage } from './run.ts'
import { sceneryOn } from './scenery.ts'
import { sendersOn } from './senders.ts'
import type { Step } from './step.ts'
import { steps } from './steps.ts'
import { tour, tourByUsername } from './tour.ts'

/**
 * Requests of administrators of all kinds about a few accounts, each answered as a plain model says: status, code and
 * object, the entry of the admin audit log, and what the sessions of the accounts are told.
 */

const runs = Number(process.env['MODEL_RUNS'] ?? 4)
const given = process.env['MODEL_SEED'] ?? '17379900'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
const test_ms = 3_600_000

const refusals = new Set<string>()
const byEmail = await stageOn(await openServer(), 'email')
const policy = { accountIdentity: { signIn: 'username', tagStyle: 'none' } } as const
const byUsername = await stageOn(await openServer({ policy }), 'username')

/** What all runs on a server share. */
async function stageOn(guildhall: TestGuildhall, signIn: Stage['signIn']): Promise<Stage> {
  const senders = await sendersOn(guildhall)
  const custodian = await administrator(guildhall, '*')
  const { id: gone } = await guildhall.register()
  await deletionIsDue(guildhall, { id: gone })
  await erase(guildhall, { id: gone })
  const newEntries = auditOn(guildhall)
  await newEntries(senders.ids)
  return { guildhall, senders, custodian, gone, signIn, newEntries, refusals }
}

async function play(stage: Stage, list: readonly Step[]): Promise<void> {
  const scenery = await sceneryOn(stage.guildhall, stage.custodian, stage)
  const ears = earsOn(stage.guildhall)
  const run = new Run(stage, scenery, ears)
  try {
    for (const { id, sessions } of [scenery.ada, scenery.brian, scenery.carol])
      await ears.open(id, sessions[0]?.token ?? '')
    await run.begin()
    for (const step of list) await run.play(step).catch((error: unknown) => fail(step, error))
    await run.finish().catch((error: unknown) => fail('the end', error))
  } finally {
    ears.end()
  }
}

/** The message of an assertion, with the step and both sides. */
function fail(step: Step | string, error: unknown): never {
  const { actual, expected } = error as { readonly actual?: unknown; readonly expected?: unknown }
  const sides = `found ${fc.stringify(actual)}\nwanted ${fc.stringify(expected)}`
  throw new Error(`At ${fc.stringify(step)}: ${String(error)}\n${sides}`, { cause: error })
}

describe('the rules of administration, of accounts', () => {
  it(
    'carries out every operation, and refuses with every code that the cast can meet',
    async () => {
      await play(byEmail, tour)
      await play(byUsername, tourByUsername)
      expect([...refusals].toSorted()).toStrictEqual(Object.keys(statuses).toSorted())
    },
    test_ms,
  )

  it(
    `answers every administrator as the model does (MODEL_SEED=${seed})`,
    async () => {
      await fc.assert(
        fc.asyncProperty(steps, (list) => play(byEmail, list)),
        {
          seed,
          numRuns: runs,
          unbiased: true,
          includeErrorInReport: true,
        },
      )
    },
    test_ms,
  )

  it('leaves no event of the system without a cause', async () => {
    for (const { guildhall } of [byEmail, byUsername])
      expect(withoutCause(await everyEvent(guildhall.store.events))).toEqual([])
  })
})
