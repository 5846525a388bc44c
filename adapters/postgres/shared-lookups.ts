import pg from 'pg'
import { breakOff, writesHeld } from './client-inside.js'

/** Connections that many lookups share: each is sent while earlier ones are still unanswered. */
export interface SharedLookups {
  /**
   * Sends a lookup behind others; undefined where it would wait for a slow one, and is to have a connection of its own. It is
   * carried out by `alone` too where one before it turns out to be slow, or the connection is lost. Rejects as the client does.
   */
  send(statement: pg.QueryConfig, alone: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> | undefined
  close(): Promise<void>
}

export interface SharedLookupsSettings {
  /** How a connection is opened. */
  readonly pool: pg.PoolConfig
  /** How long a lookup may go without an answer, in milliseconds. After that its connection is broken off if Postgres is silent. */
  readonly answer_ms_max: number
}

const connections_max = 3
/** So many wait for answers on one connection before the next one is used. */
const unanswered_max = 24
/** If the first in line waits for longer than this, others go elsewhere. */
const patience_ms = 5
/** If it waits for longer than this, those behind it are asked once more elsewhere. */
const slow_ms = 25
/** So long Postgres has to say that it cancelled a statement, which leaves the connection whole. */
const cancelled_ms = 500
const idle_ms_max = 10_000
const idleCheck_ms = 1000
const reopen_ms = 1000

/** Opens nothing before the first lookup, which does not wait for it. */
export function openSharedLookups({ pool: config, answer_ms_max }: SharedLookupsSettings): SharedLookups {
  const pool = new pg.Pool({ ...config, max: connections_max, pipeline: true })
  pool.on('error', ignore)
  // It may break before it is used: without a listener, its error would end the process.
  pool.on('connect', (client) => void client.on('error', ignore))
  const lines: Line[] = []
  let openAgainAt_ms = 0
  let isOpening = false
  let isClosed = false

  function openLine(): void {
    if (isOpening || isClosed || lines.length === connections_max || performance.now() < openAgainAt_ms) return
    isOpening = true
    pool.connect().then(
      (client) => {
        isOpening = false
        if (isClosed) client.release(true)
        else lines.push(new Line(client, answer_ms_max, (line) => void lines.splice(lines.indexOf(line), 1)))
      },
      // Whoever asks on a connection of its own is told.
      () => {
        isOpening = false
        openAgainAt_ms = performance.now() + reopen_ms
      },
    )
  }

  return {
    send(statement, alone) {
      const now_ms = performance.now()
      const line = lines.find((each) => each.accepts(now_ms))
      if (line) return line.send(statement, alone, now_ms)
      openLine()
      return undefined
    },
    async close() {
      isClosed = true
      for (const line of lines.slice()) line.end('closed')
      await pool.end()
    },
  }
}

/** Somebody who waits for an answer. Answers come in the order of the statements. */
interface Waiting {
  /** Asks once more elsewhere, if that was not done. From then on the answer elsewhere counts too. */
  leave(): void
  hasLeft(): boolean
}

/** One connection, and those who wait for answers on it. */
class Line {
  readonly #client: pg.PoolClient
  readonly #answer_ms_max: number
  readonly #onEnd: (line: Line) => void
  readonly #hold: () => void
  readonly #checking: NodeJS.Timeout
  readonly #waiting = new Set<Waiting>()
  #state: 'open' | 'closed' | 'lost' | 'late' = 'open'
  #isWatched = false
  /** Since when the first in line waits: since it was sent, or since the answer before its own. */
  #since_ms = performance.now()

  constructor(client: pg.PoolClient, answer_ms_max: number, onEnd: (line: Line) => void) {
    this.#client = client
    this.#answer_ms_max = answer_ms_max
    this.#onEnd = onEnd
    // What many requests ask in one turn of the event loop is written once.
    this.#hold = writesHeld(client, setImmediate)
    this.#checking = setInterval(() => {
      if (this.#waiting.size === 0 && performance.now() - this.#since_ms > idle_ms_max) this.end('closed')
    }, idleCheck_ms).unref()
    client.on('error', () => this.end('lost'))
  }

  accepts(now_ms: number): boolean {
    const { size } = this.#waiting
    return size < unanswered_max && (size === 0 || now_ms - this.#since_ms < patience_ms)
  }

  send(statement: pg.QueryConfig, alone: () => Promise<pg.QueryResult>, now_ms: number): Promise<pg.QueryResult> {
    return new Promise((resolve, reject) => {
      const place = placeOf(() => void alone().then(resolve, reject))
      this.#enter(place, now_ms)
      this.#hold()
      this.#client.query(statement).then(
        (result) => {
          this.#leave(place)
          resolve(result)
        },
        (error: unknown) => {
          this.#leave(place)
          // An error that is not Postgres' own means that there is no connection, whether or not it said so itself.
          if (!(error instanceof pg.DatabaseError)) {
            this.end('lost')
            if (this.#state === 'lost') place.leave()
          }
          if (!place.hasLeft()) reject(error)
        },
      )
    })
  }

  /** Accepts nothing more, and ends the connection once everybody is answered. */
  end(as: 'closed' | 'lost' | 'late'): void {
    if (this.#state !== 'open') return
    this.#state = as
    clearInterval(this.#checking)
    this.#onEnd(this)
    this.#client.release(true)
  }

  #enter(place: Waiting, now_ms: number): void {
    if (this.#waiting.size === 0) this.#since_ms = now_ms
    this.#waiting.add(place)
    if (this.#isWatched) return
    this.#isWatched = true
    this.#watchLater()
  }

  #leave(place: Waiting): void {
    this.#waiting.delete(place)
    this.#since_ms = performance.now()
  }

  /** In the phase after answers are read: a process that was busy itself does not call Postgres slow. */
  #watchLater(): void {
    setTimeout(() => setImmediate(() => this.#watch()), slow_ms)
  }

  /** Looks after those who wait, as long as there are any. */
  #watch(): void {
    this.#isWatched = this.#waiting.size > 0
    if (!this.#isWatched) return
    const quiet_ms = performance.now() - this.#since_ms
    if (quiet_ms > this.#answer_ms_max + cancelled_ms) {
      this.end('late')
      breakOff(this.#client)
    } else if (this.#state === 'open' && quiet_ms > slow_ms) {
      const [, ...behind] = this.#waiting
      for (const each of behind) each.leave()
    }
    this.#watchLater()
  }
}

function placeOf(askElsewhere: () => void): Waiting {
  let hasLeft = false
  return {
    leave() {
      if (hasLeft) return
      hasLeft = true
      askElsewhere()
    },
    hasLeft: () => hasLeft,
  }
}

const ignore = (): void => undefined
