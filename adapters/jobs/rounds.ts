import { setMaxListeners } from 'node:events'
import { z } from 'zod'
import { sql, type Queries } from '../../application/ports/database.js'
import { openWork, working } from '../../application/ports/at-work.js'
import { pause } from '../../application/concurrency/pauses.js'

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

/** Starts the rounds. `stop` starts no new round, and resolves once the current one is over. */
export function startRounds({ database, rounds, onError }: RoundSettings): { stop(): Promise<void> } {
  const over = new AbortController()
  // Each round listens for the end while it pauses.
  setMaxListeners(rounds.length, over.signal)
  const going = rounds.map(async (round) => {
    while (!over.signal.aborted) {
      try {
        if (await takeTurn(database, round)) await carriedOut(round)
      } catch (error) {
        onError(error, round.name)
      }
      await pause(round.every_ms, over.signal)
    }
  })
  return {
    stop: async () => {
      over.abort()
      await Promise.all(going)
    },
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

/**
 * Whether it is this worker's turn. The turn holds no lock, so a worker that dies during its turn only leaves it to the next.
 */
async function takeTurn(database: Queries, { name, every_ms, dailyAt_s }: Round): Promise<boolean> {
  const between_s = (every_ms * (1 - early)) / 1000
  const lastTurn =
    dailyAt_s === undefined
      ? sql.fragment`t.taken_at <= now() - make_interval(secs => ${between_s})`
      : sql.fragment`t.taken_at < date_trunc('day', now() - make_interval(secs => ${dailyAt_s}), 'UTC')
          + make_interval(secs => ${dailyAt_s})`
  const turn = await database.maybeOne(sql.type(taken)`
    insert into job_workers.turns as t (name, taken_at) values (${name}, now())
    on conflict (name) do update set taken_at = excluded.taken_at
      where ${lastTurn}
    returning name`)
  return turn !== undefined
}
