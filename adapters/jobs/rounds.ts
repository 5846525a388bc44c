import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import type { Queries } from '../../application/ports/database.ts'
import { sql } from '../../application/sql/sql.ts'
import { openWork, working } from '../../application/observation/at-work.ts'
import { pause, unlessLate } from '../../application/concurrency/pauses.ts'

/** A task that one of the workers, any of them, does every `every_ms`, or once a day. */
export interface Round {
  /** Names the task among all workers of a database. */
  readonly name: string
  readonly every_ms: number
  /**
   * Once a day, so many seconds after midnight UTC; `every_ms` says how often a worker looks whether it is time. A worker that starts
   * later, or for the first time, catches up at once.
   */
  readonly dailyAt_s?: number
  run(): Promise<void>
}

export interface RoundSettings {
  readonly database: Queries
  readonly rounds: readonly Round[]
  /** Called for rounds that failed. They run again. */
  readonly onError: (error: unknown, round: string) => void
}

const taken = z.object({ name: z.string() })
/** Workers' timers are not exact: a worker that is early by this share of the interval may take the turn. */
const early = 0.1

/** Rounds that are due within this time take their turns in one statement. */
const gather_ms = 20
/** The longest that a round waits for the one before it. */
const before_ms_max = 250

/** Starts the rounds. `stop` starts no new round, and resolves once the current one is over. */
export function startRounds({ database, rounds, onError }: RoundSettings): { stop(): Promise<void> } {
  const over = new AbortController()
  // Each round listens for the end while it pauses.
  setMaxListeners(rounds.length + 1, over.signal)
  const isTurn = turnsTogether(database, over.signal)
  const begin = oneAfterAnother(over.signal)
  const began_ms = performance.now()
  const going = rounds.map(async (round) => {
    while (!over.signal.aborted) {
      try {
        if (await isTurn(round)) await begin(() => carriedOut(round))
      } catch (error) {
        onError(error, round.name)
      }
      await pause(untilNext_ms(round, performance.now() - began_ms), over.signal)
    }
  })
  return {
    stop: async () => {
      over.abort()
      await Promise.all(going)
    },
  }
}

/** Rounds are due at multiples of their interval since the start, so that many are due at the same time. */
function untilNext_ms({ every_ms }: Round, since_ms: number): number {
  const left_ms = every_ms - (since_ms % every_ms)
  return left_ms < every_ms * early ? left_ms + every_ms : left_ms
}

/**
 * Begins what is due one after another: each once the one before is over or has taken `before_ms_max`. So short rounds, which are due
 * together, share a connection, and a long one holds up no other. Begins nothing once the signal has aborted.
 */
function oneAfterAnother(over: AbortSignal): (run: () => Promise<void>) => Promise<void> {
  let before: Promise<void> = Promise.resolve()
  return (run) => {
    const running = before.then(() => (over.aborted ? undefined : run()))
    before = before.then(() => unlessLate(running.catch(ignore), before_ms_max))
    return running
  }
}

async function carriedOut(round: Round): Promise<void> {
  const name = `round ${round.name}`
  const endWork = openWork(name)
  try {
    await working(name, () => round.run())
  } finally {
    endWork()
  }
}

/** Gives whether this worker may run a round now; false once the signal has aborted. Rejects if Postgres can't be asked. */
function turnsTogether(database: Queries, over: AbortSignal): (round: Round) => Promise<boolean> {
  let wanted: Round[] = []
  let taking: Promise<ReadonlySet<string>> | undefined
  const take = async (): Promise<ReadonlySet<string>> => {
    await pause(gather_ms, over)
    const rounds = wanted
    wanted = []
    taking = undefined
    return over.aborted ? new Set() : takeTurns(database, rounds)
  }
  return async (round) => {
    wanted.push(round)
    taking ??= take()
    return (await taking).has(round.name)
  }
}

/**
 * The names of the rounds in which it is this worker's turn. A turn holds no lock, so a worker that dies during its turn only leaves
 * it to the next. All workers take turns in the order of their names, so that none of them waits for another in a circle.
 */
async function takeTurns(database: Queries, rounds: readonly Round[]): Promise<ReadonlySet<string>> {
  const names = sql.array(
    rounds.map(({ name }) => name),
    'text',
  )
  const between_s = sql.array(
    rounds.map(({ every_ms }) => (every_ms * (1 - early)) / 1000),
    'float8',
  )
  const dailyAt_s = sql.array(
    rounds.map((round) => round.dailyAt_s ?? null),
    'float8',
  )
  const turns = await database.any(sql.type(taken)`
    with wanted as (
      select name, make_interval(secs => between_s) as between, make_interval(secs => daily_at_s) as daily_at
      from unnest(${names}, ${between_s}, ${dailyAt_s}) as w (name, between_s, daily_at_s)
    )
    insert into job_workers.turns as t (name, taken_at) select name, now() from wanted order by name
    on conflict (name) do update set taken_at = excluded.taken_at
      where (
        select case when daily_at is null then t.taken_at <= now() - between
          else t.taken_at < date_trunc('day', now() - daily_at, 'UTC') + daily_at end
        from wanted where wanted.name = t.name)
    returning name`)
  return new Set(turns.map(({ name }) => name))
}

const ignore = (): void => undefined
