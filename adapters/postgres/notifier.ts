import pg from 'pg'
import { pause, unlessAborted, unlessLate } from '../../application/concurrency/pauses.ts'
import type { Notifier, Subscriber } from '../../application/ports/notifier.ts'
import { openClient } from './client.ts'
import { processIdOf } from './client-inside.ts'
import { connect_ms_max, keepAlive_ms, type PostgresConnection } from './database.ts'
import { orPostgresUnavailable } from './postgres-unavailable.ts'

const reconnect_ms = { min: 50, max: 1000 }
/** A server that hangs is not waited for to say goodbye. */
const goodbye_ms_max = 1000

export interface NotifierSettings {
  readonly connection: PostgresConnection
  /** Called with each connection that broke or could not be made. The next try follows by itself. */
  readonly onError: (error: unknown) => void
  /** For tests: makes the connections. */
  readonly connect?: () => Promise<pg.Client>
}

export interface OpenNotifier extends Notifier {
  close(): Promise<void>
}

/**
 * One connection, on which a process hears all topics and tells the others. It is opened for the first topic or text, and made anew
 * when it breaks, with pauses that double.
 */
export function openNotifier(settings: NotifierSettings): OpenNotifier {
  return new PostgresNotifier(settings)
}

class PostgresNotifier implements OpenNotifier {
  readonly #connect: () => Promise<pg.Client>
  readonly #onError: (error: unknown) => void
  readonly #stop = new AbortController()
  readonly #subscriptions = new Set<Subscription>()
  /** What is to be told, by kind. */
  readonly #outgoing = new Map<string, Outgoing>()
  /** The connection that is there now. */
  #client: pg.Client | undefined
  /** What is being sent, and on which connection. */
  #sending: { readonly on: pg.Client; readonly done: Promise<void> } | undefined
  #ended: Promise<void> | undefined

  constructor({ connection, onError, connect = () => connected(connection) }: NotifierSettings) {
    this.#connect = connect
    this.#onError = onError
  }

  subscribe(topic: string, subscriber: Subscriber): () => void {
    const subscription = { topic, ...subscriber }
    this.#subscriptions.add(subscription)
    // A connection that breaks is noticed elsewhere, and the next one hears all topics.
    if (this.#client) this.#listen(this.#client, [subscription]).catch(ignore)
    this.#begin()
    return () => this.#subscriptions.delete(subscription)
  }

  tell(topic: string, text: string, kind: string = topic): void {
    this.#outgoing.set(kind, { topic, text })
    this.#begin()
    if (this.#client) this.#send(this.#client)
  }

  async close(): Promise<void> {
    if (this.#client) await unlessLate(this.#sending?.done, goodbye_ms_max)
    this.#stop.abort()
    await this.#ended
  }

  #begin(): void {
    if (!this.#stop.signal.aborted) this.#ended ??= this.#keepConnected()
  }

  #report(error: unknown): void {
    if (!this.#stop.signal.aborted) this.#onError(orPostgresUnavailable(error))
  }

  async #keepConnected(): Promise<void> {
    const { signal } = this.#stop
    let pause_ms = reconnect_ms.min
    while (!signal.aborted) {
      const connecting = this.#connect()
      try {
        const hearing = connecting.then((client) => this.#hear(client, () => (pause_ms = reconnect_ms.min)))
        await unlessAborted(hearing, signal)
      } catch (error) {
        this.#report(error)
        await pause(pause_ms, signal)
        pause_ms = Math.min(pause_ms * 2, reconnect_ms.max)
      } finally {
        this.#client = undefined
        // Also of a connection that was still being made.
        await unlessLate(connecting.then((client) => client.end()).catch(ignore), goodbye_ms_max)
      }
    }
  }

  /** Rejects once the connection ends. */
  async #hear(client: pg.Client, onConnected: () => void): Promise<void> {
    if (this.#stop.signal.aborted) return
    const lost = new Promise<never>((_, reject) => {
      client.on('error', reject)
      client.on('end', () => reject(new Error('Connection terminated: it listened to other processes')))
    })
    const own = processIdOf(client)
    client.on('notification', ({ channel, payload = '', processId }) => {
      if (processId === own) return
      for (const { topic, onText } of this.#subscriptions) if (topic === channel) onText(payload, processId)
    })
    this.#client = client
    await Promise.race([this.#listen(client, [...this.#subscriptions]), lost])
    onConnected()
    this.#send(client)
    await lost
  }

  async #listen(client: pg.Client, wanted: readonly Subscription[]): Promise<void> {
    const topics = [...new Set(wanted.map(({ topic }) => topic))]
    if (topics.length > 0) await client.query(topics.map((topic) => `listen ${topic}`).join('; '))
    if (this.#client !== client || this.#stop.signal.aborted) return
    for (const subscription of wanted) if (this.#subscriptions.has(subscription)) subscription.onHearing?.()
  }

  #send(on: pg.Client): void {
    if (this.#sending?.on === on) return
    const sendAll = async (): Promise<void> => {
      while (this.#client === on && (await this.#sendNext(on)));
      if (this.#sending?.on === on) this.#sending = undefined
    }
    this.#sending = { on, done: sendAll() }
  }

  /** What could not be sent is kept for the next connection, unless something newer has come. */
  async #sendNext(client: pg.Client): Promise<boolean> {
    const [next] = this.#outgoing
    if (!next) return false
    const [kind, { topic, text }] = next
    this.#outgoing.delete(kind)
    try {
      await client.query({ name: 'tell', text: 'select pg_notify($1, $2)', values: [topic, text] })
      return true
    } catch (error) {
      if (!this.#outgoing.has(kind)) this.#outgoing.set(kind, { topic, text })
      if (error instanceof pg.DatabaseError) this.#report(error)
      return false
    }
  }
}

interface Subscription extends Subscriber {
  readonly topic: string
}

interface Outgoing {
  readonly topic: string
  readonly text: string
}

async function connected(connection: PostgresConnection): Promise<pg.Client> {
  const client = openClient(connection, {
    application_name: 'guildhall notifier',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAlive_ms,
    connectionTimeoutMillis: connect_ms_max,
  })
  // A failure rejects `connect`, or the query at work. An error event without a listener would end the process.
  client.on('error', ignore)
  await client.connect()
  return client
}

const ignore = (): void => undefined
