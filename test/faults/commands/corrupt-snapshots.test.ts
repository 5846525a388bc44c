import { randomBytes, randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { snapshotEvery_events } from '../../../application/aggregates/state-cache.ts'
import { openAggregates } from '../../../process/aggregates.ts'
import { openStore, type Store } from '../../../process/store.ts'
import { inviteCode } from '../../../domain/ids/ids.ts'
import { timestamp } from '../../../domain/kernel/timestamp.ts'
import { account, terms } from '../../projections/support/people.ts'
import { isLong, noteFault } from '../../support/fault-table.ts'
import { chance, faultsSeed, type Chance } from '../../support/load-random.ts'
import { testContext } from '../../support/test-context.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { paced } from '../../support/pace.ts'

const [code, other] = [inviteCode('kept1234'), inviteCode('kept5678')]
const stream = `invite-${code}`
const flips = isLong ? 2000 : 60
const stuck_s_max = 10

const snapshotRow = z.object({ revision: z.int(), state_version: z.int(), state: z.string() })
type Row = z.infer<typeof snapshotRow>

describe('snapshots that are wrong', () => {
  const unreadable: unknown[] = []
  let test: TestDatabase
  let store: Store

  beforeEach(async () => {
    test = await laidDatabase()
    const onError = (error: unknown): void => void unreadable.push(error)
    store = await openStore({ connection: test.connection, personalDataKey: randomBytes(32), onError })
  })
  afterEach(async () => {
    await store.close()
    await test.close()
  })

  /** Simulates a process that has just started: it has no cached states. */
  const newProcess = (snapshots = store.snapshots) => openAggregates({ store: store.events, snapshots }).invite
  const withoutSnapshots = noSnapshots()

  async function redeemed(invite: typeof code, times: number): Promise<void> {
    const invites = newProcess()
    const now = timestamp(Date.now())
    await invites.execute(invite, { type: 'CreateInvite', terms: terms(invite) }, testContext())
    for (let count = 0; count < times; count += 1) await redeem(invites, invite, now)
  }

  async function redeem(invites: ReturnType<typeof newProcess>, invite: typeof code, now = timestamp(Date.now())) {
    const redemptionId = randomUUID()
    return invites.execute(invite, { type: 'RedeemInvite', accountId: account(2), redemptionId, now }, testContext())
  }

  async function stored(of: string = stream): Promise<Row> {
    const { rows } = await test.database.pool.query(
      'select revision, state_version, state::text from event_store.snapshots where stream = $1',
      [of],
    )
    return snapshotRow.parse(rows[0])
  }

  const replace = ({ revision, state_version, state }: Row): Promise<unknown> =>
    test.database.pool.query(
      'update event_store.snapshots set revision = $2, state_version = $3, state = $4::jsonb where stream = $1',
      [stream, revision, state_version, state],
    )

  it('F23: are skipped with a warning, and the state is computed from all events', async () => {
    const seed = faultsSeed()
    await redeemed(code, snapshotEvery_events + 5)
    await redeemed(other, snapshotEvery_events + 9)
    await expect.poll(async () => (await stored(`invite-${other}`)).revision).toBeGreaterThan(0)
    const right = await stored()
    const begin = await newProcess().load(code)
    const truth = await newProcess(withoutSnapshots).load(code)
    expect([begin.state, begin.revision]).toEqual([truth.state, truth.revision])
    expect(unreadable).toEqual([])

    const spoiled: readonly Row[] = [
      ...spoiledTexts(right.state, chance(seed)).map((state) => ({ ...right, state })),
      { ...right, revision: right.revision - 1 },
      { ...right, revision: right.revision + 1 },
      { ...right, revision: right.revision + 1000 },
      { ...right, state: (await stored(`invite-${other}`)).state },
      { ...right, state: 'null' },
    ]
    const foreign: readonly Row[] = [
      { ...right, state_version: right.state_version + 1 },
      { ...right, state_version: 0 },
      // As earlier versions of the product stored it.
      { ...right, state: JSON.stringify(truth.state) },
    ]
    let wrong = 0
    let stuck_ms = 0
    for (const row of [...spoiled, ...foreign]) {
      await replace(row)
      const began = performance.now()
      const { state, revision } = await newProcess().load(code)
      stuck_ms = Math.max(stuck_ms, performance.now() - began)
      if (JSON.stringify([state, revision]) !== JSON.stringify([truth.state, truth.revision])) wrong += 1
    }
    const warned = unreadable.length
    // A process that starts from this snapshot continues from it, and so do the next ones.
    await replace({ ...right, revision: right.revision + 1000 })
    const after = await redeem(newProcess(), code)
    noteFault('F23', {
      title: 'snapshots spoiled, of another version, stream or revision',
      runs: spoiled.length + foreign.length,
      lost: 0,
      repeated: 0,
      reordered: 0,
      divergent: wrong,
      stuck_s: stuck_ms / 1000,
      note: `${warned} warnings; FAULTS_SEED=${seed}`,
    })
    expect(wrong).toBe(0)
    expect(warned).toBe(spoiled.length)
    expect(after).toMatchObject({ changed: true, revision: truth.revision + 1 })
    expect(await newProcess(withoutSnapshots).load(code)).toMatchObject({ state: after.state })
    expect(stuck_ms / 1000).toBeLessThan(paced(stuck_s_max))
  })
})

/** Changes one character of the text at a time. Keeps the variants that Postgres accepts and that have another value. */
function spoiledTexts(text: string, random: Chance): readonly string[] {
  const spoiled = new Set<string>()
  const before = JSON.stringify(JSON.parse(text))
  for (let tries = 0; spoiled.size < flips && tries < flips * 100; tries += 1) {
    const at = random.between(0, text.length - 1)
    const one = text.slice(0, at) + String.fromCharCode(random.between(32, 126)) + text.slice(at + 1)
    if (isOther(one, before)) spoiled.add(one)
  }
  return [...spoiled]
}

function isOther(text: string, before: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    // Without the name of its digest, the snapshot counts as one of an earlier version, which is no fault.
    return JSON.stringify(value) !== before && text.includes('"$digest"')
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

function noSnapshots(): Store['snapshots'] {
  const nothing = (): Promise<undefined> => Promise.resolve(undefined)
  return { load: nothing, save: nothing, forget: nothing }
}
