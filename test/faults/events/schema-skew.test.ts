import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventCatalogs, type EventCatalogs } from '../../../domain/aggregates.ts'
import { openPostgresEventStore } from '../../../adapters/event-store/postgres/open-event-store.ts'
import { memoryPersonalDataKeys } from '../../support/memory/memory-keys.ts'
import { openDatabase } from '../../../adapters/postgres/database.ts'
import { openNotifier } from '../../../adapters/postgres/notifier.ts'
import type { EventStore } from '../../../application/ports/event-store.ts'
import { readModels } from '../../../projections/read-models.ts'
import type { Projection } from '../../../projections/runner/projection.ts'
import { startProjections, type ProjectionRunner } from '../../../projections/runner/runner.ts'
import { verify } from '../../../projections/runner/verify.ts'
import { created, guild, joined } from '../../projections/support/people.ts'
import type { AnyEvent } from '../../projections/support/world.ts'
import { noteFault, type FaultCounts } from '../../support/fault-table.ts'
import { laidDatabase, type TestDatabase } from '../../support/test-database.ts'
import { appendEventsTo, type AppendEvents } from '../append-events.ts'

/** A version of the program: the events that it knows, and what it projects. */
interface Program {
  readonly catalogs: EventCatalogs
  readonly projections: readonly Projection[]
}

const { GuildFeaturesChanged: _added, ...olderGuildEvents } = eventCatalogs.guild.events
const newer: Program = { catalogs: eventCatalogs, projections: readModels }
/** The program before a type of event was added. */
const withoutType: Program = {
  catalogs: { ...eventCatalogs, guild: { ...eventCatalogs.guild, events: olderGuildEvents } },
  projections: readModels.map((model) => ({
    ...model,
    handles: model.handles.filter((type) => type !== 'GuildFeaturesChanged'),
  })),
}
/** The newer program after one type got a second version. */
const withVersion: Program = {
  catalogs: {
    ...eventCatalogs,
    guild: {
      ...eventCatalogs.guild,
      events: { ...eventCatalogs.guild.events, GuildFeaturesChanged: { version: 2, upcasts: [(data) => data] } },
    },
  },
  projections: readModels,
}

const skews: readonly { row: string; title: string; old: Program; new: Program; parkedIn_min: number }[] = [
  {
    row: 'F21a',
    title: 'Old reader, new type of event',
    old: withoutType,
    new: newer,
    parkedIn_min: readModels.length,
  },
  { row: 'F21b', title: 'Old reader, new version of a type', old: newer, new: withVersion, parkedIn_min: 1 },
]

const guilds = [1, 2, 3, 4] as const
/**
 * Postgres ends no connection here for its silence: a busy machine may keep this worker from its beats for longer than that, and
 * which program leads would follow from that.
 */
const staying = { idle_session_timeout: '0', idle_in_transaction_session_timeout: '0' }

for (const skew of skews) {
  describe(`${skew.title}:`, () => {
    let the: Skewed

    beforeEach(async () => {
      the = await skewed(skew.new)
      for (const number of guilds) await the.happens(created(number), joined(number, number))
    })

    afterEach(() => the.close())

    it('never projects it wrongly, goes on with all other streams, and has caught up after the update', async () => {
      const old = await the.projector(skew.old)
      await old.runner.reached(await the.happens(renamed(1, 'before')))
      const before = await the.rowsOf(1)
      const began = performance.now()
      await the.happens(featured(1), renamed(1, 'after'))
      const end = await the.happens(renamed(2, 'visible'), joined(1, 9))
      await old.runner.reached(end)
      const stuck_s = (performance.now() - began) / 1000
      expect(await the.rowsOf(1)).toStrictEqual(before)
      expect(await the.nameOf(2)).toBe('visible')
      expect(await the.parked()).toBeGreaterThanOrEqual(skew.parkedIn_min)
      const oldDivergent = await the.differences(skew.old)
      await old.stop()
      const updated = await the.projector(skew.new)
      await expect.poll(() => the.parked()).toBe(0)
      expect(await the.nameOf(1)).toBe('after')
      await updated.runner.reached(await the.happens(renamed(1, 'later'), featured(1)))
      expect(await the.nameOf(1)).toBe('later')
      const divergent = oldDivergent + (await the.differences(skew.new))
      note(skew, { divergent, stuck_s })
      expect(divergent).toBe(0)
    })

    it('also catches up if the old program went on leading after the new one had already rebuilt', async () => {
      const old = await the.projector(skew.old)
      await old.runner.reached(await the.happens(featured(1)))
      const updated = await the.projector(skew.new)
      // The new program built these read models while the old one led. The old one projects what follows, and parks what it
      // cannot read.
      await expect.poll(() => the.parked()).toBe(0)
      expect(old.runner.isLeading).toBe(true)
      await old.runner.reached(await the.happens(renamed(1, 'swapped')))
      expect(await the.nameOf(1)).toBe('swapped')
      await old.runner.reached(await the.happens(featured(1), renamed(1, 'parked again')))
      expect(await the.nameOf(1)).toBe('swapped')
      await old.stop()
      await expect.poll(() => the.parked()).toBe(0)
      await updated.runner.reached(await the.happens(renamed(1, 'later')))
      expect(await the.nameOf(1)).toBe('later')
      expect(await the.differences(skew.new)).toBe(0)
    })
  })
}

function note({ row, title }: (typeof skews)[number], counts: Pick<FaultCounts, 'divergent' | 'stuck_s'>): void {
  noteFault(row, { title, runs: 1, lost: 0, repeated: 0, reordered: 0, ...counts })
}

const renamed = (number: number, name: string): AnyEvent => ({
  type: 'GuildSettingsChanged',
  data: { guildId: guild(number), settings: { contentWarningText: name } },
})

const featured = (number: number): AnyEvent => ({
  type: 'GuildFeaturesChanged',
  data: { guildId: guild(number), features: ['BANNER'] },
})

/** One database that programs of two versions use. */
interface Skewed {
  /** Appends events as the newer program does. */
  readonly happens: AppendEvents
  projector(program: Program): Promise<{ readonly runner: ProjectionRunner; stop(): Promise<void> }>
  /** The number of rows that would differ after a rebuild by a program. */
  differences(program: Program): Promise<number>
  rowsOf(number: number): Promise<readonly unknown[]>
  nameOf(number: number): Promise<unknown>
  /** The number of read models that have parked streams. */
  parked(): Promise<number>
  close(): Promise<void>
}

async function skewed(writer: Program): Promise<Skewed> {
  const test = await laidDatabase()
  const { pool } = test.database
  const keys = memoryPersonalDataKeys()
  const closings: (() => Promise<void>)[] = []
  const storeOf = async ({ catalogs }: Program): Promise<EventStore> => {
    const store = openPostgresEventStore({ ...test, keys, catalogs })
    closings.push(() => store.close())
    return store
  }
  const writing = await storeOf(writer)
  return {
    happens: appendEventsTo(writing),
    async projector({ catalogs, projections }) {
      const own = openDatabase(test.connection, { customPlans: true, holdsLocks: true, session: staying })
      const notifier = openNotifier({ connection: test.connection, onError: () => undefined })
      const store = await storeOf({ catalogs, projections })
      const onCommitted = (): Promise<void> => Promise.resolve()
      const runner = await startProjections({
        pool: own.pool,
        notifier,
        store,
        projections,
        onCommitted,
        onError: () => undefined,
      })
      let stopped: Promise<void> | undefined
      const stop = (): Promise<void> =>
        (stopped ??= runner
          .stop()
          .then(() => notifier.close())
          .then(() => own.close()))
      closings.push(stop)
      return { runner, stop }
    },
    async differences(program) {
      const { projections } = program
      const store = await storeOf(program)
      const found = await verify({ pool, store, projections, signal: new AbortController().signal })
      if (!found) throw new Error('Verifying was broken off')
      return found.models.flatMap(({ tables }) => tables).length
    },
    rowsOf: async (number) => (await pool.query('select * from guilds.guilds where id = $1', [guild(number)])).rows,
    nameOf: async (number) =>
      (
        await pool.query<{ name: unknown }>('select content_warning_text as name from guilds.guilds where id = $1', [
          guild(number),
        ])
      ).rows[0]?.name,
    parked: async () =>
      (await pool.query(`select distinct schema from read_models.parked where schema not like 'verify%'`)).rows.length,
    close: () => closeAll(closings, test),
  }
}

async function closeAll(closings: (() => Promise<void>)[], test: TestDatabase): Promise<void> {
  for (const close of closings.toReversed()) await close()
  await test.close()
}
