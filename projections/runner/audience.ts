import type { Position } from '../../application/ports/event-store.js'

/** Asked by whoever begins to listen, and now and then. */
export const whoListens = 'who listens'
/** Answered by all who listen. */
export const iListen = 'I listen'

/** How long it is believed that somebody listens, and how long an answer may take then. */
const asking_ms = 60_000
const answering_ms = 5000

/** What a process has to tell the others on a channel: nothing where nobody else listens. */
export interface WordsToOthers {
  /** Somebody else was heard. */
  noteOther(word: typeof whoListens | typeof iListen): void
  /** Nothing is known of the others any more. */
  askAnew(): void
  /** Only the newest position is told. */
  announce(position: Position): void
  /** What goes out next; undefined where nothing has to. */
  next(): string | undefined
}

export function wordsToOthers(): WordsToOthers {
  const waiting = new Set<string>()
  let newest: Position | undefined
  let heard_ms: number | undefined
  let asked_ms: number | undefined

  /** Asks again where nobody was heard for long, and gives up those who did not answer. */
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
