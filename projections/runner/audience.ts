import type { Position } from '../../application/ports/event-store.js'

/** Sent by every process that begins to listen, and now and then. */
export const whoListens = 'who listens'
/** The answer of all listening processes. */
export const iListen = 'I listen'

/** How long an answer counts as proof that others listen, and then how long the next answer may take. */
const asking_ms = 60_000
const answering_ms = 5000

/** What a process has to send to the others on a channel: nothing if no other process listens. */
export interface WordsToOthers {
  /** Notes a message of another process. */
  noteOther(word: typeof whoListens | typeof iListen): void
  /** Forgets what is known of the others. */
  askAnew(): void
  /** Only the newest position is sent. */
  announce(position: Position): void
  /** The next message to send; undefined if there is none. */
  next(): string | undefined
}

export function wordsToOthers(): WordsToOthers {
  const waiting = new Set<string>()
  let newest: Position | undefined
  let heard_ms: number | undefined
  let asked_ms: number | undefined

  /** Asks again if no other process was heard for long, and gives up those that did not answer. */
  function look(now_ms: number): void {
    if (heard_ms === undefined || now_ms - heard_ms < asking_ms) return
    if (asked_ms === undefined) {
      asked_ms = now_ms
      waiting.add(whoListens)
    } else if (now_ms - asked_ms > answering_ms) heard_ms = undefined
  }

  return {
    noteOther(word) {
      heard_ms = performance.now()
      asked_ms = undefined
      if (word === whoListens) waiting.add(iListen)
    },
    askAnew() {
      heard_ms = undefined
      waiting.add(whoListens)
    },
    announce(position) {
      newest = position
    },
    next() {
      look(performance.now())
      for (const word of waiting) {
        waiting.delete(word)
        return word
      }
      if (heard_ms === undefined || newest === undefined) return undefined
      const text = newest.toString()
      newest = undefined
      return text
    },
  }
}
