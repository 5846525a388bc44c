import { EventEmitter } from 'node:events'

export interface Proposed {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface Recorded extends Proposed {
  readonly stream: string
  readonly revision: number
  /** The byte offset of its record in the log. */
  readonly position: bigint
  readonly created_ms: number
  /** Where the record after it begins. */
  readonly next: bigint
}

export type Expected = 'any' | 'no_stream' | 'stream_exists' | number

export type Commit =
  | { readonly outcome: 'written'; readonly last: Recorded }
  /** `current` is -1 if the stream does not exist. */
  | { readonly outcome: 'wrong revision'; readonly current: number }

const recordOverhead_bytes = 97

/**
 * The transaction log of the double, and the rules of EventStoreDB's index writer
 * (src/EventStore.Core/Services/Storage/ReaderIndex/IndexWriter.cs, CheckCommit).
 */
export class DoubleLog {
  /** The readable events: a commit appears here `readLag_ms` after it was answered. */
  readonly events: Recorded[] = []
  readonly changes = new EventEmitter().setMaxListeners(0)
  readLag_ms = 0
  /** The committed and the readable events, by stream. */
  readonly #streams = new Map<string, Recorded[]>()
  readonly #readable = new Map<string, Recorded[]>()
  #end = 0n

  /** The readable events of a stream, by revision. */
  of(stream: string): readonly Recorded[] {
    return this.#readable.get(stream) ?? []
  }

  /** Where the record after everything readable begins. */
  get endOfReadable(): bigint {
    return this.events.at(-1)?.next ?? 0n
  }

  commit(stream: string, expected: Expected, proposed: readonly Proposed[]): Commit {
    const held = this.#streams.get(stream) ?? []
    const current = held.length - 1
    const repeated = earlier(held, expected, proposed)
    if (repeated) return { outcome: 'written', last: repeated }
    if (!isExpected(expected, current)) return { outcome: 'wrong revision', current }
    const written = proposed.map((event, index) => this.#record(stream, current + 1 + index, event))
    this.#streams.set(stream, held)
    held.push(...written)
    this.#show(written)
    const last = written.at(-1)
    return last ? { outcome: 'written', last } : { outcome: 'wrong revision', current }
  }

  /** The server's own events, between those of others. */
  writeSystemEvents(count: number): void {
    const statistics = { id: crypto.randomUUID(), type: '$statsCollected', contentType: 'application/json' }
    const stream = '$stats-127.0.0.1:2113'
    const empty = Buffer.from('{}')
    for (let index = 0; index < count; index += 1) {
      const held = this.#streams.get(stream) ?? []
      const event = this.#record(stream, held.length, { ...statistics, data: empty, metadata: empty })
      held.push(event)
      this.#streams.set(stream, held)
      this.#show([event])
    }
  }

  #record(stream: string, revision: number, event: Proposed): Recorded {
    const position = this.#end
    this.#end += BigInt(recordOverhead_bytes + stream.length + event.data.length + event.metadata.length)
    return { ...event, stream, revision, position, created_ms: Date.now(), next: this.#end }
  }

  #show(written: readonly Recorded[]): void {
    const show = (): void => {
      this.events.push(...written)
      for (const event of written) {
        const readable = this.#readable.get(event.stream) ?? []
        this.#readable.set(event.stream, readable)
        readable.push(event)
      }
      this.changes.emit('events')
    }
    if (this.readLag_ms === 0) show()
    else setTimeout(show, this.readLag_ms)
  }
}

function isExpected(expected: Expected, current: number): boolean {
  switch (expected) {
    case 'any':
      return true
    case 'no_stream':
      return current === -1
    case 'stream_exists':
      return current >= 0
    default:
      return expected === current
  }
}

/** The last of these same events, if they stand right after the expected revision already. */
function earlier(held: readonly Recorded[], expected: Expected, proposed: readonly Proposed[]): Recorded | undefined {
  const from = expected === 'no_stream' ? 0 : typeof expected === 'number' ? expected + 1 : firstOf(held, proposed)
  const there = held.slice(from, from + proposed.length)
  const isSame = there.length === proposed.length && there.every(({ id }, index) => id === proposed[index]?.id)
  return isSame ? there.at(-1) : undefined
}

function firstOf(held: readonly Recorded[], [first]: readonly Proposed[]): number {
  const index = held.findIndex(({ id }) => id === first?.id)
  return index === -1 ? held.length : index
}
