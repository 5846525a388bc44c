import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { administrator } from '../../support/administrators.js'
import { deletionIsDue, erase } from '../../operations/support/erasure.js'
import { openServer } from '../../operations/support/scene.js'
import { auditOn } from './audit.js'
import { earsOn } from './ears.js'
import { Run, statuses, type Stage } from './run.js'
import { sceneryOn } from './scenery.js'
import { sendersOn } from './senders.js'
import type { Step } from './step.js'
import { steps } from './steps.js'
import { tour } from './tour.js'

/**
 * Requests of administrators of all kinds about a few accounts, each answered as a plain model of contract part 3 says: status,
 * code and object, the entry of the admin audit log, and what the sessions of the accounts are told.
 */

const runs = Number(process.env['MODEL_RUNS'] ?? 8)
const given = process.env['MODEL_SEED'] ?? '17379900'
const seed = given === 'random' ? Date.now() % 2 ** 31 : Number(given)
const test_ms = 3_600_000

const guildhall = await openServer()
const senders = await sendersOn(guildhall)
const custodian = await administrator(guildhall, '*')
const gone = await guildhall.register()
await deletionIsDue(guildhall, gone)
await erase(guildhall, gone)
const newEntries = auditOn(guildhall)
await newEntries(senders.ids)
const stage: Stage = { guildhall, senders, custodian, newEntries, refusals: new Set() }

async function play(list: readonly Step[]): Promise<void> {
  const scenery = await sceneryOn(guildhall, custodian, gone.id)
  const ears = earsOn(guildhall)
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

describe('contract part 3, of accounts', () => {
  it(
    'carries out every operation, and refuses with every code that the cast can meet',
    async () => {
      stage.refusals.clear()
      await play(tour)
      expect([...stage.refusals].toSorted()).toStrictEqual(Object.keys(statuses).toSorted())
    },
    test_ms,
  )

  it(
    `answers every administrator as the model does (MODEL_SEED=${seed})`,
    async () => {
      await fc.assert(fc.asyncProperty(steps, play), {
        seed,
        numRuns: runs,
        unbiased: true,
        includeErrorInReport: true,
      })
    },
    test_ms,
  )
})
